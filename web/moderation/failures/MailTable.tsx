import type { MailState, OutboxMail } from '#contract/mail.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { DeskCell, DeskColumn, DeskRow, DeskTable } from '#web/moderation/desk/DeskTable.tsx'
import { MAIL_KINDS } from '#web/moderation/failures/mail-words.ts'
import { SelectAll, type Selection, SelectOne } from '#web/moderation/failures/SelectColumn.tsx'

interface MailTableProps {
  readonly label: string
  readonly mails: readonly OutboxMail[]
  /** Of all of them. */
  readonly state: MailState
  /** Only where something can be done with them. */
  readonly selection?: Selection | undefined
}

/** Mails of one state, without their texts. */
export function MailTable({ label, mails, state, selection }: MailTableProps) {
  const { t } = useText()
  const tried = state === 'failed' || state === 'waiting'
  return (
    <DeskTable
      label={label}
      head={
        <>
          {selection && <SelectAll selection={selection} items={mails} />}
          <DeskColumn kind="what">{t('mailsSubject')}</DeskColumn>
          <DeskColumn>{t('mailsTo')}</DeskColumn>
          <DeskColumn kind="number">{t('mailsKind')}</DeskColumn>
          <DeskColumn kind="time">{t('mailsWritten')}</DeskColumn>
          {tried && <DeskColumn kind="number">{t('mailsTries')}</DeskColumn>}
          {state === 'sent' && <DeskColumn kind="time">{t('mailsSentAt')}</DeskColumn>}
        </>
      }
    >
      {mails.map((mail) => (
        <MailRow key={mail.id} mail={mail} tried={tried} selection={selection} />
      ))}
    </DeskTable>
  )
}

interface MailRowProps extends Pick<MailTableProps, 'selection'> {
  readonly mail: OutboxMail
  readonly tried: boolean
}

function MailRow({ mail, tried, selection }: MailRowProps) {
  const { t } = useText()
  const { id, kind, address, subject, date, attempts, lastError, sent } = mail
  const kindKey = MAIL_KINDS[kind]
  return (
    <DeskRow>
      {selection && (
        <SelectOne selection={selection} id={id} label={t('mailsSelect', { subject, address })} />
      )}
      <DeskCell kind="what">
        <span lang={textLanguage(subject)} dir="auto">
          {subject}
        </span>
        {lastError !== null && (
          <p className="quiet small" lang="en">
            {lastError}
          </p>
        )}
      </DeskCell>
      <DeskCell>{address}</DeskCell>
      <DeskCell>{kindKey === undefined ? kind : t(kindKey)}</DeskCell>
      <DeskCell>
        <Time date={date} form="moment" />
      </DeskCell>
      {tried && (
        <DeskCell>
          <span className="num">{t('mailsTriesOf', { count: attempts })}</span>
        </DeskCell>
      )}
      {sent !== null && (
        <DeskCell>
          <Time date={sent} form="moment" />
        </DeskCell>
      )}
    </DeskRow>
  )
}
