import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'

/** When something was last said: the hour of today, the day of this year, else the date. */
export function ShortTime({ date }: { readonly date: string }) {
  const { t, formatTime, formatShortDay } = useText()
  const hydrated = useHydrated()
  return (
    <time className="num" dateTime={date}>
      {hydrated ? near() : formatShortDay(date, 'UTC')}
    </time>
  )

  function near(): string {
    const [day = '', hour = ''] = formatTime(date).split(' ')
    const now = new Date()
    if (day === dayOf(now)) return hour
    if (day === dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)))
      return t('yesterday')
    return day.slice(-4) === String(now.getFullYear()) ? formatShortDay(date) : day
  }

  function dayOf(moment: Date): string {
    return formatTime(moment).split(' ')[0] ?? ''
  }
}
