import { useState } from 'react'
import type { Factors } from '#contract/factors.ts'
import { identities, type Identities as Stored, type Identity } from '#contract/identities.ts'
import type { WaysIn } from '#contract/ways-in.ts'
import { AddIdentityDialog } from '#web/people/accounts/oidc/AddIdentityDialog.tsx'
import { SettingsLine } from '#web/people/accounts/settings/SettingsLine.tsx'
import { SettingsSection } from '#web/people/accounts/settings/SettingsSection.tsx'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { Rich, useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { Time } from '#web/core/time/Time.tsx'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'
import styles from '#web/people/accounts/passkeys/Passkeys.module.css'

interface IdentitiesProps {
  readonly stored: Stored
  readonly ways: WaysIn
  readonly factors: Factors
}

type Provider = WaysIn['providers'][number]
type Opened = { readonly add: Provider } | { readonly remove: Identity } | null

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
    <SettingsSection
      id="identities"
      title={t('identityTitle')}
      lead={[t('identityWhat')]}
      actions={ways.providers.map((provider) => (
        <Button
          key={provider.id}
          icon="plus"
          aria-haspopup="dialog"
          onClick={() => setOpened({ add: provider })}
        >
          {t('identityAdd', { provider: provider.name })}
        </Button>
      ))}
    >
      {stored.identities.length > 0 && (
        <ul className={styles.passkeys}>
          {stored.identities.map((identity) => (
            <SettingsLine
              key={identity.id}
              name={identity.provider}
              facts={
                <>
                  {identity.label}
                  {', '}
                  <Rich
                    id="passkeyAddedOn"
                    components={{ date: <Time date={identity.createdAt} /> }}
                  />
                </>
              }
            >
              <Button
                kind="bare"
                icon="bin"
                aria-haspopup="dialog"
                aria-label={t('identityRemoveOf', { provider: identity.provider })}
                onClick={() => setOpened({ remove: identity })}
              >
                {t('passkeyRemove')}
              </Button>
            </SettingsLine>
          ))}
        </ul>
      )}
      {opened !== null && 'add' in opened && (
        <AddIdentityDialog provider={opened.add} factors={factors} onClose={close} />
      )}
      {opened !== null && 'remove' in opened && (
        <ConfirmDialog
          onClose={close}
          title={t('identityRemoveAsk', { provider: opened.remove.provider })}
          step={{ label: t('passkeyRemove'), kind: 'risk', icon: 'bin' }}
          act={() => api(identities.remove, { id: opened.remove.id })}
          onDone={() => toast(t('identityRemoved'))}
        >
          <p>{t('identityRemoveWhat')}</p>
        </ConfirmDialog>
      )}
    </SettingsSection>
  )
}
