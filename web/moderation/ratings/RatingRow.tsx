import type { ModeratedRating } from '#contract/ratings.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useNameOf } from '#web/core/PersonName.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { Gone, Marked, Reasons } from '#web/moderation/comments/Judged.tsx'
import { OpinionChip } from '#web/moderation/comments/OpinionChip.tsx'
import { DeskPerson } from '#web/moderation/desk/DeskPerson.tsx'
import { DeskCell, DeskRow } from '#web/moderation/desk/DeskTable.tsx'
import { StarRow } from '#web/ratings/StarRow.tsx'
import { classes } from '#web/ui/classes.ts'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import styles from '#web/moderation/desk/Desk.module.css'

interface RatingRowProps {
  readonly rating: ModeratedRating
  readonly selected: boolean
  readonly busy: boolean
  /** When the page's data was fetched, in milliseconds. */
  readonly now: number
  readonly onSelect: (id: number, selected: boolean) => void
  /** Deletes it, or brings it back when it is deleted. */
  readonly onAct: (id: number) => void
}

/** A rating on the desk: stars and words, by whom, what the machine thinks of them, and what one can do. */
export function RatingRow({ rating, selected, busy, now, onSelect, onAct }: RatingRowProps) {
  const { t } = useText()
  const { id, stars, user, userName, imageUrl, kind, itemId, title, deleted } = rating
  const username = useNameOf()(userName)
  return (
    // By key one steps from row to row.
    <DeskRow tabIndex={-1} data-row={id}>
      <DeskCell kind="tick">
        <Checkbox bare checked={selected} onChange={(event) => onSelect(id, event.target.checked)}>
          {t('deskRatingSelect', { username })}
        </Checkbox>
      </DeskCell>
      <DeskCell kind="what">
        <StarRow stars={stars} />
        <Words rating={rating} />
      </DeskCell>
      <DeskCell>
        <DeskPerson person={{ id: user, userName, imageUrl }} suspended={rating.suspended} />
      </DeskCell>
      <DeskCell>
        {/* Stars alone are judged by nobody. */}
        {rating.text !== undefined && <OpinionChip judged={rating} />}
      </DeskCell>
      <DeskCell>
        <Link
          to={kind === 'lesson' ? to.lesson(itemId) : to.course(itemId)}
          lang={textLanguage(title)}
          dir="auto"
        >
          {title}
        </Link>
      </DeskCell>
      <DeskCell>
        {deleted === null ? (
          <Time date={rating.date} form="moment" />
        ) : (
          <Gone deleted={deleted} now={now} />
        )}
      </DeskCell>
      <DeskCell kind="icon">
        <IconButton
          icon={deleted === null ? 'bin' : 'undo'}
          label={t(deleted === null ? 'deskRatingDelete' : 'deskRatingRestore', { username })}
          disabled={busy}
          onClick={() => onAct(id)}
        />
      </DeskCell>
    </DeskRow>
  )
}

/** What was said, with what the opinion rests on and what the author answered. */
function Words({ rating }: Pick<RatingRowProps, 'rating'>) {
  const { t } = useText()
  const { text, why, answer } = rating
  if (text === undefined) return null
  return (
    <details className={classes(rating.prediction === 'TOXIC' && styles.toxic)}>
      <summary lang={textLanguage(text)} dir="auto">
        <Marked text={text} why={why} />
      </summary>
      <Reasons judged={rating} />
      {answer !== undefined && (
        <p>
          <b>{t('ratingAuthorSays')}</b>{' '}
          <span lang={textLanguage(answer.text)} dir="auto">
            {answer.text}
          </span>
        </p>
      )}
    </details>
  )
}
