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

/** The average among an item's figures: "4.7 (12)"; nothing as long as there are too few ratings. */
export function RatingMark({ item: { rating, ratings }, roomy }: RatingMarkProps) {
  const { t, formatNumber, formatCompact } = useText()
  if (rating === null) return null
  const whole = t('ratingWhole', { average: rating, count: ratings })
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
