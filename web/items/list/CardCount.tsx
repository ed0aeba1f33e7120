import { useText } from '#web/core/i18n.tsx'
import type { IconName } from '#web/ui/Icon.tsx'
import { Stat } from '#web/ui/books/Stat.tsx'

interface CardCountProps {
  readonly icon: IconName
  readonly value: number
  readonly unit: 'likesUnit' | 'viewsUnit' | 'commentsUnit'
}

/** One number of a card, short to the eye, whole to readers and the pointer. */
export function CardCount({ icon, value, unit }: CardCountProps) {
  const { t, formatCompact, formatNumber } = useText()
  const word = t(unit, { count: value })
  return (
    <Stat
      icon={icon}
      value={formatCompact(value)}
      unit={word}
      title={`${formatNumber(value)} ${word}`}
    />
  )
}
