import { SettingsSection } from '#web/accounts/settings/SettingsSection.tsx'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'

/** Leads to the list of devices that one is signed in on. */
export function DevicesLink() {
  const { t } = useText()
  return (
    <SettingsSection
      id="devices"
      title={t('devicesTitle')}
      lead={[t('devicesWhat')]}
      actions={
        <ButtonLink as={Link} to={to.devices()}>
          {t('devicesGo')}
        </ButtonLink>
      }
    />
  )
}

/** Leads to the access tokens of one's programs. */
export function TokensLink() {
  const { t } = useText()
  return (
    <SettingsSection
      id="tokens"
      title={t('tokensTitle')}
      lead={[t('tokensWhat')]}
      actions={
        <ButtonLink as={Link} to={to.tokens()}>
          {t('tokensGo')}
        </ButtonLink>
      }
    />
  )
}
