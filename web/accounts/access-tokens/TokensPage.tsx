import { lazy, Suspense, useState } from 'react'
import type { AccessToken } from '#contract/access-tokens.ts'
import { TokenLine } from '#web/accounts/access-tokens/TokenLine.tsx'
import type { loader } from '#web/accounts/access-tokens/TokensPage.data.ts'
import { useHeadingFocus } from '#web/accounts/lines/heading-focus.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { usePageData, useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import styles from '#web/accounts/lines/Lines.module.css'

const MakeDialog = lazy(async () => {
  const file = await import('#web/accounts/access-tokens/MakeDialog.tsx')
  return { default: file.MakeDialog }
})
const RevokeDialog = lazy(async () => {
  const file = await import('#web/accounts/access-tokens/RevokeDialog.tsx')
  return { default: file.RevokeDialog }
})

/** One's access tokens for programs: listed, made, revoked. What the steps need is loaded by their presses. */
export default function TokensPage() {
  const { tokens, hasPassword } = usePageData<typeof loader>()
  const { t } = useText()
  const reload = useReload()
  const { heading, focusHeading } = useHeadingFocus()
  const [opened, setOpened] = useState<'make' | AccessToken | null>(null)
  const close = () => {
    setOpened(null)
    void reload()
  }
  return (
    <div className={styles.linePage}>
      <div>
        <p className={styles.back}>
          <Link to={to.account()}>{t('accountTitle')}</Link>
        </p>
        <h1 ref={heading} tabIndex={-1}>
          {t('tokensTitle')}
        </h1>
        <p className="quiet">{t('tokensLead')}</p>
        <p className="quiet">
          <Rich id="tokensDocs" components={{ a: <a href="/api/docs" /> }} />
        </p>
        <p className="scripted">
          <Button icon="plus" aria-haspopup="dialog" onClick={() => setOpened('make')}>
            {t('tokenMake')}
          </Button>
        </p>
      </div>
      {tokens.length === 0 ? (
        <Empty drawing="shelf" title={t('tokensEmpty')}>
          {t('tokensEmptyWhat')}
        </Empty>
      ) : (
        <ul className={styles.ownLines} aria-label={t('tokensTitle')}>
          {tokens.map((token) => (
            <TokenLine key={token.id} token={token} onRevoke={() => setOpened(token)} />
          ))}
        </ul>
      )}
      <Suspense>
        {opened === 'make' && <MakeDialog hasPassword={hasPassword} onClose={close} />}
        {opened !== null && opened !== 'make' && (
          <RevokeDialog
            token={opened}
            onClose={() => setOpened(null)}
            onRevoked={() => {
              close()
              focusHeading()
            }}
          />
        )}
      </Suspense>
    </div>
  )
}
