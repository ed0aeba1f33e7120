import type { ModeratedComment } from '#contract/comments.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useNameOf } from '#web/core/PersonName.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { DeskPerson } from '#web/moderation/desk/DeskPerson.tsx'
import { DeskCell, DeskRow } from '#web/moderation/desk/DeskTable.tsx'
import { Gone, Marked, Reasons } from '#web/moderation/comments/Judged.tsx'
import { OpinionChip } from '#web/moderation/comments/OpinionChip.tsx'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import styles from '#web/moderation/desk/Desk.module.css'

interface CommentRowProps {
  readonly comment: ModeratedComment
  readonly selected: boolean
  readonly busy: boolean
  /** When the page's data was fetched, in milliseconds. */
  readonly now: number
  readonly onSelect: (id: number, selected: boolean) => void
  /** Deletes it, or brings it back when it is deleted. */
  readonly onAct: (id: number) => void
  readonly onJudge: (id: number) => void
}

/** A comment on the desk: what was said, by whom, what the machine thinks of it, and what one can do. */
export function CommentRow(props: CommentRowProps) {
  const { comment, selected, busy, now, onSelect, onAct, onJudge } = props
  const { t } = useText()
  const { id, user, userName, profilePicture, lessonId, lessonTitle, deleted } = comment
  const username = useNameOf()(userName)
  return (
    // By key one steps from row to row.
    <DeskRow tabIndex={-1} data-row={id}>
      <DeskCell kind="tick">
        <Checkbox bare checked={selected} onChange={(event) => onSelect(id, event.target.checked)}>
          {t('deskSelect', { username })}
        </Checkbox>
      </DeskCell>
      <DeskCell kind="what">
        <details className={classes(comment.prediction === 'TOXIC' && styles.toxic)}>
          <summary lang={textLanguage(comment.text)} dir="auto">
            <Marked text={comment.text} why={comment.why} />
          </summary>
          <Reasons judged={comment}>
            {deleted === null && (
              <Button
                kind="bare"
                className="small"
                icon="retry"
                busy={busy}
                onClick={() => onJudge(id)}
              >
                {t('judgeAgain')}
              </Button>
            )}
          </Reasons>
        </details>
      </DeskCell>
      <DeskCell>
        <DeskPerson
          person={{ id: user, userName, imageUrl: profilePicture }}
          suspended={comment.suspended}
        />
      </DeskCell>
      <DeskCell>
        <OpinionChip judged={comment} />
      </DeskCell>
      <DeskCell>
        <Link to={to.lesson(lessonId)} lang={textLanguage(lessonTitle)} dir="auto">
          {lessonTitle}
        </Link>
      </DeskCell>
      <DeskCell>
        {deleted === null ? (
          <Time date={comment.date} form="moment" />
        ) : (
          <Gone deleted={deleted} now={now} />
        )}
      </DeskCell>
      <DeskCell kind="icon">
        <IconButton
          icon={deleted === null ? 'bin' : 'undo'}
          label={t(deleted === null ? 'deskDelete' : 'deskRestore', { username })}
          disabled={busy}
          onClick={() => onAct(id)}
        />
      </DeskCell>
    </DeskRow>
  )
}
