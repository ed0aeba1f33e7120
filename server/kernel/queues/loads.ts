/**
 * Work that costs much, by its kind: little of each runs at once and the others wait their turn, so that what costs little
 * (a page from memory, a picture, a read by its id) is answered in between. Who can't be served in time learns when
 * to come again, before the process is slow for everybody.
 */
import {
  CALLS_AT_ONCE,
  CALLS_WAITING,
  PAGES_A_MINUTE,
  PREVIEWS_A_MINUTE,
} from '#contract/limits.ts'
import type { Config } from '#server/kernel/config.ts'
import { createFairTurns, type FairTurns } from '#server/kernel/queues/fair-turns.ts'
import { createRate, noRate, type Rate } from '#server/kernel/queues/rates.ts'
import { createTurns, type InTurn } from '#server/kernel/queues/turns.ts'

export interface Loads {
  /** What looks through many rows: searches, suggestions, whole lists. */
  readonly search: FairTurns
  /** Pages that are not in memory. */
  readonly render: FairTurns
  /** Pictures for link previews that nobody has asked for yet: they are made where uploads are decoded. */
  readonly preview: FairTurns
  /** Calls of people who are signed in: one of them never takes all connections to the database. */
  readonly calls: InTurn
  /** By person, or by network for guests. */
  readonly pages: Rate
  readonly previews: Rate
}

/** The pool has eight connections, and the process one thread: of each kind half as many as the others can spare. */
const SEARCHES = 3
const RENDERS = 3
/** One picture is decoded at a time: of those that wait there, at most one is a preview. */
const NEW_PREVIEWS = 1
/** Each waiting one is an open request of some kilobytes. Milliseconds. */
const WAITING = { most: 600, each: 400, longest: 5000 }
/** Without limits only what would fill the memory is refused. */
const UNLIMITED = { most: 10_000 }

/**
 * The queues and rates that hold expensive work. With RATE_LIMITS off, only what would fill the memory is refused.
 */
export function createLoads({ RATE_LIMITS }: Pick<Config, 'RATE_LIMITS'>): Loads {
  const isLimited = RATE_LIMITS === 'on'
  const waiting = isLimited ? WAITING : UNLIMITED
  return {
    search: createFairTurns({ atOnce: SEARCHES, ...waiting }),
    render: createFairTurns({ atOnce: RENDERS, ...waiting }),
    preview: createFairTurns({ atOnce: NEW_PREVIEWS, ...waiting }),
    calls: isLimited
      ? createTurns({ atOnce: CALLS_AT_ONCE, mostWaiting: CALLS_WAITING })
      : (_person, act) => act(),
    pages: isLimited ? createRate(PAGES_A_MINUTE) : noRate,
    previews: isLimited ? createRate(PREVIEWS_A_MINUTE) : noRate,
  }
}
