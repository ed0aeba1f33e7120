import { SettingsSection } from '#web/people/accounts/settings/SettingsSection.tsx'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'

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
