import type { ItemKind } from '#contract/points.ts'
import { RatingMark, type RatedItem } from '#web/ratings/RatingMark.tsx'
import { useNumbers, type NumberedItem } from '#web/items/numbers.ts'
import { Stat } from '#web/ui/books/Stat.tsx'

interface CardNumbersProps<Kind extends ItemKind> {
  readonly kind: Kind
  readonly item: NumberedItem<Kind> & RatedItem
}

/** The numbers of a card, each short to the eye, whole to readers and the pointer. Views are left to the item's page. */
export function CardNumbers<Kind extends ItemKind>({ kind, item }: CardNumbersProps<Kind>) {
  const numbers = useNumbers(kind, item)
  return (
    <>
      <RatingMark item={item} />
      {numbers
        .filter(({ name }) => name !== 'views')
        .map(({ name, icon, short, word, whole }) => (
          <Stat key={name} icon={icon} value={short} unit={word} title={whole} />
        ))}
    </>
  )
}
