import { sql } from 'kysely'
import type { SignIn } from '#contract/sessions.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'

/** More than anybody looks through; people with more can end all others at once. */
const MOST = 100

/** Lists this session first, then the others by last use. */
export async function listSessions(
  db: DbOrTx,
  { id, sessionId }: Pick<Viewer, 'id' | 'sessionId'>,
  now: Date,
): Promise<SignIn[]> {
  const isHere = sql<boolean>`id = ${sessionId}::uuid`
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'browser', 'system', 'created_at', 'rotated_at', isHere.as('here')])
    .where('user_id', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy(isHere, 'desc')
    .orderBy('rotated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    browser: row.browser,
    system: row.system,
    date: row.created_at.toISOString(),
    seen: row.rotated_at.toISOString(),
    here: row.here,
  }))
}

/** Returns false when the person has no such session, or it has ended already. */
export async function endOwnSession(
  db: DbOrTx,
  userId: string,
  sessionId: string,
  now: Date,
): Promise<boolean> {
  const row = await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
