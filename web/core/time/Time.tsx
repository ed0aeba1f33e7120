import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { type AgeUnit, ageOf } from '#web/core/time/age.ts'

interface TimeProps {
  /** ISO 8601, UTC. */
  readonly date: string
  /**
   * date: 22 Oct 2025. moment: 22 Oct 2025, 10:31. ago: 2 h ago, or the date after a week. recent: the time if today,
   * the day if this year, else the date. day: 21 November. clock: 10:31. stamp: 21/11/2026 10:31, for technical
   * records and where the specification requires it.
   */
  readonly form?: 'date' | 'moment' | 'ago' | 'recent' | 'day' | 'clock' | 'stamp' | undefined
}

const UNIT_WORDS = {
  minutes: 'minutesAgo',
  hours: 'hoursAgo',
  days: 'daysAgo',
} as const satisfies Record<AgeUnit, string>

/**
 * Shows UTC on the server and the user's zone after hydration. Relative times appear only then, because the HTML may be
 * old.
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
