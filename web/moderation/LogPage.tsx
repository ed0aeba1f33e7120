import { useText } from '#web/core/i18n.tsx'

export default function LogPage() {
  const { t } = useText()
  return <h1>{t('deskLog')}</h1>
}
