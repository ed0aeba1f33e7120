import styles from '#web/ui/styles/Meter.module.css'

interface MeterProps {
  readonly value: number
  readonly max: number
  /** The accessible name, such as "2 of 8 lessons done". */
  readonly label: string
  /** meter: progress. bar-of: a share, in the text's colour. Default: something running. */
  readonly kind?: 'meter' | 'bar-of' | undefined
}

/** Uses <progress>, because the page's policy forbids a style attribute for the width. */
export function Meter({ value, max, label, kind }: MeterProps) {
  return (
    <progress
      className={kind === 'meter' ? styles.meter : undefined}
      value={value}
      max={max}
      aria-label={label}
    />
  )
}
