import type { ItemKind } from '#contract/points.schemas.ts'
import { useNumbers, type NumberedItem } from '#web/items/numbers.ts'
import { Stat } from '#web/ui/books/Stat.tsx'

interface CardNumbersProps<Kind extends ItemKind> {
  readonly kind: Kind
  readonly item: NumberedItem<Kind>
}

/** The numbers of a card, each short to the eye, whole to readers and the pointer. */
export function CardNumbers<Kind extends ItemKind>({ kind, item }: CardNumbersProps<Kind>) {
  return useNumbers(kind, item).map(({ name, icon, short, word, whole }) => (
    <Stat key={name} icon={icon} value={short} unit={word} title={whole} />
  ))
}
