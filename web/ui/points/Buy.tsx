import type { ReactNode } from 'react'

interface BuyProps {
  readonly label: string
  /** A Breakdown, one button, one line of help. */
  readonly children: ReactNode
}

/** The panel that names a price. */
export function Buy({ label, children }: BuyProps) {
  return (
    <section className="buy" aria-label={label}>
      {children}
    </section>
  )
}
