import type { ComponentProps, ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from './Desk.module.css'

// A row is display: flex on a phone, which takes a table's roles away: they are written out.

interface DeskTableProps {
  /** What is listed, for readers. */
  readonly label: string
  /** DeskColumns. */
  readonly head: ReactNode
  /** DeskRows. */
  readonly children: ReactNode
}

/** The dense table of a desk page; its rows become cards on a small screen. */
export function DeskTable({ label, head, children }: DeskTableProps) {
  return (
    <table className={styles.desk} role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">{head}</tr>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
    </table>
  )
}

const CLASSES = {
  tick: styles.tick,
  what: styles.what,
  acts: styles.does,
  icon: classes(styles.does, styles.icon),
} as const
const WIDTHS = {
  ...CLASSES,
  person: styles.ofPerson,
  opinion: styles.ofOpinion,
  item: styles.ofItem,
  time: styles.ofTime,
  number: styles.ofNumber,
} as const

interface DeskPartProps {
  /** tick: a box to select. what: the text the row is about, which gets the room. acts: buttons, at the end. icon: one without words. */
  readonly kind?: keyof typeof CLASSES | undefined
  readonly children?: ReactNode
}

interface DeskColumnProps extends Pick<DeskPartProps, 'children'> {
  /** What the column holds says how wide it is, whatever the rows say; those of no kind share what is left. */
  readonly kind?: keyof typeof WIDTHS | undefined
}

/** The name of a column; in `<span className="sr">` where nothing has to be seen. */
export function DeskColumn({ kind, children }: DeskColumnProps) {
  return (
    <th className={kind && WIDTHS[kind]} role="columnheader" scope="col">
      {children}
    </th>
  )
}

/** A row of the table. Its role is named because the narrow layout changes `display`, which takes the meaning away. */
export function DeskRow(props: ComponentProps<'tr'>) {
  return <tr {...props} role="row" />
}

/** A cell of the table; `kind` says what it holds, and so how it lies on a phone. */
export function DeskCell({ kind, children }: DeskPartProps) {
  return (
    <td className={kind && CLASSES[kind]} role="cell">
      {children}
    </td>
  )
}
