import type { ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from './Ledger.module.css'

// A ledger that flows into two lines on a phone is display: block there, which takes a table's roles away:
// they are written out.

interface LedgerProps {
  readonly caption: ReactNode
  /** The page's title already says it. */
  readonly hideCaption?: boolean | undefined
  readonly captionId?: string | undefined
  /** Each row becomes two lines on a phone. */
  readonly flow?: boolean | undefined
  readonly head: ReactNode
  /** One or more <tbody role="rowgroup">. */
  readonly children: ReactNode
}

/** A page of an account book. */
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
  /** n: a number. sum: the balance, behind the double ribbon rule. in: earned. d: the day. t: a small book. */
  readonly kind?: 'n' | 'n sum' | 'n in' | 'd' | 't' | undefined
  /** The name of the column, shown before the value where the head is gone. */
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

/** A cell of a line. */
export function LedgerCell({ kind, name, children }: CellProps) {
  return (
    <td className={kind && KINDS[kind]} role="cell" data-l={name}>
      {children}
    </td>
  )
}

/** The name of a column. */
export function LedgerColumn({ kind, children }: Omit<CellProps, 'name'>) {
  return (
    <th className={kind && KINDS[kind]} role="columnheader" scope="col">
      {children}
    </th>
  )
}

/** The line that opens a month. */
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

/** A line: its cells in the order of the columns. */
export function LedgerLine({ children }: { readonly children: ReactNode }) {
  return <tr role="row">{children}</tr>
}
