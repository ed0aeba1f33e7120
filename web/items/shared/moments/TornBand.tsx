import { useText } from '#web/core/i18n.tsx'
import { Points } from '#web/ui/points/Points.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './TornBand.module.css'
import bookStyles from '#web/ui/books/Book.module.css'

const HALVES = [
  ['left', styles.left],
  ['right', styles.right],
] as const

/** A decorative animation: the price band of an item that was unlocked just now tears and slides off. */
export function TornBand({ price }: { readonly price: number }) {
  const { t, formatNumber } = useText()
  return HALVES.map(([half, look]) => (
    <span
      key={half}
      data-half={half}
      className={classes(bookStyles.band, styles.torn, look)}
      aria-hidden="true"
    >
      <Points amount={formatNumber(price)} unit={t('kbPoints')} dark />
    </span>
  ))
}
