/**
 * Rate limits per person or address, counted in this process: a burst, then a steady rate. Nodes count a rate
 * together with platform/nodes/shared-rate.ts.
 */
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import type { Config } from '#server/kernel/config.ts'
import { tooMany } from '#server/kernel/errors.ts'

export interface Rate {
  /** @throws Refusal 429 when the subject has used up its rate */
  count(subject: string): void
  /** Returns the seconds to wait; 0 means that it was counted. */
  secondsToWait(subject: string): number
}

/** A rate whose count may be elsewhere. */
export interface SharedRate {
  secondsToWait(subject: string): number | Promise<number>
}

/** The subjects whose last admitted call is oldest are dropped first. */
const MOST_SUBJECTS = 20_000
/** In ms: a subject regains its whole rate in this time. */
export const WINDOW_MS = 60_000

/**
 * Allows `perMinute` at once, and as many a minute afterwards; with RATE_LIMITS=off, everything. `now` returns ms
 * of a monotonic clock.
 */
export function createRate(
  perMinute: number,
  { RATE_LIMITS = 'on' }: Partial<Pick<Config, 'RATE_LIMITS'>> = {},
  now: () => number = () => performance.now(),
): Rate {
  /** The time at which each subject has regained its whole rate. */
  const wholeAt = new BoundedMap<string, number>({ most: MOST_SUBJECTS })
  const cost = WINDOW_MS / perMinute
  const secondsToWait = (subject: string): number => {
    if (RATE_LIMITS === 'off') return 0
    const at = now()
    const next = Math.max(at, wholeAt.peek(subject) ?? at) + cost
    const wait = next - at - WINDOW_MS
    // Less than a millisecond is an error of rounding.
    if (wait >= 1) return Math.ceil(wait / 1000)
    wholeAt.set(subject, next)
    return 0
  }
  return {
    secondsToWait,
    count: (subject) => {
      const seconds = secondsToWait(subject)
      if (seconds > 0) throw tooMany(seconds)
    },
  }
}
