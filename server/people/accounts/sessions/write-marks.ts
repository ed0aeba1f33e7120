/**
 * Marks the sessions of people who wrote recently, in the database and before the write. Whichever node they reach
 * next finds the mark with the session and reads from the primary until every replica in use has the write.
 * Programs send no cookies, and a message to other nodes could arrive after the person.
 */
import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import type { Route } from '#server/kernel/call.ts'

/**
 * How long a mark holds. A replica lags by at most 5 seconds and a mark is at most 5 seconds older than the write,
 * which leaves 10 for clocks that differ after a failover.
 */
const HOLDS = sql.lit('20 seconds')
/** In ms; a younger mark of this process isn't renewed. */
const YOUNG_MS = 5000
/** People whose last mark is in memory; anybody else is marked again. */
const MOST = 10_000

/**
 * A part of statements on `sessions`: true when the person wrote recently. New rows begin with a mark, because
 * somebody who has just signed in may have written elsewhere before.
 */
export const wroteLately = sql<boolean>`coalesce(sessions.wrote_at > now() - interval ${HOLDS}, false)`

async function mark(db: Db, userId: string): Promise<void> {
  await sql`
    update sessions set wrote_at = now() where user_id = ${userId} and revoked_at is null`.execute(
    db,
  )
}

/**
 * Wraps calls that change something, so that each marks its person first. If marking fails, the call fails before
 * anything has happened. After a long call marks again, so that its end counts.
 */
export function markWrites(db: Db): (route: Route) => Route {
  const marked = new BoundedMap<string, number>({ most: MOST })
  const isYoung = (userId: string) =>
    performance.now() - (marked.get(userId) ?? Number.NEGATIVE_INFINITY) < YOUNG_MS
  const markOnce = async (userId: string) => {
    if (isYoung(userId)) return
    const at = performance.now()
    await mark(db, userId)
    marked.set(userId, at)
  }
  return (route) => {
    if (route.endpoint.methods[0] === 'GET') return route
    return {
      ...route,
      run: async (context, input) => {
        const { viewer } = context
        if (viewer === null) return route.run(context, input)
        await markOnce(viewer.id)
        const answer = await route.run(context, input)
        // The call has succeeded, so a failed mark must not undo it; the first mark still holds.
        await markOnce(viewer.id).catch(() => undefined)
        return answer
      },
    }
  }
}
