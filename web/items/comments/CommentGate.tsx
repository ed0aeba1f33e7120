import type { ReactNode } from 'react'
import { isFormerMember } from '#contract/former-member.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { useHere } from '#web/core/here.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { classes } from '#web/ui/classes.ts'
import styles from './Comments.module.css'
import noteStyles from '#web/ui/styles/Note.module.css'

interface CommentGateProps {
  readonly lesson: OpenLesson
  readonly unlock?: ReactNode
}

/** Stands in place of the form and says why the viewer can't comment and what to do about it. */
export function CommentGate({ lesson, unlock }: CommentGateProps) {
  const { t } = useText()
  const person = useSession()
  const here = useHere()
  if (person === null) {
    return (
      <p className={noteStyles.gate}>
        <Rich
          id="commentsGuest"
          components={{
            login: <Link to={to.login(here)} />,
            register: <Link to={to.register(here)} />,
          }}
        />
      </p>
    )
  }
  if (isFormerMember(lesson.ownerName))
    return <p className={noteStyles.gate}>{t('commentsClosed')}</p>
  if (!lesson.can.buy) return <p className={noteStyles.gate}>{t('suspended')}</p>
  return (
    <div className={classes(noteStyles.gate, styles.unlock)}>
      <p>{t('commentsUnlock')}</p>
      {unlock}
    </div>
  )
}
