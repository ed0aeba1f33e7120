import { mail } from '#contract/mail.ts'
import type { OutboxMail } from '#contract/mail.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { FailureList } from '#web/moderation/failures/FailureList.tsx'
import { MailTable } from '#web/moderation/failures/MailTable.tsx'

/** Mails that could not be delivered. */
export function FailedMails({ mails }: { readonly mails: readonly OutboxMail[] }) {
  const { t } = useText()
  return (
    <FailureList
      items={mails}
      retry={{
        call: mail.resend,
        label: t('mailsRetry'),
        done: (count) => t('mailsRetried', { count }),
      }}
      drop={{
        call: mail.dropMails,
        label: t('mailsDrop'),
        done: (count) => t('mailsDropped', { count }),
      }}
      question={{
        title: (count) => t('mailsDropTitle', { count }),
        text: t('mailsDropWhat'),
      }}
    >
      {(selection) => (
        <MailTable label={t('mailsFailed')} mails={mails} state="failed" selection={selection} />
      )}
    </FailureList>
  )
}
