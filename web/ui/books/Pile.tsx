import type { ReactNode } from 'react'
import styles from './Pile.module.css'

interface PileProps {
  readonly label?: string | undefined
  readonly children: ReactNode
}

/** The lessons of a course, lying on each other in their order. */
export function Pile({ label, children }: PileProps) {
  return (
    <ol className={styles.pile} aria-label={label}>
      {children}
    </ol>
  )
}
