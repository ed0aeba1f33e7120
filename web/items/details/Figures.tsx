import { NUMBERS, numbersOf, type NumberOf } from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'

interface FiguresProps<Kind extends ItemKind> {
  readonly kind: Kind
  readonly values: Readonly<Record<NumberOf<Kind>, number>>
}

/** The numbers of an item's own page, each with its word. */
export function Figures<Kind extends ItemKind>({ kind, values }: FiguresProps<Kind>) {
  const { t, formatCompact, formatNumber } = useText()
  return numbersOf(kind).map((name) => {
    const { icon, unit } = NUMBERS[name].shown
    const value = values[name]
    const word = t(unit, { count: value })
    return (
      <span key={name} title={`${formatNumber(value)} ${word}`}>
        <Icon name={icon} />
        {formatCompact(value)} {word}
      </span>
    )
  })
}
