import type { ItemKind } from '#contract/points.ts'
import { RatingMark, type RatedItem } from '#web/items/ratings/RatingMark.tsx'
import { useNumbers, type NumberedItem } from '#web/items/shared/numbers.ts'
import { Icon } from '#web/ui/Icon.tsx'

interface ItemNumbersProps<Kind extends ItemKind> {
  readonly kind: Kind
  readonly item: NumberedItem<Kind> & RatedItem
  /** Cards leave out the views; "words" writes out what each number counts. */
  readonly form?: 'card' | 'line' | 'words' | undefined
}

/** Shows abbreviated numbers; screen readers and tooltips get the exact ones. */
export function ItemNumbers<Kind extends ItemKind>(props: ItemNumbersProps<Kind>) {
  const { kind, item, form = 'card' } = props
  const numbers = useNumbers(kind, item)
  return (
    <>
      <RatingMark item={item} roomy={form === 'words'} />
      {numbers
        .filter(({ name }) => form !== 'card' || name !== 'views')
        // Views go first where a line is too short for all numbers.
        .toSorted((one, other) => Number(one.name === 'views') - Number(other.name === 'views'))
        .map(({ name, icon, short, word, whole }) => (
          <span key={name} title={whole}>
            <Icon name={icon} />
            {short}
            <span className={form === 'words' ? undefined : 'sr'}> {word}</span>
          </span>
        ))}
    </>
  )
}
