import { useText } from '#web/core/i18n.tsx'
import { Points } from '#web/ui/points/Points.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './TornBand.module.css'
import bookStyles from '#web/ui/books/Book.module.css'

const HALVES = [
  ['left', styles.left],
  ['right', styles.right],
] as const

/** The band of a book that was unlocked this moment: it tears and slides off, once. Decoration. */
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
