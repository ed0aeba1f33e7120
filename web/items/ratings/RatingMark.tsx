import { STARS } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'

export interface RatedItem {
  /** The average; null while there are too few ratings for one. */
  readonly rating: number | null
  readonly ratings: number
}

interface RatingMarkProps {
  readonly item: RatedItem
  /** Writes the number with its word, where there is room. */
  readonly roomy?: boolean | undefined
}

/** The average, such as "4.7 (12)"; renders nothing while there are too few ratings. */
export function RatingMark({ item: { rating, ratings }, roomy }: RatingMarkProps) {
  const { t, formatNumber, formatCompact } = useText()
  if (rating === null) return null
  const whole = t('ratingWhole', { average: rating, count: ratings, max: STARS.max })
  return (
    <span title={whole}>
      <Icon name="star" filled />
      <span aria-hidden="true">
        {formatNumber(rating)} (
        {roomy ? t('ratingsCount', { count: ratings }) : formatCompact(ratings)})
      </span>
      <span className="sr">{whole}</span>
    </span>
  )
}
