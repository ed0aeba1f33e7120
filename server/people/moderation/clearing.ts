/** Deletes texts that moderators or their writers deleted for good. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import { pendingSubjects } from '#server/people/moderation/appeals/pending.ts'
import { keptSince, undoableSince } from '#server/people/moderation/undo.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const DELETIONS = { comments: 'commentDeleted', ratings: 'ratingDeleted' } as const

/** Rows per run. The others follow a minute later. */
const MOST_CLEARED = 1000

/**
 * Deletes rows that can't be restored any more, because deleted texts must not be stored for ever: those of moderators
 * when no appeal can restore them, the others after the undo period. Waits a day longer, so that no moderation list
 * offers a row that is being deleted.
 */
export async function clearDeleted(
  db: Db,
  table: keyof typeof DELETIONS,
  now: Date,
): Promise<void> {
  const before = new Date(undoableSince(now).getTime() - DAY_MS)
  const moderated = new Date(keptSince(now).getTime() - DAY_MS)
  const isDue = sql`deleted_at < ${before} and (
    deleted_by is null or deleted_by = user_id
    or (deleted_at < ${moderated} and id::text not in (${pendingSubjects([DELETIONS[table]], now)}))
  )`
  await sql`
    delete from ${sql.table(table)} where id in (
      select id from ${sql.table(table)} where ${isDue} order by deleted_at limit ${sql.lit(MOST_CLEARED)}
    ) and ${isDue}`.execute(db)
}
