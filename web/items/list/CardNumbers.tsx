import { NUMBERS, numbersOf, type NumberOf } from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { Stat } from '#web/ui/books/Stat.tsx'

interface CardNumbersProps<Kind extends ItemKind> {
  readonly kind: Kind
  readonly values: Readonly<Record<NumberOf<Kind>, number>>
}

/** The numbers of a card, each short to the eye, whole to readers and the pointer. */
export function CardNumbers<Kind extends ItemKind>({ kind, values }: CardNumbersProps<Kind>) {
  const { t, formatCompact, formatNumber } = useText()
  return numbersOf(kind).map((name) => {
    const { icon, unit } = NUMBERS[name].shown
    const value = values[name]
    const word = t(unit, { count: value })
    return (
      <Stat
        key={name}
        icon={icon}
        value={formatCompact(value)}
        unit={word}
        title={`${formatNumber(value)} ${word}`}
      />
    )
  })
}
