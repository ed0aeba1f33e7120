import { lazy, useRef, useState } from 'react'
import { accessTokens, type AccessToken } from '#contract/access-tokens.ts'
import type { loader } from '#web/people/accounts/access-tokens/TokensPage.data.ts'
import { SettingsLine } from '#web/people/accounts/settings/SettingsLine.tsx'
import { SettingsPage } from '#web/people/accounts/settings/SettingsPage.tsx'
import { api } from '#web/core/api.ts'
import { passIfGone } from '#web/core/api-error.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useHydrated } from '#web/core/hydrated.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { usePageData, useReload } from '#web/core/page.ts'
import { Time } from '#web/core/time/Time.tsx'
import { toast } from '#web/core/toast.ts'
import { Opening } from '#web/layout/Progress.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import styles from '#web/people/accounts/settings/Lines.module.css'
import { classes } from '#web/ui/classes.ts'
import fieldStyles from '#web/ui/inputs/Field.module.css'

// Loaded on demand, because it needs the form library.
const MakeDialog = lazy(async () => {
  const file = await import('#web/people/accounts/access-tokens/MakeDialog.tsx')
  return { default: file.MakeDialog }
})

export default function TokensPage() {
  const { tokens, hasPassword } = usePageData<typeof loader>()
  const { t } = useText()
  const reload = useReload()
  const heading = useRef<HTMLHeadingElement>(null)
  const [makes, setMakes] = useState(false)
  const [revoked, setRevoked] = useState<AccessToken | null>(null)
  const stopMaking = () => {
    setMakes(false)
    void reload()
  }
  return (
    <SettingsPage
      title={t('tokensTitle')}
      lead={t('tokensLead')}
      heading={heading}
      more={
        <>
          <p className="quiet">
            <Rich id="tokensDocs" components={{ a: <a href="/api/docs" /> }} />
          </p>
          <p className="scripted">
            <Button icon="plus" aria-haspopup="dialog" onClick={() => setMakes(true)}>
              {t('tokenMake')}
            </Button>
          </p>
        </>
      }
    >
      {tokens.length === 0 ? (
        <Empty drawing="shelf" title={t('tokensEmpty')}>
          {t('tokensEmptyWhat')}
        </Empty>
      ) : (
        <ul className={styles.ownLines} aria-label={t('tokensTitle')}>
          {tokens.map((token) => (
            <TokenLine key={token.id} token={token} onRevoke={() => setRevoked(token)} />
          ))}
        </ul>
      )}
      {makes && (
        <Opening>
          <MakeDialog hasPassword={hasPassword} onClose={stopMaking} />
        </Opening>
      )}
      {revoked !== null && (
        <ConfirmDialog
          onClose={() => setRevoked(null)}
          title={t('tokenRevokeAsk', { name: revoked.name })}
          step={{ label: t('tokenRevoke'), kind: 'risk', icon: 'bin' }}
          act={() => api(accessTokens.revoke, { id: revoked.id }).catch(passIfGone)}
          onDone={() => {
            toast(t('tokenRevokeDone'))
            heading.current?.focus()
            void reload()
          }}
        >
          <p>{t('tokenRevokeWhat')}</p>
        </ConfirmDialog>
      )}
    </SettingsPage>
  )
}

interface TokenLineProps {
  readonly token: AccessToken
  readonly onRevoke: () => void
}

function TokenLine({ token: { name, scopes, expires, lastUsed }, onRevoke }: TokenLineProps) {
  const { t } = useText()
  // Uses the browser's clock after hydration, because the HTML may be older.
  const isLive = useHydrated()
  const [now] = useState(() => Date.now())
  const isOver = isLive && Date.parse(expires) <= now
  return (
    <SettingsLine
      name={name}
      facts={
        <>
          <span>
            <code>{scopes.join(', ')}</code>
          </span>
          <span className={isOver ? classes(fieldStyles.over, styles.over) : undefined}>
            <Rich
              id={isOver ? 'tokenEndedOn' : 'tokenEndsOn'}
              components={{ date: <Time date={expires} form="moment" /> }}
            />
          </span>
          <span>
            {lastUsed === null ? (
              t('tokenUsedNever')
            ) : (
              <Rich
                id="tokenUsedOn"
                components={{ date: <Time date={lastUsed} form="moment" /> }}
              />
            )}
          </span>
        </>
      }
    >
      <Button
        kind="bare"
        icon="bin"
        aria-haspopup="dialog"
        aria-label={t('tokenRevokeOf', { name })}
        onClick={onRevoke}
      >
        {t('tokenRevoke')}
      </Button>
    </SettingsLine>
  )
}
