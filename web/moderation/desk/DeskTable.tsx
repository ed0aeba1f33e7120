import type { ReactNode } from 'react'
import { useText } from '#web/core/i18n.tsx'
import type { Selection } from '#web/moderation/desk/selection.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Desk.module.css'

// A row is display: flex on a phone, which takes a table's roles away: they are written out.

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
} as const

type Kind = keyof typeof CLASSES

export interface DeskColumn<Row> {
  readonly name: string
  /**
   * What the column holds says how wide it is, whatever the rows say; those of no kind share what is left. `what`: the
   * text the row is about, which gets the room. `acts`: buttons, at the end, where only readers need the name. `icon`:
   * one button without words.
   */
  readonly kind?: Exclude<Kind, 'tick'> | undefined
  /** The rows are sorted by it. */
  readonly sorted?: boolean | undefined
  readonly cell: (row: Row) => ReactNode
}

interface DeskTableProps<Row> {
  /** What is listed, for readers. */
  readonly label: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => number | string
  /** False: the column is not there. */
  readonly columns: readonly (DeskColumn<Row> | false)[]
  /** Each row has a box to tick. */
  readonly selection?: Selection | undefined
  /** What a row's box selects, in words. */
  readonly tickOf?: ((row: Row) => string) | undefined
  /** By key one steps from row to row. */
  readonly byKeys?: boolean | undefined
}

/** The dense table of a desk page; its rows become cards on a small screen. */
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
