/** Texts deleted by administrators can be restored for a while. */
import { sql, type RawBuilder } from 'kysely'
import { MODERATED_DAYS, UNDO_DAYS } from '#contract/limits.ts'

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
