import { useText } from '#web/core/i18n.tsx'

export default function ContactPage() {
  const { t } = useText()
  return <h1>{t('contactTitle')}</h1>
}
