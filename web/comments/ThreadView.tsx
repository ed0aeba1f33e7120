import type { ReactNode } from 'react'
import type { Comment } from '#contract/comments.ts'
import type { Thread } from '#web/comments/threads.ts'
import { useText } from '#web/core/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './ComposeForm.module.css'

interface ThreadViewProps {
  readonly thread: Thread
  readonly line: (comment: Comment) => ReactNode
  /** The form for an answer, while one is written. */
  readonly form: ReactNode
}

/** A comment with its answers below it. */
export function ThreadView({ thread: { root, answers }, line, form }: ThreadViewProps) {
  const { t } = useText()
  return (
    <div className="thread">
      {root === null || root === undefined ? (
        <p className="say-gone quiet">{t(root === null ? 'commentGone' : 'commentEarlier')}</p>
      ) : (
        line(root)
      )}
      {(answers.length > 0 || form !== null) && (
        <div
          className={classes('answers', styles.answers)}
          role="group"
          aria-label={t('commentAnswers')}
        >
          {answers.map(line)}
          {form}
        </div>
      )}
    </div>
  )
}
