import { STARS } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './Ratings.module.css'

export const STAR_NUMBERS = Array.from(
  { length: STARS.max - STARS.min + 1 },
  (_, place) => place + STARS.min,
)

/** Shows an average rounded to half a star, with the number for screen readers. */
export function StarRow({ stars }: { readonly stars: number }) {
  const { t } = useText()
  const halves = Math.round(stars * 2)
  return (
    <span className={styles.stars} role="img" aria-label={t('starsOf', { stars, max: STARS.max })}>
      {STAR_NUMBERS.map((star) => (
        <Icon
          key={star}
          name={halves === star * 2 - 1 ? 'star-half' : 'star'}
          filled={star * 2 <= halves}
        />
      ))}
    </span>
  )
}
