import { useState } from 'react'
import { isFormerMember } from '#contract/former-member.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { Action, LogEntry } from '#contract/moderation.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { isSettingName, labelOf } from '#contract/settings.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { useReload } from '#web/core/page.ts'
import { useNameOf } from '#web/core/PersonName.tsx'
import { to } from '#web/core/paths.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { toast } from '#web/core/toast.ts'
import { SuspendButton } from '#web/items/flags/SuspendButton.tsx'
import { useJobWord } from '#web/operate/failures/job-words.ts'
import { UndoCorrectionButton } from '#web/operate/moderation/UndoCorrectionButton.tsx'
import { DESK_WORDS, restoreAtDesk } from '#web/operate/desk/undo.ts'
import { Button } from '#web/ui/Button.tsx'
import { Face } from '#web/ui/Face.tsx'
import styles from '#web/operate/desk/Desk.module.css'

/** Each message has the placeholders `actor`, `person`, `subject` and `setting`. */
const SENTENCES: Readonly<Record<Action, MessageKey>> = {
  commentDeleted: 'logCommentDeleted',
  commentRestored: 'logCommentRestored',
  ratingDeleted: 'logRatingDeleted',
  ratingRestored: 'logRatingRestored',
  ratingAnswerDeleted: 'logRatingAnswerDeleted',
  lessonEdited: 'logLessonEdited',
  lessonDeleted: 'logLessonDeleted',
  courseEdited: 'logCourseEdited',
  courseDeleted: 'logCourseDeleted',
  suspended: 'logSuspended',
  unsuspended: 'logUnsuspended',
  signedOut: 'logSignedOut',
  aboutDeleted: 'logAboutDeleted',
  pointsCorrected: 'logPointsCorrected',
  correctionUndone: 'logCorrectionUndone',
  administratorMade: 'logAdministratorMade',
  administratorRemoved: 'logAdministratorRemoved',
  factorsReset: 'logFactorsReset',
  flagClosed: 'logFlagClosed',
  flagReopened: 'logFlagReopened',
  copyConfirmed: 'logCopyConfirmed',
  copyDenied: 'logCopyDenied',
  copyRemoved: 'logCopyRemoved',
  copyUndone: 'logCopyUndone',
  bugDone: 'logBugDone',
  bugReopened: 'logBugReopened',
  jobsRetried: 'logJobsRetried',
  jobsDropped: 'logJobsDropped',
  mailsRetried: 'logMailsRetried',
  mailsDropped: 'logMailsDropped',
  webhookCreated: 'logWebhookCreated',
  webhookEdited: 'logWebhookEdited',
  webhookRenewed: 'logWebhookRenewed',
  webhookDeleted: 'logWebhookDeleted',
  certificateRevoked: 'logCertificateRevoked',
  appealGranted: 'logAppealGranted',
  appealDeclined: 'logAppealDeclined',
  settingChanged: 'logSettingChanged',
  invitationCreated: 'logInvitationCreated',
  invitationWithdrawn: 'logInvitationWithdrawn',
}

interface LogEntryProps {
  readonly entry: LogEntry
}

export function LogSentence({ entry }: LogEntryProps) {
  const { t, formatNumber } = useText()
  const formatSigned = (amount: number) =>
    `${amount < 0 ? '−' : '+'}${formatNumber(Math.abs(amount))}`
  const { actor, action, person } = entry
  const subjectId = entry.subjectId ?? ''
  const word = useJobWord()
  const subject = entry.subject ?? ''
  const written = () => {
    if (action === 'jobsRetried' || action === 'jobsDropped')
      return subject.split(', ').map(word).join(', ')
    if (action === 'pointsCorrected' || action === 'correctionUndone')
      return formatSigned(Number(subject))
    return subject
  }
  const nameOf = useNameOf()
  return (
    <span className={styles.act}>
      <Face src={actor.imageUrl} />
      <span>
        <Rich
          id={SENTENCES[action]}
          values={{
            actor: nameOf(actor.userName),
            person: person === null ? t('logSomebody') : nameOf(person.userName),
            subject: written(),
            setting: isSettingName(subjectId) ? t(...labelOf(subjectId)) : subjectId,
          }}
          components={{
            who: <PersonLink person={actor} />,
            whom: <PersonLink person={person} />,
            it: <Subject entry={entry} />,
          }}
        />
      </span>
    </span>
  )
}

export function LogUndo({ entry }: LogEntryProps) {
  const { action, person } = entry
  if (action === 'commentDeleted' || action === 'ratingDeleted') return <BringBack entry={entry} />
  if (action === 'suspended' && hasProfile(person))
    return <SuspendButton person={person} suspended />
  if (action === 'pointsCorrected' && hasProfile(person))
    return <UndoCorrectionButton person={person} entry={Number(entry.subjectId)} />
  return null
}

const hasProfile = (person: ProfileCard | null): person is ProfileCard =>
  person !== null && !isFormerMember(person.userName)

interface PersonLinkProps {
  readonly person: ProfileCard | null
  /** The name, which the message puts in. */
  readonly children?: string
}

/** Links to the profile unless the account was erased. */
function PersonLink({ person, children }: PersonLinkProps) {
  return hasProfile(person) ? <Link to={to.profile(person.id)}>{children}</Link> : <b>{children}</b>
}

interface SubjectProps {
  readonly entry: LogEntry
  /** The text, which the message puts in. */
  readonly children?: string
}

/** Links to the subject if it still has a page. */
function Subject({ entry, children }: SubjectProps) {
  const { action, subjectId, subject } = entry
  const lang = textLanguage(subject ?? '')
  const id = Number(subjectId)
  if (action === 'lessonEdited' || action === 'courseEdited') {
    return (
      <Link to={action === 'lessonEdited' ? to.lesson(id) : to.course(id)} lang={lang} dir="auto">
        {children}
      </Link>
    )
  }
  return (
    <q lang={lang} dir="auto">
      {children}
    </q>
  )
}

function BringBack({ entry: { action, subjectId, person } }: LogEntryProps) {
  const { t } = useText()
  const reload = useReload()
  const [busy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    const kind = action === 'ratingDeleted' ? 'rating' : 'comment'
    const { back, why } = await restoreAtDesk(kind, [Number(subjectId)], t)
    if (back > 0) toast(t(DESK_WORDS[kind].restored, { count: back }))
    else toast(why === '' ? t('somethingWrong') : why, 'failed')
    await reload()
    setBusy(false)
  }
  return (
    <Button
      icon="undo"
      busy={busy}
      aria-label={t('deskRestore', { username: person?.userName ?? t('logSomebody') })}
      onClick={() => void restore()}
    >
      {t('deskRestoreOne')}
    </Button>
  )
}
