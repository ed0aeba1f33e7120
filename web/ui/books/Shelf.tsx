import type { ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'

interface ShelfProps {
  readonly label: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** Spines side by side; scrolls sideways where they don't fit. */
export function Shelf({ label, className, children }: ShelfProps) {
  return (
    <nav className={classes('shelf', className)} aria-label={label}>
      {children}
    </nav>
  )
}
