import { memo } from 'react'
import type { Comment } from '#contract/comments.ts'
import { EditStep } from '#web/items/comments/EditStep.tsx'
import { useText } from '#web/core/i18n.tsx'
import { PersonName } from '#web/core/PersonName.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { TimedText } from '#web/core/video-times/TimedText.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Face } from '#web/ui/Face.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Comments.module.css'

interface CommentLineProps {
  readonly comment: Comment
  /** Arrived while the page was open. */
  readonly fresh: boolean
  /** Null where the viewer can't delete it. */
  readonly onDelete: ((comment: Comment) => void) | null
  /** Null where it can't be answered. */
  readonly onReply: ((comment: Comment) => void) | null
  /** Null for everybody but its author. */
  readonly onEdit: ((comment: Comment) => void) | null
  /** Null where the viewer can't report it. */
  readonly onReport: ((comment: Comment) => void) | null
}

/** Memoized, because a list may hold thousands of comments. */
export const CommentLine = memo(DrawnLine)

function DrawnLine(props: CommentLineProps) {
  const { comment, fresh, onDelete, onReply, onEdit, onReport } = props
  const { t } = useText()
  const { id, userName, profilePicture, text, date, byAuthor, edited } = comment
  return (
    <article
      className={classes(styles.say, fresh && styles.fresh)}
      id={`comment-${id}`}
      tabIndex={-1}
    >
      <Face src={profilePicture} />
      <header>
        <PersonName name={userName} />
        {byAuthor && (
          <span className={classes('small', styles.byAuthor)}>{t('commentByAuthor')}</span>
        )}
        <span className="quiet small">
          <Time date={date} form="ago" />
          {edited !== null && <span> · {t('commentEdited')}</span>}
        </span>
        {onReport !== null && (
          <IconButton
            icon="flag"
            label={t('report')}
            aria-haspopup="dialog"
            aria-describedby={`comment-${id}`}
            onClick={() => onReport(comment)}
          />
        )}
      </header>
      <p lang={textLanguage(text)} dir="auto">
        <TimedText text={text} />
      </p>
      {(onDelete ?? onReply ?? onEdit) !== null && (
        <div className={classes('acts', styles.acts)}>
          {onReply !== null && (
            <Button
              kind="bare"
              icon="talk"
              className="small"
              aria-describedby={`comment-${id}`}
              onClick={() => onReply(comment)}
            >
              {t('commentReply')}
            </Button>
          )}
          {onEdit !== null && <EditStep comment={comment} onEdit={onEdit} />}
          {onDelete !== null && (
            <Button
              kind="bare"
              icon="bin"
              className="small"
              aria-haspopup="dialog"
              aria-describedby={`comment-${id}`}
              onClick={() => onDelete(comment)}
            >
              {t('delete')}
            </Button>
          )}
        </div>
      )}
    </article>
  )
}
