import { useText } from '#web/core/i18n.tsx'
import type { ModeratedComment } from '#contract/comments.ts'
import type { CommentDesk } from '#web/moderation/comments/comment-desk.ts'
import { CommentRow } from '#web/moderation/comments/CommentRow.tsx'
import { DeskColumn, DeskTable } from '#web/moderation/desk/DeskTable.tsx'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/moderation/desk/Desk.module.css'

interface CommentTableProps {
  readonly list: readonly ModeratedComment[]
  readonly desk: CommentDesk
  /** Those that were deleted. */
  readonly deleted: boolean
  /** When the page's data was fetched, in milliseconds. */
  readonly now: number
}

/** A page of comments, newest first. */
export function CommentTable({ list, desk, deleted, now }: CommentTableProps) {
  const { t } = useText()
  const { selected, busy } = desk
  const isAll = list.length > 0 && selected.size === list.length
  return (
    <DeskTable
      label={t('deskComments')}
      head={
        <>
          <DeskColumn kind="tick">
            <Checkbox
              bare
              checked={isAll}
              ref={(box) => {
                if (box !== null) box.indeterminate = selected.size > 0 && !isAll
              }}
              onChange={(event) => desk.selectAll(event.target.checked)}
            >
              {t('deskSelectAll')}
            </Checkbox>
          </DeskColumn>
          <DeskColumn kind="what">{t('deskComment')}</DeskColumn>
          <DeskColumn kind="person">{t('deskPerson')}</DeskColumn>
          <DeskColumn kind="opinion">{t('deskOpinion')}</DeskColumn>
          <DeskColumn kind="item">{t('deskLesson')}</DeskColumn>
          <DeskColumn kind="time">
            <span className={styles.sorted}>
              {t(deleted ? 'deskDeleted' : 'deskWritten')}
              <Icon name="sort" />
            </span>
          </DeskColumn>
          <DeskColumn kind="icon">
            <span className="sr">{t('deskActs')}</span>
          </DeskColumn>
        </>
      }
    >
      {list.map((comment) => (
        <CommentRow
          key={comment.id}
          comment={comment}
          selected={selected.has(comment.id)}
          busy={busy}
          now={now}
          onSelect={desk.select}
          onAct={(id) => void desk.act([id])}
          onJudge={(id) => void desk.judge(id)}
        />
      ))}
    </DeskTable>
  )
}
