import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { type AgeUnit, ageOf } from '#web/core/time/age.ts'

interface TimeProps {
  /** ISO 8601, UTC. */
  readonly date: string
  /**
   * date: 22 Oct 2025. moment: 22 Oct 2025, 10:31. ago: 2 h ago, and the date from a week on. recent: the hour of
   * today, the day of this year, else the date. day: 21 November. clock: 10:31. stamp: 21/11/2026 10:31, for machines'
   * records and where the specification fixes it.
   */
  readonly form?: 'date' | 'moment' | 'ago' | 'recent' | 'day' | 'clock' | 'stamp' | undefined
}

const UNIT_WORDS = {
  minutes: 'minutesAgo',
  hours: 'hoursAgo',
  days: 'daysAgo',
} as const satisfies Record<AgeUnit, string>

/**
 * A moment, as people say it: in UTC as the server writes it, in the person's zone once the script runs. What is near
 * to now is the browser's to say: a page may have been written a while ago.
 */
export function Time({ date, form = 'date' }: TimeProps) {
  const { t, formatTime, formatDate, formatMoment, ...formats } = useText()
  const hydrated = useHydrated()
  const zone = hydrated ? undefined : 'UTC'
  const write = {
    date: () => formatDate(date, zone),
    moment: () => formatMoment(date, zone),
    ago: () => (hydrated ? ago() : formatDate(date, zone)),
    recent: () => (hydrated ? recent() : formats.formatShortDay(date, zone)),
    day: () => formats.formatDay(date, zone),
    clock: () => formats.formatClock(date, zone),
    stamp: () => formatTime(date, zone),
  }
  const isRounded = hydrated && (form === 'ago' || form === 'recent')
  return (
    <time className="num" dateTime={date} title={isRounded ? formatTime(date) : undefined}>
      {write[form]()}
    </time>
  )

  function ago(): string {
    const age = ageOf(date, Date.now())
    if (age === null) return formatDate(date)
    return age.count === 0 ? t('justNow') : t(UNIT_WORDS[age.unit], { count: age.count })
  }

  function recent(): string {
    const now = new Date()
    const day = formatDate(date)
    if (day === formatDate(now)) return formats.formatClock(date)
    const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
    if (day === formatDate(yesterday)) return t('yesterday')
    return new Date(date).getFullYear() === now.getFullYear() ? formats.formatShortDay(date) : day
  }
}
