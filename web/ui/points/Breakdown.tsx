import type { ReactNode } from 'react'
import styles from './Breakdown.module.css'

interface BreakdownProps {
  /** In a dialog, the last line is the total. */
  readonly lines: readonly { readonly name: string; readonly sum: ReactNode }[]
}

export function Breakdown({ lines }: BreakdownProps) {
  return (
    <dl className={styles.breakdown}>
      {lines.map(({ name, sum }) => (
        <div key={name}>
          <dt>{name}</dt> <dd>{sum}</dd>{' '}
        </div>
      ))}
    </dl>
  )
}
