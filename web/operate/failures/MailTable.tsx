import { mail as calls, type MailState, type OutboxMail } from '#contract/mail.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { DeskTable } from '#web/operate/desk/DeskTable.tsx'
import { type Selection, useSelection } from '#web/operate/desk/selection.ts'
import { FailureList } from '#web/operate/failures/FailureList.tsx'
import { MAIL_KINDS, MAIL_STATE_WORDS } from '#web/operate/failures/mail-words.ts'

interface MailTableProps {
  readonly mails: readonly OutboxMail[]
  /** The state that all these mails have. */
  readonly state: MailState
  /** Only if the mails can be retried or dropped. */
  readonly selection?: Selection | undefined
}

export function MailTable({ mails, state, selection }: MailTableProps) {
  const { t } = useText()
  return (
    <DeskTable
      label={t(MAIL_STATE_WORDS[state].name)}
      rows={mails}
      keyOf={({ id }) => id}
      selection={selection}
      tickOf={({ subject, address }) => t('mailsSelect', { subject, address })}
      columns={[
        {
          name: t('mailsSubject'),
          kind: 'what',
          cell: ({ subject, lastError }) => (
            <>
              <span lang={textLanguage(subject)} dir="auto">
                {subject}
              </span>
              {lastError !== null && (
                <p className="quiet small" lang="en">
                  {lastError}
                </p>
              )}
            </>
          ),
        },
        { name: t('mailsTo'), cell: ({ address }) => address },
        {
          name: t('mailsKind'),
          kind: 'number',
          cell: ({ kind }) => {
            const key = MAIL_KINDS[kind]
            return key === undefined ? kind : t(key)
          },
        },
        {
          name: t('mailsWritten'),
          kind: 'time',
          cell: ({ date }) => <Time date={date} form="moment" />,
        },
        (state === 'failed' || state === 'waiting') && {
          name: t('mailsTries'),
          kind: 'number',
          cell: ({ attempts }) => (
            <span className="num">{t('mailsTriesOf', { count: attempts })}</span>
          ),
        },
        state === 'sent' && {
          name: t('mailsSentAt'),
          kind: 'time',
          cell: ({ sent }) => sent !== null && <Time date={sent} form="moment" />,
        },
      ]}
    />
  )
}

export function UnsentMails({ mails, state }: Pick<MailTableProps, 'mails' | 'state'>) {
  const { t } = useText()
  const selection = useSelection(mails)
  return (
    <FailureList
      selection={selection}
      retry={{
        call: calls.resend,
        label: t('mailsRetry'),
        done: (count) => t('mailsRetried', { count }),
      }}
      drop={{
        call: calls.dropMails,
        label: t('mailsDrop'),
        done: (count) => t('mailsDropped', { count }),
      }}
      question={{ title: (count) => t('mailsDropTitle', { count }), text: t('mailsDropWhat') }}
    >
      <MailTable mails={mails} state={state} selection={selection} />
    </FailureList>
  )
}
