/**
 * Queues for expensive work by kind: little of each runs at once, so cheap requests (a cached page, a picture, a
 * read by id) are answered in between. Requests that can't be served in time are told when to retry, before the
 * process is slow for everybody.
 */
import {
  CALLS_AT_ONCE,
  CALLS_WAITING,
  PAGES_A_MINUTE,
  PREVIEWS_A_MINUTE,
} from '#contract/limits.ts'
import type { Config } from '#server/kernel/config.ts'
import { createFairTurns, type FairTurns } from '#server/kernel/queues/fair-turns.ts'
import { createRate, type Rate } from '#server/kernel/limits/rates.ts'
import { createTurns, type InTurn } from '#server/kernel/queues/turns.ts'

export interface Loads {
  /** Work that scans many rows: searches, suggestions, whole lists. */
  readonly search: FairTurns
  /** Pages that aren't cached. */
  readonly render: FairTurns
  /** Pictures for link previews that don't exist yet; they are made where uploads are decoded. */
  readonly preview: FairTurns
  /** Calls of signed-in people: one person never takes all database connections. */
  readonly calls: InTurn
  /** By person, or by network for guests. */
  readonly pages: Rate
  readonly previews: Rate
}

/** Few of each kind, because the pool has eight connections and the process one thread. */
const SEARCHES = 3
const RENDERS = 3
/** One picture is decoded at a time; of those that wait, at most one is a preview. */
const NEW_PREVIEWS = 1
/** Each waiting task is an open request of a few kilobytes. `longest` is in ms. */
const WAITING = { most: 600, each: 400, longest: 5000 }
/** Without limits, refuses only what would fill the memory. */
const UNLIMITED = { most: 10_000 }

export function createLoads(config: Pick<Config, 'RATE_LIMITS'>): Loads {
  const isLimited = config.RATE_LIMITS === 'on'
  const waiting = isLimited ? WAITING : UNLIMITED
  return {
    search: createFairTurns({ atOnce: SEARCHES, ...waiting }),
    render: createFairTurns({ atOnce: RENDERS, ...waiting }),
    preview: createFairTurns({ atOnce: NEW_PREVIEWS, ...waiting }),
    calls: isLimited
      ? // An upload may occupy its slot for minutes.
        createTurns({ atOnce: CALLS_AT_ONCE, mostWaiting: CALLS_WAITING, longestMs: Infinity })
      : (_person, act) => act(),
    pages: createRate(PAGES_A_MINUTE, config),
    previews: createRate(PREVIEWS_A_MINUTE, config),
  }
}
