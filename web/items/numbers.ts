/** The numbers of an item as people read them, from the one declaration in contract/numbers.ts. */
import { figuresOf, NUMBERS, type FigureOf } from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.ts'
import { useText } from '#web/core/i18n.tsx'
import { useLikes } from '#web/likes/likes-given.ts'

/** An item with the numbers of its kind, and whether the viewer has moved one. */
export type NumberedItem<Kind extends ItemKind> = Readonly<Record<FigureOf<Kind>, number>> & {
  readonly id: number
  readonly likes: number
  readonly liked?: boolean | undefined
}

interface ShownNumber {
  readonly name: FigureOf
  readonly icon: (typeof NUMBERS)[FigureOf]['shown']['icon']
  /** "15.4K" */
  readonly short: string
  /** "views" */
  readonly word: string
  /** "15,420 views" */
  readonly whole: string
}

/** The numbers of an item in their order, with what the viewer has done to them since the data was fetched. */
export function useNumbers<Kind extends ItemKind>(
  kind: Kind,
  item: NumberedItem<Kind>,
): ShownNumber[] {
  const { t, formatCompact, formatNumber } = useText()
  const { likes } = useLikes(kind, item)
  const values: Readonly<Partial<Record<FigureOf, number>>> = { ...item, likes }
  const figures: readonly FigureOf[] = figuresOf<ItemKind>(kind)
  return figures.map((name) => {
    const { icon, unit } = NUMBERS[name].shown
    const value = values[name] ?? 0
    const word = t(unit, { count: value })
    return {
      name,
      icon,
      short: formatCompact(value),
      word,
      whole: `${formatNumber(value)} ${word}`,
    }
  })
}
