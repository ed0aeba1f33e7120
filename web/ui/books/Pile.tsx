import type { ReactNode } from 'react'

interface PileProps {
  readonly label?: string | undefined
  readonly children: ReactNode
}

/** The lessons of a course, lying on each other in their order. */
export function Pile({ label, children }: PileProps) {
  return (
    <ol className="pile" aria-label={label}>
      {children}
    </ol>
  )
}
