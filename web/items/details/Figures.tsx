import type { ItemKind } from '#contract/points.schemas.ts'
import { useNumbers, type NumberedItem } from '#web/items/numbers.ts'
import { Icon } from '#web/ui/Icon.tsx'

interface FiguresProps<Kind extends ItemKind> {
  readonly kind: Kind
  readonly item: NumberedItem<Kind>
}

/** The numbers of an item's own page, each with its word. */
export function Figures<Kind extends ItemKind>({ kind, item }: FiguresProps<Kind>) {
  return useNumbers(kind, item).map(({ name, icon, short, word, whole }) => (
    <span key={name} title={whole}>
      <Icon name={icon} />
      {short} {word}
    </span>
  ))
}
