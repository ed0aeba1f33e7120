import { useText } from '#web/core/i18n.tsx'

export default function ResetPage() {
  const { t } = useText()
  return <h1>{t('resetTitle')}</h1>
}
