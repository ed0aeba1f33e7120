import type { ReactNode } from 'react'
import styles from './Pile.module.css'

interface PileProps {
  readonly label?: string | undefined
  readonly children: ReactNode
}

export function Pile({ label, children }: PileProps) {
  return (
    <ol className={styles.pile} aria-label={label}>
      {children}
    </ol>
  )
}
