import { lazy, Suspense, useState } from 'react'
import type { WebhookEndpoint } from '#contract/webhooks.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData, useReload } from '#web/core/page.ts'
import { DeskFoot } from '#web/moderation/desk/DeskFoot.tsx'
import { DeskTabs } from '#web/moderation/desk/DeskTabs.tsx'
import { Deliveries } from '#web/moderation/webhooks/Deliveries.tsx'
import { EndpointTable, type EndpointAct } from '#web/moderation/webhooks/EndpointTable.tsx'
import type { loader } from '#web/moderation/webhooks/WebhooksPage.data.ts'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Webhooks.module.css'

const EndpointDialog = lazy(async () => {
  const file = await import('#web/moderation/webhooks/EndpointDialog.tsx')
  return { default: file.EndpointDialog }
})
const AskDialog = lazy(async () => {
  const file = await import('#web/moderation/webhooks/AskDialog.tsx')
  return { default: file.AskDialog }
})
const SecretDialog = lazy(async () => {
  const file = await import('#web/moderation/webhooks/SecretDialog.tsx')
  return { default: file.SecretDialog }
})

type Opened =
  | { readonly act: 'add' }
  | { readonly act: EndpointAct; readonly endpoint: WebhookEndpoint }
  | { readonly act: 'secret'; readonly secret: string }
  | null

/** Addresses of other programs that are told what happens, and what came of it. */
export default function WebhooksPage() {
  const { list, log, counts } = usePageData<typeof loader>()
  const { t } = useText()
  const reload = useReload()
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => setOpened(null)
  const done = (secret: string | null) => {
    setOpened(secret === null ? null : { act: 'secret', secret })
    void reload()
  }
  return (
    <>
      <DeskTabs here="webhooks" counts={counts} />
      <Head title={t('deskWebhooks')} as="h1">
        <Button icon="plus" aria-haspopup="dialog" onClick={() => setOpened({ act: 'add' })}>
          {t('webhookAdd')}
        </Button>
      </Head>
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
      <Suspense>
        {opened?.act === 'add' && <EndpointDialog endpoint={null} onClose={close} onDone={done} />}
        {opened?.act === 'edit' && (
          <EndpointDialog endpoint={opened.endpoint} onClose={close} onDone={done} />
        )}
        {(opened?.act === 'renew' || opened?.act === 'remove') && (
          <AskDialog act={opened.act} endpoint={opened.endpoint} onClose={close} onDone={done} />
        )}
        {opened?.act === 'secret' && <SecretDialog secret={opened.secret} onClose={close} />}
      </Suspense>
      <DeskFoot counts={counts} />
    </>
  )
}
