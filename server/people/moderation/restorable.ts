/** Items that administrators deleted, and that an appeal can restore. */
import { sql } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import { pendingSubjects } from '#server/people/moderation/appeals/pending.ts'
import { keptSince } from '#server/people/moderation/undo.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'

export interface RestorableItem {
  readonly kind: ItemKind
  readonly id: number
  readonly ownerId: string
  /** Of a course, in order. */
  readonly lessonIds: readonly number[]
  readonly deletedAt: Date
}

/** Call it in the transaction of the deletion, before the refunds are finished. */
export async function keepRestorable(tx: Tx, item: RestorableItem): Promise<void> {
  await sql`
    insert into restorable_items (item_kind, item_id, owner_id, lesson_ids, deleted_at)
    values (${item.kind}, ${item.id}, ${item.ownerId}, ${item.lessonIds}::bigint[], ${item.deletedAt})`.execute(
    tx,
  )
}

/** Returns the lessons of a course, whose locks come before that of the course. */
export async function findRestorableLessons(tx: Tx, courseId: number): Promise<readonly number[]> {
  const { rows } = await sql<{ lessonIds: number[] }>`
    select lesson_ids as "lessonIds" from restorable_items
    where item_kind = 'course' and item_id = ${courseId}`.execute(tx)
  return rows[0]?.lessonIds ?? []
}

/** Takes an item out of the table. Null if it isn't there. */
export async function takeRestorable(
  tx: Tx,
  kind: ItemKind,
  id: number,
): Promise<RestorableItem | null> {
  const { rows } = await sql<RestorableItem>`
    delete from restorable_items where item_kind = ${kind} and item_id = ${id}
    returning item_kind as kind, item_id as id, owner_id as "ownerId", lesson_ids as "lessonIds",
      deleted_at as "deletedAt"`.execute(tx)
  return rows[0] ?? null
}

/** Returns some items that no appeal can restore any more, or whose owners have erased their accounts. */
export async function findUnrestorable(
  db: DbOrTx,
  now: Date,
  most: number,
): Promise<readonly { readonly kind: ItemKind; readonly id: number }[]> {
  const { rows } = await sql<{ kind: ItemKind; id: number }>`
    select item_kind as kind, item_id as id from restorable_items r
    where (r.deleted_at < ${keptSince(now)} and case r.item_kind
        when 'lesson' then r.item_id::text not in (${pendingSubjects(['lessonDeleted'], now)})
        else r.item_id::text not in (${pendingSubjects(['courseDeleted'], now)})
      end) or exists (select from users u where u.id = r.owner_id and u.erased_at is not null)
    order by r.deleted_at limit ${most}`.execute(db)
  return rows
}
