import { mail } from '#contract/mail.ts'
import type { OutboxMail } from '#contract/mail.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { FailureActs } from '#web/moderation/failures/FailureActs.tsx'
import { useFailures } from '#web/moderation/failures/failures.ts'
import { MailTable } from '#web/moderation/failures/MailTable.tsx'

/** Mails that failed: selected, they are tried again or, after a question, given up. */
export function FailedMails({ mails }: { readonly mails: readonly OutboxMail[] }) {
  const { t } = useText()
  const failures = useFailures(mails)
  const { selected, choose } = failures
  return (
    <>
      <FailureActs
        failures={failures}
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
          title: t('mailsDropTitle', { count: selected.length }),
          text: t('mailsDropWhat'),
        }}
      />
      <MailTable
        label={t('mailsFailed')}
        mails={mails}
        state="failed"
        selection={{ selected, choose }}
      />
    </>
  )
}
