import { useText } from '#web/core/i18n.tsx'

export default function UnsubscribePage() {
  const { t } = useText()
  return <h1>{t('unsubscribeTitle')}</h1>
}
