import type { ItemKind } from '#contract/points.ts'
import { useNumbers, type NumberedItem } from '#web/items/numbers.ts'
import { RatingMark, type RatedItem } from '#web/ratings/RatingMark.tsx'
import { Icon } from '#web/ui/Icon.tsx'

interface FiguresProps<Kind extends ItemKind> {
  readonly kind: Kind
  readonly item: NumberedItem<Kind> & RatedItem
}

/** The numbers of an item's own page, each with its word. */
export function Figures<Kind extends ItemKind>({ kind, item }: FiguresProps<Kind>) {
  const numbers = useNumbers(kind, item)
  return (
    <>
      <RatingMark item={item} roomy />
      {numbers.map(({ name, icon, short, word, whole }) => (
        <span key={name} title={whole}>
          <Icon name={icon} />
          {short} {word}
        </span>
      ))}
    </>
  )
}
