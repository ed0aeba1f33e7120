import { useText } from '#web/core/i18n.tsx'

export default function JobsPage() {
  const { t } = useText()
  return <h1>{t('deskJobs')}</h1>
}
