import { lazy, useState } from 'react'
import { OLD_SECRET_HOURS } from '#contract/limits.ts'
import { webhooks, type WebhookEndpoint } from '#contract/webhooks.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { usePageData, useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'
import { Opening } from '#web/layout/Progress.tsx'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { Deliveries } from '#web/operate/webhooks/Deliveries.tsx'
import { EndpointTable, type EndpointAct } from '#web/operate/webhooks/EndpointTable.tsx'
import { SecretDialog } from '#web/operate/webhooks/SecretDialog.tsx'
import type { loader } from '#web/operate/webhooks/WebhooksPage.data.ts'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Webhooks.module.css'

// Loaded on demand, because it needs the form library.
const EndpointDialog = lazy(async () => {
  const file = await import('#web/operate/webhooks/EndpointDialog.tsx')
  return { default: file.EndpointDialog }
})

type Opened =
  | { readonly act: 'add' }
  | { readonly act: EndpointAct; readonly endpoint: WebhookEndpoint }
  | null

export default function WebhooksPage() {
  const { list, log, counts } = usePageData<typeof loader>()
  const { t } = useText()
  const reload = useReload()
  const [opened, setOpened] = useState<Opened>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const close = () => setOpened(null)
  return (
    <DeskPage
      here="webhooks"
      title={t('deskWebhooks')}
      counts={counts}
      beside={
        <Button icon="plus" aria-haspopup="dialog" onClick={() => setOpened({ act: 'add' })}>
          {t('webhookAdd')}
        </Button>
      }
    >
      <p className={classes('quiet', styles.webhookHelp)}>{t('webhooksHelp')}</p>
      {list.length === 0 ? (
        <Empty drawing="tray" title={t('webhookNone')}>
          {t('webhookNoneHelp')}
        </Empty>
      ) : (
        <EndpointTable
          list={list}
          shown={log?.of.id ?? null}
          onAct={(act, endpoint) => setOpened({ act, endpoint })}
        />
      )}
      {log !== null && <Deliveries key={log.of.id} log={log} />}
      {(opened?.act === 'add' || opened?.act === 'edit') && (
        <Opening>
          <EndpointDialog
            endpoint={opened.act === 'edit' ? opened.endpoint : null}
            onClose={close}
            onDone={(made) => {
              close()
              setSecret(made)
              void reload()
            }}
          />
        </Opening>
      )}
      {opened?.act === 'renew' && (
        <ConfirmDialog
          onClose={close}
          title={t('webhookNewTitle')}
          step={{ label: t('webhookNew'), kind: 'main', icon: 'retry' }}
          act={() => api(webhooks.renewSecret, { id: opened.endpoint.id })}
          onDone={(renewed) => {
            setSecret(renewed.secret)
            void reload()
          }}
        >
          <p dir="auto">{opened.endpoint.description}</p>{' '}
          <p>{t('webhookNewText', { hours: OLD_SECRET_HOURS })}</p>
        </ConfirmDialog>
      )}
      {opened?.act === 'remove' && (
        <ConfirmDialog
          onClose={close}
          title={t('webhookRemoveTitle')}
          step={{ label: t('webhookRemove'), kind: 'risk', icon: 'bin' }}
          act={() => api(webhooks.remove, { id: opened.endpoint.id })}
          onDone={() => {
            toast(t('webhookRemoved'))
            void reload()
          }}
        >
          <p dir="auto">{opened.endpoint.description}</p> <p>{t('webhookRemoveText')}</p>
        </ConfirmDialog>
      )}
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </DeskPage>
  )
}
