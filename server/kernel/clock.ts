/** The only source of the time, so that tests can set it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Returns the UTC day as `YYYY-MM-DD`, which is what "a day" means in limits, views and salts. */
export function utcDay(time: Date): string {
  return time.toISOString().slice(0, 10)
}
