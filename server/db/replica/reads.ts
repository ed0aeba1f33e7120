/**
 * Where to read: on the replica what may be a second old, on the primary all else. It is decided without a
 * question to either, by what is known of the replica (replica.ts).
 */
import { performance } from 'node:perf_hooks'
import type { Db } from '#server/db/connect.ts'
import { MOST_LAG_MS, type Replica } from '#server/db/replica/replica.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Change, Changes } from '#server/kernel/changes.ts'

export interface Reads {
  /**
   * For what one person asks for. Who wrote in the last seconds reads from the primary, and so finds it. What others
   * changed, as far as this process has heard of it, is there within a second.
   */
  of(viewer: Viewer | null): Db
  /**
   * For what is cached for all who ask: nothing that this process knows to have changed is read from before the change,
   * or the cache would hold it for as long as it lives. Who asks first is the viewer.
   */
  shared(viewer: Viewer | null): Db
}

/** How old a change may be that a person does not see yet. */
const SEEN_MS = 1000

/** Reads all from one database. */
export const readAlways = (db: Db): Reads => ({ of: () => db, shared: () => db })

/** Chooses between the primary, which is `db`, and its replica; without one all is read from the primary. */
export function createReads(
  db: Db,
  replica: Replica | null,
  changes: Pick<Changes, 'subscribe'>,
): Reads {
  if (replica === null) return readAlways(db)
  let contentAt = Number.NEGATIVE_INFINITY
  let changedAt = Number.NEGATIVE_INFINITY
  changes.subscribe((change) => {
    const shown = shownIn(change)
    if (shown === 'nothing') return
    changedAt = performance.now()
    if (shown === 'content') contentAt = changedAt
    replica.hurry()
  })
  /** `since`: what was committed before that moment must be there. */
  const readFor = (viewer: Viewer | null, since: number) => {
    if (viewer?.wroteLately === true) return db
    const oldest = performance.now() - MOST_LAG_MS
    return replica.asOf() >= Math.max(since, oldest) ? replica.db : db
  }
  return {
    // What guests read stands in pages and lists that are cached for all of them.
    of: (viewer) =>
      readFor(
        viewer,
        viewer === null ? contentAt : Math.min(changedAt, performance.now() - SEEN_MS),
      ),
    shared: (viewer) => readFor(viewer, contentAt),
  }
}

/**
 * What a change moves on lists. Likes, comments and views move numbers on cards, which may be seconds old
 * where they are cached; waited for there as well, they would keep a busy site from ever reading a replica.
 */
function shownIn({ kind }: Change): 'content' | 'numbers' | 'nothing' {
  switch (kind) {
    case 'changesMissed':
    case 'itemsChanged':
    case 'personRenamed':
    case 'personErased':
    case 'personSuspended':
      return 'content'
    case 'numbersChanged':
      return 'numbers'
    default:
      return 'nothing'
  }
}
