import { type ReactNode, useId } from 'react'

interface SegmentProps {
  readonly label: string
  /** Chips. */
  readonly children: ReactNode
}

/** Chips joined to one row: one of them holds. */
export function Segment({ label, children }: SegmentProps) {
  const id = useId()
  return (
    <div className="seg" role="group" aria-labelledby={id}>
      <span className="small quiet" id={id}>
        {label}
      </span>
      <div>{children}</div>
    </div>
  )
}
