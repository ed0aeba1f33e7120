import type { ReactNode } from 'react'

interface ShelfProps {
  readonly label: string
  readonly children: ReactNode
}

/** Spines side by side; scrolls sideways where they don't fit. */
export function Shelf({ label, children }: ShelfProps) {
  return (
    <nav className="shelf" aria-label={label}>
      {children}
    </nav>
  )
}
