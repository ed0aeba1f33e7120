import type { ReactNode } from 'react'
import styles from './Breakdown.module.css'

interface BreakdownProps {
  /** Name and sum; in a dialog the last line closes with a double rule. */
  readonly lines: readonly { readonly name: string; readonly sum: ReactNode }[]
}

/** A small sum in two or three lines. */
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
