import { mail, type MailState, type OutboxMail } from '#contract/mail.ts'
import { useText } from '#web/core/i18n.tsx'
import { FailureList } from '#web/moderation/failures/FailureList.tsx'
import { MAIL_STATE_WORDS } from '#web/moderation/failures/mail-words.ts'
import { MailTable } from '#web/moderation/failures/MailTable.tsx'

interface UnsentMailsProps {
  readonly mails: readonly OutboxMail[]
  /** Of all of them. */
  readonly state: Extract<MailState, 'failed' | 'waiting'>
}

/** Mails that could not be delivered, or not yet: each can be sent now or given up. */
export function UnsentMails({ mails, state }: UnsentMailsProps) {
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
        <MailTable
          label={t(MAIL_STATE_WORDS[state].name)}
          mails={mails}
          state={state}
          selection={selection}
        />
      )}
    </FailureList>
  )
}
