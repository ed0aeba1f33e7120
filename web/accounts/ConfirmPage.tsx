import { useText } from '#web/core/i18n.tsx'

export default function ConfirmPage() {
  const { t } = useText()
  return <h1>{t('confirmTitle')}</h1>
}
