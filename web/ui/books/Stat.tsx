import { Icon, type IconName } from '#web/ui/Icon.tsx'

interface StatProps {
  readonly icon: IconName
  /** Abbreviated, such as "15.4K". */
  readonly value: string
  /** For screen readers, such as "views". */
  readonly unit: string
  /** The full number for the tooltip, such as "15,420 views". */
  readonly title?: string | undefined
}

export function Stat({ icon, value, unit, title }: StatProps) {
  return (
    <span title={title}>
      <Icon name={icon} />
      {value}
      <span className="sr">{` ${unit}`}</span>
    </span>
  )
}
