import type { ReactNode } from 'react'
import styles from '#web/ui/styles/Pager.module.css'

interface PagerProps {
  readonly label: string
  /** Links, the current one with aria-current="page"; a <span> for the gap. */
  readonly children: ReactNode
}

/** The row of page numbers under a list. */
export function Pager({ label, children }: PagerProps) {
  return (
    <nav className={styles.pager} aria-label={label}>
      {children}
    </nav>
  )
}
