/**
 * Decides where to read: from the replica if the data may be a second old, otherwise from the primary. The
 * decision needs no query, only what is known about the replica (replica.ts).
 */
import { performance } from 'node:perf_hooks'
import type { Db } from '#server/platform/db/connect.ts'
import { MOST_LAG_MS, type Replica } from '#server/platform/db/replica/replica.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { isStale } from '#server/platform/events/catalogue.ts'
import type { Events } from '#server/platform/events/events.ts'

export interface Reads {
  /**
   * For reads of one person. People who wrote recently read from the primary and so see their writes. Changes by
   * others that this process knows of appear within a second.
   */
  of(viewer: Viewer | null): Db
  /**
   * For reads that are cached for everybody: includes all changes that this process knows of, because the cache
   * would keep older data for its whole lifetime. `viewer` is the first person who asks.
   */
  shared(viewer: Viewer | null): Db
}

/** In ms: how old a change by others may be before a person must see it. */
const SEEN_MS = 1000

export const readAlways = (db: Db): Reads => ({ of: () => db, shared: () => db })

export function createReads(
  db: Db,
  replica: Replica | null,
  events: Pick<Events, 'subscribe'>,
): Reads {
  if (replica === null) return readAlways(db)
  let contentAt = Number.NEGATIVE_INFINITY
  let changedAt = Number.NEGATIVE_INFINITY
  events.subscribe((event) => {
    // Likes, comments and views only change numbers on cards, which may be seconds old in caches; waiting for those
    // too would keep a busy site from ever reading the replica.
    const isContent = isStale(event, 'items', 'names', 'access')
    if (!isContent && !isStale(event, 'numbers')) return
    changedAt = performance.now()
    if (isContent) contentAt = changedAt
    replica.hurry()
  })
  /** Everything committed before `since` must be there. */
  const readFor = (viewer: Viewer | null, since: number) => {
    if (viewer?.wroteLately === true) return db
    const oldest = performance.now() - MOST_LAG_MS
    return replica.asOf() >= Math.max(since, oldest) ? replica.db : db
  }
  return {
    // Guests read pages and lists that are cached for all of them.
    of: (viewer) =>
      readFor(
        viewer,
        viewer === null ? contentAt : Math.min(changedAt, performance.now() - SEEN_MS),
      ),
    shared: (viewer) => readFor(viewer, contentAt),
  }
}
