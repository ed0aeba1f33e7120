import type { ReactNode } from 'react'
import { useText } from '#web/core/i18n.tsx'
import type { Selection } from '#web/operate/desk/selection.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Desk.module.css'

// On phones, rows use display: flex, which removes the table roles, so the roles are explicit.

const CLASSES = {
  tick: styles.tick,
  what: styles.what,
  acts: styles.does,
  icon: classes(styles.does, styles.icon),
  person: styles.ofPerson,
  opinion: styles.ofOpinion,
  item: styles.ofItem,
  time: styles.ofTime,
  number: styles.ofNumber,
  email: styles.ofEmail,
} as const

type Kind = keyof typeof CLASSES

export interface DeskColumn<Row> {
  readonly name: string
  /**
   * The kind determines the column's width; columns without one share the rest.
   * - `what`: the main text, which gets the most room.
   * - `acts`: buttons at the end; only screen readers need the column's name.
   * - `icon`: one button without text.
   */
  readonly kind?: Exclude<Kind, 'tick'> | undefined
  readonly sorted?: boolean | undefined
  readonly cell: (row: Row) => ReactNode
}

interface DeskTableProps<Row> {
  /** The table's accessible name. */
  readonly label: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => number | string
  /** False omits a column. */
  readonly columns: readonly (DeskColumn<Row> | false)[]
  /** Adds a checkbox to each row. */
  readonly selection?: Selection | undefined
  /** The accessible name of a row's checkbox. */
  readonly tickOf?: ((row: Row) => string) | undefined
  /** Makes rows focusable for keyboard navigation. */
  readonly byKeys?: boolean | undefined
}

/** On small screens, the rows become cards. */
export function DeskTable<Row>(props: DeskTableProps<Row>) {
  const { label, rows, keyOf, columns, selection, tickOf, byKeys = false } = props
  const shown = columns.filter((column) => column !== false)
  return (
    <table className={styles.desk} role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {selection && <SelectAll selection={selection} keys={rows.map(keyOf)} />}
          {shown.map((column) => (
            <th
              key={column.name}
              className={column.kind && CLASSES[column.kind]}
              role="columnheader"
              scope="col"
            >
              <ColumnName {...column} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => {
          const key = keyOf(row)
          return (
            <tr key={key} role="row" {...(byKeys && { tabIndex: -1, 'data-row': key })}>
              {selection && (
                <td className={CLASSES.tick} role="cell">
                  <Checkbox
                    bare
                    checked={selection.selected.has(key)}
                    onChange={({ target }) => selection.select(key, target.checked)}
                  >
                    {tickOf?.(row)}
                  </Checkbox>
                </td>
              )}
              {shown.map(({ name, kind, cell }) => (
                <td key={name} className={kind && CLASSES[kind]} role="cell">
                  {cell(row)}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function ColumnName({ name, kind, sorted }: Pick<DeskColumn<never>, 'name' | 'kind' | 'sorted'>) {
  if (kind === 'acts' || kind === 'icon') return <span className="sr">{name}</span>
  if (!sorted) return name
  return (
    <span className={styles.sorted}>
      {name}
      <Icon name="sort" />
    </span>
  )
}

interface SelectAllProps {
  readonly selection: Selection
  readonly keys: readonly (number | string)[]
}

function SelectAll({ selection: { selected, choose }, keys }: SelectAllProps) {
  const { t } = useText()
  const isAll = selected.size === keys.length
  return (
    <th className={CLASSES.tick} role="columnheader" scope="col">
      <Checkbox
        bare
        checked={isAll}
        ref={(box) => {
          if (box !== null) box.indeterminate = selected.size > 0 && !isAll
        }}
        onChange={({ target }) => choose(target.checked ? keys : [])}
      >
        {t('deskSelectAll')}
      </Checkbox>
    </th>
  )
}
