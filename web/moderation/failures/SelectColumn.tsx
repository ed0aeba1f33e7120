/** The column of ticks of a list from which several are selected. */
import { useText } from '#web/core/i18n.tsx'
import { DeskCell, DeskColumn } from '#web/moderation/desk/DeskTable.tsx'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'

export interface Selection {
  readonly selected: readonly number[]
  readonly choose: (ids: readonly number[]) => void
}

interface SelectAllProps {
  readonly selection: Selection
  readonly items: readonly { readonly id: number }[]
}

/** In the table's head: all of them, or none. */
export function SelectAll({ selection: { selected, choose }, items }: SelectAllProps) {
  const { t } = useText()
  return (
    <DeskColumn kind="tick">
      <Checkbox
        bare
        checked={selected.length === items.length}
        onChange={({ target }) => choose(target.checked ? items.map(({ id }) => id) : [])}
      >
        {t('deskSelectAll')}
      </Checkbox>
    </DeskColumn>
  )
}

interface SelectOneProps {
  readonly selection: Selection
  readonly id: number
  /** What is selected, in words. */
  readonly label: string
}

/** In a row: this one too, or not any more. */
export function SelectOne({ selection: { selected, choose }, id, label }: SelectOneProps) {
  return (
    <DeskCell kind="tick">
      <Checkbox
        bare
        checked={selected.includes(id)}
        onChange={({ target }) =>
          choose(target.checked ? [...selected, id] : selected.filter((other) => other !== id))
        }
      >
        {label}
      </Checkbox>
    </DeskCell>
  )
}
