import type { ReactNode } from 'react'
import styles from '#web/ui/styles/Pager.module.css'

interface PagerProps {
  readonly label: string
  /** Links. The current one has aria-current="page". */
  readonly children: ReactNode
}

export function Pager({ label, children }: PagerProps) {
  return (
    <nav className={styles.pager} aria-label={label}>
      {children}
    </nav>
  )
}
