import { useText } from '#web/core/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'

/** What cards and details have of ratings. */
export interface RatedItem {
  /** The average; null: too few to form one of. */
  readonly rating: number | null
  readonly ratings: number
}

interface RatingMarkProps {
  readonly item: RatedItem
  /** With the number in words, where there is room. */
  readonly roomy?: boolean | undefined
}

/** What those who unlocked an item gave it, among its figures: "4.7 (12)", or that it is new. */
export function RatingMark({ item: { rating, ratings }, roomy }: RatingMarkProps) {
  const { t, formatNumber, formatCompact } = useText()
  const whole =
    rating === null ? t('ratingNewWhole') : t('ratingWhole', { average: rating, count: ratings })
  const short =
    rating === null
      ? t('ratingNew')
      : `${formatNumber(rating)} (${roomy ? t('ratingsCount', { count: ratings }) : formatCompact(ratings)})`
  return (
    <span title={whole}>
      <Icon name="star" filled={rating !== null} />
      <span aria-hidden="true">{short}</span>
      <span className="sr">{whole}</span>
    </span>
  )
}
