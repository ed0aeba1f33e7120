import { useText } from '#web/core/i18n.tsx'

export default function BugsPage() {
  const { t } = useText()
  return <h1>{t('deskBugs')}</h1>
}
