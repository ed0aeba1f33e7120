/** How often one person or address may do something, counted in this process: a burst, then a steady stream. */
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import { tooMany } from '#server/kernel/errors.ts'

export interface Rate {
  /** @throws Refusal 429 when the subject has used up what it has */
  count(subject: string): void
  /** The same as an answer: seconds to wait, 0 when it was counted. */
  secondsToWait(subject: string): number
}

/** RATE_LIMITS=off. */
export const noRate: Rate = { count: () => {}, secondsToWait: () => 0 }

/** Subjects that are remembered; who has not been seen for longest is forgotten first. */
const MOST_SUBJECTS = 20_000
const MINUTE_MS = 60_000

interface Bucket {
  /** What is left, as of `at`. */
  left: number
  at: number
}

/** `perMinute` at once, and as many a minute from then on. `now`: milliseconds of a clock that never goes back. */
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
