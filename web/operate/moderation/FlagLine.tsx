import { type ReactNode, useState } from 'react'
import { flags, type Flag } from '#contract/flags.ts'
import { isFormerMember } from '#contract/former-member.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useReload } from '#web/core/page.ts'
import { useNameOf } from '#web/core/PersonName.tsx'
import { Quoted } from '#web/core/Quoted.tsx'
import { Time } from '#web/core/time/Time.tsx'
import { toast } from '#web/core/toast.ts'
import { SuspendButton } from '#web/items/flags/SuspendButton.tsx'
import { DeskPerson } from '#web/operate/desk/DeskPerson.tsx'
import { CopyActs } from '#web/operate/moderation/CopyActs.tsx'
import { CopyComparison } from '#web/operate/moderation/CopyComparison.tsx'
import { FlagSubject } from '#web/operate/moderation/FlagSubject.tsx'
import { deleteAtDesk } from '#web/operate/desk/undo.ts'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/operate/desk/Desk.module.css'

const KINDS: Readonly<Record<Flag['kind'], MessageKey>> = {
  lesson: 'flagOfLesson',
  course: 'flagOfCourse',
  comment: 'flagOfComment',
  rating: 'flagOfRating',
  message: 'flagOfMessage',
  profile: 'flagOfProfile',
}

type OlderLesson = NonNullable<Flag['original']>

interface FlagLineProps {
  readonly flag: Flag
  /** Called with the updated report. */
  readonly onChange: (flag: Flag) => void
}

export function FlagLine({ flag, onChange }: FlagLineProps) {
  const { t } = useText()
  const { id, reporter, closed, others, subject, original, outcome } = flag
  const nameOf = useNameOf()
  const { isBusy, attempt } = useSteps()
  const settle = () =>
    attempt(async () => {
      const changed = await api(flags.close, { id, closed: closed === null })
      onChange(changed)
      toast(t(changed.closed === null ? 'flagOpened' : 'flagClosed'))
    })
  return (
    <li>
      <article
        className={closed === null ? styles.flag : classes(styles.flag, styles.done)}
        aria-labelledby={`flag-${id}`}
      >
        <div className={styles.says}>
          <h2 id={`flag-${id}`}>{t(original === null ? KINDS[flag.kind] : 'flagOfCopy')}</h2>
          <Quoted text={flag.text} />
          <div className="row small">
            <DeskPerson person={reporter} />
            <span className="quiet">
              <Time date={flag.date} form="moment" />
            </span>
            {others > 0 && <span className="quiet">{t('flagOthers', { count: others })}</span>}
          </div>
          {original !== null && <OriginalLine original={original} />}
        </div>
        <FlagSubject flag={flag} />
        {original !== null && <CopyComparison id={id} />}
        <div className={classes('acts', styles.acts)}>
          {original !== null && (
            <CopyActs flag={flag} isBusy={isBusy} attempt={attempt} onChange={onChange} />
          )}
          {outcome === null && (
            <Button
              icon={closed === null ? 'check' : 'undo'}
              busy={isBusy}
              aria-describedby={`flag-${id}`}
              onClick={() => void settle()}
            >
              {t(closed === null ? 'flagClose' : 'flagOpenAgain')}
            </Button>
          )}
          <DeleteAct flag={flag} />
          {subject.person !== null && !isFormerMember(subject.person.userName) && (
            <SuspendButton person={subject.person} suspended={subject.suspended} />
          )}
          {closed !== null && (
            <span className="quiet small">
              {t('flagClosedBy', { username: nameOf(closed.userName) })}{' '}
              <Time date={closed.date} form="moment" />
            </span>
          )}
        </div>
      </article>
    </li>
  )
}

function OriginalLine({ original: { id, title } }: { readonly original: OlderLesson }) {
  const { t } = useText()
  if (title === null) return <p className="quiet">{t('flagOriginalGone')}</p>
  return (
    <p>
      <Rich
        id="flagOriginal"
        values={{ title }}
        components={{ item: <Link to={to.lesson(id)} dir="auto" /> }}
      />
    </p>
  )
}

/** Only comments and ratings can be deleted here. UndoLine offers to undo it. */
function DeleteAct({
  flag: { id, kind, subjectId, subject },
}: Pick<FlagLineProps, 'flag'>): ReactNode {
  const { t } = useText()
  const reload = useReload()
  const { isBusy, attempt } = useSteps()
  if ((kind !== 'comment' && kind !== 'rating') || subject.gone) return null
  return (
    <Button
      kind="risk"
      icon="bin"
      busy={isBusy}
      aria-describedby={`flag-${id}`}
      onClick={() =>
        void attempt(async () => {
          await deleteAtDesk(kind, [Number(subjectId)])
          await reload()
        })
      }
    >
      {t(kind === 'comment' ? 'deleteComment' : 'deleteRating')}
    </Button>
  )
}

/** Runs one step at a time and shows failures in a toast. */
function useSteps() {
  const { t } = useText()
  const [isBusy, setBusy] = useState(false)
  const attempt = async (step: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    try {
      await step()
    } catch (error) {
      toast(error instanceof ApiError ? error.message : t('somethingWrong'), 'failed')
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, attempt }
}
