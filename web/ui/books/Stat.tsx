import { Icon, type IconName } from '#web/ui/Icon.tsx'

interface StatProps {
  readonly icon: IconName
  /** Short: "15.4K". */
  readonly value: string
  /** What is counted, for readers: "views". */
  readonly unit: string
  /** In full, for the pointer: "15,420 views". */
  readonly title?: string | undefined
}

/** One of a card's numbers. */
export function Stat({ icon, value, unit, title }: StatProps) {
  return (
    <span title={title}>
      <Icon name={icon} />
      {value}
      <span className="sr">{` ${unit}`}</span>
    </span>
  )
}
