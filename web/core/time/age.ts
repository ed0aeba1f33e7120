export type AgeUnit = 'minutes' | 'hours' | 'days'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** From this age on, the date says more. */
const WEEK = 7 * DAY

/**
 * Returns null from a week on. Up to a day ahead counts as just now (zero minutes), because the browser's clock may be
 * slow. `date` is ISO 8601, `now` is in milliseconds since 1970.
 */
export function ageOf(
  date: string,
  now: number,
): { readonly unit: AgeUnit; readonly count: number } | null {
  const age = now - Date.parse(date)
  if (!(age > -DAY && age < WEEK)) return null
  if (age < MINUTE) return { unit: 'minutes', count: 0 }
  if (age < HOUR) return { unit: 'minutes', count: Math.floor(age / MINUTE) }
  if (age < DAY) return { unit: 'hours', count: Math.floor(age / HOUR) }
  return { unit: 'days', count: Math.floor(age / DAY) }
}
