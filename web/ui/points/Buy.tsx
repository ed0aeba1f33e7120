import type { ReactNode } from 'react'
import styles from './Buy.module.css'

interface BuyProps {
  readonly label: string
  /** A Breakdown, one button, one line of help. */
  readonly children: ReactNode
}

/** The panel that names a price. */
export function Buy({ label, children }: BuyProps) {
  return (
    <section data-buy className={styles.buy} aria-label={label}>
      {children}
    </section>
  )
}
