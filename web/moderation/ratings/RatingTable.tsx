import { useText } from '#web/core/i18n.tsx'
import type { ModeratedRating } from '#contract/ratings.ts'
import type { Desk } from '#web/moderation/desk/desk.ts'
import { DeskColumn, DeskTable } from '#web/moderation/desk/DeskTable.tsx'
import { RatingRow } from '#web/moderation/ratings/RatingRow.tsx'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/moderation/desk/Desk.module.css'

interface RatingTableProps {
  readonly list: readonly ModeratedRating[]
  readonly desk: Desk
  /** Those that were deleted. */
  readonly deleted: boolean
  /** When the page's data was fetched, in milliseconds. */
  readonly now: number
}

/** A page of ratings, newest first. */
export function RatingTable({ list, desk, deleted, now }: RatingTableProps) {
  const { t } = useText()
  const { selected, busy } = desk
  const isAll = list.length > 0 && selected.size === list.length
  return (
    <DeskTable
      label={t('ratings')}
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
          <DeskColumn kind="what">{t('rating')}</DeskColumn>
          <DeskColumn kind="person">{t('deskPerson')}</DeskColumn>
          <DeskColumn kind="opinion">{t('deskOpinion')}</DeskColumn>
          <DeskColumn kind="item">{t('deskRatingOf')}</DeskColumn>
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
      {list.map((rating) => (
        <RatingRow
          key={rating.id}
          rating={rating}
          selected={selected.has(rating.id)}
          busy={busy}
          now={now}
          onSelect={desk.select}
          onAct={(id) => void desk.act([id])}
        />
      ))}
    </DeskTable>
  )
}
