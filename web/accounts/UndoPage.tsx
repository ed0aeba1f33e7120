import { useText } from '#web/core/i18n.tsx'

export default function UndoPage() {
  const { t } = useText()
  return <h1>{t('undoTitle')}</h1>
}
