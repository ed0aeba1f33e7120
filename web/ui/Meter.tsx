import styles from '#web/ui/styles/Meter.module.css'

interface MeterProps {
  readonly value: number
  readonly max: number
  /** In words: "2 of 8 lessons done". */
  readonly label: string
  /** meter: how far one is. bar-of: a share, in the colour of the text. Neither: something running. */
  readonly kind?: 'meter' | 'bar-of' | undefined
}

/** A bar. A real <progress>, because the pages allow no style attribute to give it a width. */
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
