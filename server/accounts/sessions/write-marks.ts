/**
 * Who wrote something lately. Their sessions are marked in the database, before the write: whichever node they reach
 * next, by whichever program, finds the mark with the session and reads from the primary until every replica in use has
 * what they wrote. A cookie would not reach programs, and a message to other nodes might come after the person.
 */
import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import type { Route } from '#server/kernel/call.ts'

/**
 * How long a mark holds. A replica is at most 5 seconds behind and a mark up to 5 seconds older than the write, which
 * leaves 10 for clocks that differ after a fail-over.
 */
const HOLDS = sql.lit('20 seconds')
/** A mark of this process that is younger is not written again. */
const YOUNG_MS = 5000
/** People whose last mark is remembered; who is forgotten is marked once more. */
const MOST = 10_000

/** Whoever signed in just now may have written before, elsewhere: a new row begins with a mark. Part of a statement on `sessions`: whether its person wrote something lately. */
export const wroteLately = sql<boolean>`coalesce(sessions.wrote_at > now() - interval ${HOLDS}, false)`

async function mark(db: Db, userId: string): Promise<void> {
  await sql`
    update sessions set wrote_at = now() where user_id = ${userId} and revoked_at is null`.execute(
    db,
  )
}

/**
 * Calls that change something, each of which marks its person first. Where the mark can't be written the call fails as
 * it would without it: nothing has happened yet. A call that took long marks again, so that its end counts.
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
        // It is done: a mark that fails now takes nothing back, and the first one still holds.
        await markOnce(viewer.id).catch(() => undefined)
        return answer
      },
    }
  }
}
