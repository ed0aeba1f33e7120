/** Rate limits per person or address, counted in this process: a burst, then a steady rate. */
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import { tooMany } from '#server/kernel/errors.ts'

export interface Rate {
  /** @throws Refusal 429 when the subject has used up its rate */
  count(subject: string): void
  /** Returns the seconds to wait; 0 means that it was counted. */
  secondsToWait(subject: string): number
}

/** Used with RATE_LIMITS=off. */
export const noRate: Rate = { count: () => {}, secondsToWait: () => 0 }

/** The least recently seen subjects are dropped first. */
const MOST_SUBJECTS = 20_000
const MINUTE_MS = 60_000

interface Bucket {
  /** Calls left at the time `at`. */
  left: number
  at: number
}

/** Allows `perMinute` at once, and as many a minute afterwards. `now` returns ms of a monotonic clock. */
export function createRate(perMinute: number, now: () => number = () => performance.now()): Rate {
  const buckets = new BoundedMap<string, Bucket>({ most: MOST_SUBJECTS })
  const secondsToWait = (subject: string): number => {
    const at = now()
    const known = buckets.get(subject)
    const regained = known === undefined ? 0 : ((at - known.at) / MINUTE_MS) * perMinute
    const left = known === undefined ? perMinute : Math.min(perMinute, known.left + regained)
    const isLeft = left >= 1
    buckets.set(subject, { left: isLeft ? left - 1 : left, at })
    return isLeft ? 0 : Math.max(1, Math.ceil(((1 - left) / perMinute) * 60))
  }
  return {
    secondsToWait,
    count: (subject) => {
      const seconds = secondsToWait(subject)
      if (seconds > 0) throw tooMany(seconds)
    },
  }
}
