import { lazy, Suspense, useState } from 'react'
import type { Factors } from '#contract/factors.ts'
import type { Identities as Stored, Identity } from '#contract/identities.ts'
import type { WaysIn } from '#contract/ways-in.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { Time } from '#web/core/time/Time.tsx'
import { Button } from '#web/ui/Button.tsx'
import styles from '#web/accounts/passkeys/Passkeys.module.css'
import formStyles from '#web/ui/inputs/Form.module.css'

const AddDialog = lazy(async () => {
  const file = await import('#web/accounts/oidc/AddIdentityDialog.tsx')
  return { default: file.AddIdentityDialog }
})
const RemoveDialog = lazy(async () => {
  const file = await import('#web/accounts/oidc/RemoveIdentityDialog.tsx')
  return { default: file.RemoveIdentityDialog }
})

interface IdentitiesProps {
  readonly stored: Stored
  readonly ways: WaysIn
  readonly factors: Factors
}

type Provider = WaysIn['providers'][number]
type Opened = { readonly add: Provider } | { readonly remove: Identity } | null

/** The accounts at other sites by which one signs in; nothing where the site knows no other. */
export function Identities({ stored, ways, factors }: IdentitiesProps) {
  const { t } = useText()
  const reload = useReload()
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => {
    setOpened(null)
    void reload()
  }
  if (ways.providers.length === 0 && stored.identities.length === 0) return null
  return (
    <section className={formStyles.form} aria-labelledby="identities">
      <div>
        <h2 id="identities">{t('identityTitle')}</h2>
        <p className="quiet">{t('identityWhat')}</p>
      </div>
      {stored.identities.length > 0 && (
        <ul className={styles.passkeys}>
          {stored.identities.map((identity) => (
            <li key={identity.id}>
              <div>
                <b>{identity.provider}</b>
                <p className="small quiet">
                  {identity.label}
                  {', '}
                  <Rich
                    id="passkeyAddedOn"
                    components={{ date: <Time date={identity.createdAt} /> }}
                  />
                </p>
              </div>
              <Button
                kind="bare"
                icon="bin"
                aria-haspopup="dialog"
                aria-label={t('identityRemoveOf', { provider: identity.provider })}
                onClick={() => setOpened({ remove: identity })}
              >
                {t('passkeyRemove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className={formStyles.submit}>
        {ways.providers.map((provider) => (
          <Button
            key={provider.id}
            icon="plus"
            aria-haspopup="dialog"
            onClick={() => setOpened({ add: provider })}
          >
            {t('identityAdd', { provider: provider.name })}
          </Button>
        ))}
      </div>
      <Suspense>
        {opened !== null && 'add' in opened && (
          <AddDialog provider={opened.add} factors={factors} onClose={close} />
        )}
        {opened !== null && 'remove' in opened && (
          <RemoveDialog identity={opened.remove} onClose={close} />
        )}
      </Suspense>
    </section>
  )
}
