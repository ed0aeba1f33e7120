/** How long ago something was, as people round it. */

export type AgeUnit = 'minutes' | 'hours' | 'days'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** From then on its date says more. */
const WEEK = 7 * DAY

/**
 * Whole minutes below an hour, whole hours below a day, whole days below a week; null for what is older. Zero minutes:
 * just now. A clock that is a little behind the server's sees no future: what lies ahead by less than a day is just now.
 *
 * @param date ISO 8601
 * @param now milliseconds since 1970
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
