import { useText } from '#web/core/i18n.tsx'

export default function ForgotPage() {
  const { t } = useText()
  return <h1>{t('forgotTitle')}</h1>
}
