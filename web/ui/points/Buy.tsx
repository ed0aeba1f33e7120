import type { ReactNode } from 'react'
import styles from './Buy.module.css'

interface BuyProps {
  readonly label: string
  readonly children: ReactNode
}

export function Buy({ label, children }: BuyProps) {
  return (
    <section data-buy className={styles.buy} aria-label={label}>
      {children}
    </section>
  )
}
