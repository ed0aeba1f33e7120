import type { ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from './Shelf.module.css'

interface ShelfProps {
  readonly label: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

export function Shelf({ label, className, children }: ShelfProps) {
  return (
    <nav data-shelf className={classes(styles.shelf, className)} aria-label={label}>
      {children}
    </nav>
  )
}
