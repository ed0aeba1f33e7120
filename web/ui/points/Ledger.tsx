import type { ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from './Ledger.module.css'

// With `flow`, phones use display: block, which removes the table roles, so the roles are explicit.

interface LedgerProps {
  readonly caption: ReactNode
  /** Hides the caption visually, because the page's title says the same. */
  readonly hideCaption?: boolean | undefined
  readonly captionId?: string | undefined
  /** On phones, each row takes two lines. */
  readonly flow?: boolean | undefined
  readonly head: ReactNode
  /** One or more <tbody role="rowgroup">. */
  readonly children: ReactNode
}

export function Ledger({ caption, hideCaption, captionId, flow, head, children }: LedgerProps) {
  return (
    <table className={classes(styles.ledger, flow && styles.flow)} role="table">
      <caption className={hideCaption ? 'sr' : undefined} id={captionId}>
        {caption}
      </caption>
      <thead role="rowgroup">
        <tr role="row">{head}</tr>
      </thead>
      {children}
    </table>
  )
}

interface CellProps {
  /** n: a number. sum: the balance. in: income. d: a date. t: an icon. */
  readonly kind?: 'n' | 'n sum' | 'n in' | 'd' | 't' | undefined
  /** The column's name, shown before the value where the head is hidden. */
  readonly name?: string | undefined
  readonly children?: ReactNode
}

const KINDS = {
  n: styles.n,
  'n sum': classes(styles.n, styles.sum),
  'n in': classes(styles.n, styles.in),
  d: styles.d,
  t: styles.t,
} as const

export function LedgerCell({ kind, name, children }: CellProps) {
  return (
    <td className={kind && KINDS[kind]} role="cell" data-l={name}>
      {children}
    </td>
  )
}

export function LedgerColumn({ kind, children }: Omit<CellProps, 'name'>) {
  return (
    <th className={kind && KINDS[kind]} role="columnheader" scope="col">
      {children}
    </th>
  )
}

export function LedgerMonth({
  columns,
  children,
}: {
  readonly columns: number
  readonly children: ReactNode
}) {
  return (
    <tr className={styles.month} role="row">
      <th role="rowheader" colSpan={columns - 1} scope="rowgroup">
        {children}
      </th>
      <td className={styles.sum} role="cell" />
    </tr>
  )
}

export function LedgerLine({ children }: { readonly children: ReactNode }) {
  return <tr role="row">{children}</tr>
}
