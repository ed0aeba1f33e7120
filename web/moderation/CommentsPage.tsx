import { useText } from '#web/core/i18n.tsx'

export default function CommentsPage() {
  const { t } = useText()
  return <h1>{t('deskComments')}</h1>
}
