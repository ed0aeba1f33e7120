export type AgeUnit = 'minutes' | 'hours' | 'days'

export interface Span {
  readonly unit: AgeUnit
  readonly count: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** From this age on, the date says more. */
const WEEK = 7 * DAY

/**
 * Returns null from a week on. Up to a day ahead counts as just now (zero minutes), because the browser's clock may be
 * slow. `date` is ISO 8601, `now` is in milliseconds since 1970.
 */
export function ageOf(date: string, now: number): Span | null {
  const age = now - Date.parse(date)
  return age > -DAY && age < WEEK ? spanOf(Math.max(0, age)) : null
}

/** Rounds down. `age` is in milliseconds and not negative. */
export function spanOf(age: number): Span {
  if (age < HOUR) return { unit: 'minutes', count: Math.floor(age / MINUTE) }
  if (age < DAY) return { unit: 'hours', count: Math.floor(age / HOUR) }
  return { unit: 'days', count: Math.floor(age / DAY) }
}
