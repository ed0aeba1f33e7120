import { useText } from '#web/core/i18n.tsx'

export default function ReportPage() {
  const { t } = useText()
  return <h1>{t('reportTitle')}</h1>
}
