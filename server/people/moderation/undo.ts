/** Texts deleted by administrators can be restored for a while, and are then deleted for good. */
import { sql } from 'kysely'
import { UNDO_DAYS } from '#contract/limits.ts'
import type { Db } from '#server/platform/db/connect.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Deletions since the returned time can be undone. */
export function undoableSince(now: Date): Date {
  return new Date(now.getTime() - UNDO_DAYS * DAY_MS)
}

/** Rows per run. The others follow a minute later. */
const MOST_CLEARED = 1000

/**
 * Deletes rows that can't be restored any more, because deleted texts must not be stored for ever. Waits a day
 * longer than the undo period, so that no moderation list offers a row that is being deleted.
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
