/** What administrators delete of others' words: it can be brought back for a while, and is forgotten after it. */
import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

/** So long a deletion by an administrator can be undone; afterwards the row stays deleted for good. */
const UNDO_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000

/** What was deleted since then can be brought back. */
export function undoableSince(now: Date): Date {
  return new Date(now.getTime() - UNDO_DAYS * DAY_MS)
}

/** Rows at a time; the others have their turn a minute later. */
const MOST_CLEARED = 1000

/**
 * Deletes the rows of what nobody can bring back any more: what people deleted must not be stored for ever. A day more
 * than the undo has, so that no list of the desk offers what is going.
 */
export async function clearDeleted(
  db: Db,
  table: 'comments' | 'ratings',
  now: Date,
): Promise<void> {
  const before = new Date(undoableSince(now).getTime() - DAY_MS)
  await sql`
    delete from ${sql.table(table)} where id in (
      select id from ${sql.table(table)} where deleted_at < ${before} order by deleted_at limit ${sql.lit(MOST_CLEARED)}
    ) and deleted_at < ${before}`.execute(db)
}
