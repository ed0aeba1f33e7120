import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'

interface TimeProps {
  /** ISO 8601, UTC. */
  readonly date: string
  /** full: 21/11/2026 10:31. day: 21 November. */
  readonly form?: 'full' | 'day' | undefined
}

/** A moment: in UTC as the server writes it, in the person's zone once the script runs, of the same width. */
export function Time({ date, form = 'full' }: TimeProps) {
  const { formatTime, formatDay } = useText()
  const zone = useHydrated() ? undefined : 'UTC'
  return (
    <time className="num" dateTime={date}>
      {form === 'full' ? formatTime(date, zone) : formatDay(date, zone)}
    </time>
  )
}
