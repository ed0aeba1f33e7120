import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'

interface TimeProps {
  /** ISO 8601, UTC. */
  readonly date: string
  /** full: 21/11/2026 10:31. day: 21 November. clock: 10:31. */
  readonly form?: 'full' | 'day' | 'clock' | undefined
}

/** A moment: in UTC as the server writes it, in the person's zone once the script runs, of the same width. */
export function Time({ date, form = 'full' }: TimeProps) {
  const { formatTime, formatDay, formatClock } = useText()
  const zone = useHydrated() ? undefined : 'UTC'
  const write = { full: formatTime, day: formatDay, clock: formatClock }[form]
  return (
    <time className="num" dateTime={date}>
      {write(date, zone)}
    </time>
  )
}
