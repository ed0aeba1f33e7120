import type { ReactNode } from 'react'
import type { Comment } from '#contract/comments.ts'
import type { Thread } from '#web/items/comments/threads.ts'
import { useText } from '#web/core/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './ComposeForm.module.css'
import commentsStyles from './Comments.module.css'

interface ThreadViewProps {
  readonly thread: Thread
  readonly line: (comment: Comment) => ReactNode
  /** The form for an answer to this thread; null while none is written. */
  readonly form: ReactNode
}

export function ThreadView({ thread: { root, answers }, line, form }: ThreadViewProps) {
  const { t } = useText()
  return (
    <div data-thread>
      {root === null || root === undefined ? (
        <p className={classes('quiet', commentsStyles.sayGone)}>
          {t(root === null ? 'commentGone' : 'commentEarlier')}
        </p>
      ) : (
        line(root)
      )}
      {(answers.length > 0 || form !== null) && (
        <div
          data-answers
          className={classes(commentsStyles.answers, styles.answers)}
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
