import { type ReactNode, useId } from 'react'
import styles from '#web/ui/styles/Chip.module.css'

interface SegmentProps {
  readonly label: string
  readonly children: ReactNode
}

/** Chips in one row, of which one is selected. */
export function Segment({ label, children }: SegmentProps) {
  const id = useId()
  return (
    <div className={styles.seg} role="group" aria-labelledby={id}>
      <span className="small quiet" id={id}>
        {label}
      </span>
      <div>{children}</div>
    </div>
  )
}
