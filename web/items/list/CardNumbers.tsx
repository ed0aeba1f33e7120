import type { ItemKind } from '#contract/points.ts'
import { RatingMark, type RatedItem } from '#web/ratings/RatingMark.tsx'
import { useNumbers, type NumberedItem } from '#web/items/numbers.ts'
import { Stat } from '#web/ui/books/Stat.tsx'

interface CardNumbersProps<Kind extends ItemKind> {
  readonly kind: Kind
  readonly item: NumberedItem<Kind> & RatedItem
  /** Cards leave these to the item's page. */
  readonly views?: boolean | undefined
}

/** The numbers of an item, each short to the eye, whole to readers and the pointer. */
export function CardNumbers<Kind extends ItemKind>({ kind, item, views }: CardNumbersProps<Kind>) {
  const numbers = useNumbers(kind, item)
  return (
    <>
      <RatingMark item={item} />
      {numbers
        .filter(({ name }) => views || name !== 'views')
        .map(({ name, icon, short, word, whole }) => (
          <Stat key={name} icon={icon} value={short} unit={word} title={whole} />
        ))}
    </>
  )
}
