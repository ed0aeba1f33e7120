import { useText } from '#web/core/i18n.tsx'

export default function FlagsPage() {
  const { t } = useText()
  return <h1>{t('deskFlags')}</h1>
}
