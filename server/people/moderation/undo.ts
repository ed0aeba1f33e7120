/** Texts deleted by administrators can be restored for a while, and are then deleted for good. */
import { sql, type RawBuilder } from 'kysely'
import { MODERATED_DAYS, UNDO_DAYS } from '#contract/limits.ts'
import type { Db } from '#server/platform/db/connect.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Deletions since the returned time can be undone. */
export function undoableSince(now: Date): Date {
  return new Date(now.getTime() - UNDO_DAYS * DAY_MS)
}

/** Deletions since the returned time can be undone by an appeal. */
export function keptSince(now: Date): Date {
  return new Date(now.getTime() - MODERATED_DAYS * DAY_MS)
}

/** Deletions after a time, or the one at a time. */
export type DeletionTime = { readonly since: Date } | { readonly at: Date }

/** A condition on a column with the time of the deletion. */
export const wasDeleted = (column: RawBuilder<unknown>, deleted: DeletionTime) =>
  'at' in deleted ? sql`${column} = ${deleted.at}` : sql`${column} > ${deleted.since}`

/** Rows per run. The others follow a minute later. */
const MOST_CLEARED = 1000

/**
 * Deletes rows that can't be restored any more, because deleted texts must not be stored for ever: those of moderators
 * when no appeal can restore them, the others after the undo period. Waits a day longer, so that no moderation list offers a row that is being deleted.
 */
export async function clearDeleted(
  db: Db,
  table: 'comments' | 'ratings',
  now: Date,
): Promise<void> {
  const before = new Date(undoableSince(now).getTime() - DAY_MS)
  const moderated = new Date(keptSince(now).getTime() - DAY_MS)
  const isDue = sql`deleted_at < ${before} and (deleted_at < ${moderated} or deleted_by is null or deleted_by = user_id)`
  await sql`
    delete from ${sql.table(table)} where id in (
      select id from ${sql.table(table)} where ${isDue} order by deleted_at limit ${sql.lit(MOST_CLEARED)}
    ) and ${isDue}`.execute(db)
}
