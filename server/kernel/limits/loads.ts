/**
 * Limits of expensive work by kind: little of each runs at once, so cheap requests (a cached page, a picture, a read
 * by id) are answered in between. Requests that can't be served in time are told when to retry, before the process
 * is slow for everybody.
 */
import {
  CALLS_AT_ONCE,
  PAGES_A_MINUTE,
  PREVIEWS_A_MINUTE,
  PREVIEWS_AT_ONCE,
  RENDERS_AT_ONCE,
  SEARCHES_AT_ONCE,
  type QueueLimits,
} from '#contract/limits.ts'
import type { Config } from '#server/kernel/config.ts'
import { Queue } from '#server/kernel/limits/queue.ts'
import { createRate, type Rate } from '#server/kernel/limits/rates.ts'

export interface Loads {
  /** Work that scans many rows: searches, suggestions, whole lists. */
  readonly search: Queue
  /** Pages that aren't cached. */
  readonly render: Queue
  /** Pictures for link previews that don't exist yet; they are made where uploads are decoded. */
  readonly preview: Queue
  /** Calls of signed-in people: one person never takes all database connections. */
  readonly calls: Queue
  /** By person, or by network for guests. */
  readonly pages: Rate
  readonly previews: Rate
}

/** Without limits, refuses only what would fill the memory. */
const UNLIMITED = { all: 10_000 }

export function createLoads(config: Pick<Config, 'RATE_LIMITS'>): Loads {
  const isLimited = config.RATE_LIMITS === 'on'
  const queue = (limits: QueueLimits) =>
    new Queue(isLimited ? limits : { ...limits, waiting: UNLIMITED })
  return {
    search: queue(SEARCHES_AT_ONCE),
    render: queue(RENDERS_AT_ONCE),
    preview: queue(PREVIEWS_AT_ONCE),
    calls: new Queue(isLimited ? CALLS_AT_ONCE : { atOnce: {} }),
    pages: createRate(PAGES_A_MINUTE, config),
    previews: createRate(PREVIEWS_A_MINUTE, config),
  }
}
