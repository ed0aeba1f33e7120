/** Formats the numbers of an item that contract/numbers.ts declares. */
import { figuresOf, NUMBERS, type FigureOf } from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.ts'
import { useText } from '#web/core/i18n.tsx'
import { useLikes } from '#web/items/likes/likes-given.ts'

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

/** Returns the numbers in order, with likes that the viewer gave or took back since the data was fetched. */
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
