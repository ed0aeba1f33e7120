import { useText } from '#web/core/i18n.tsx'

export default function MailsPage() {
  const { t } = useText()
  return <h1>{t('deskMails')}</h1>
}
