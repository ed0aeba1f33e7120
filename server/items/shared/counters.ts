import { sql } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { TABLES } from '#server/items/shared/tables.ts'

/** Locks an item until the transaction ends, so that concurrent changes wait. Returns null if it doesn't exist. */
export async function lockItem(
  tx: Tx,
  kind: ItemKind,
  itemId: number,
): Promise<{ readonly ownerId: string } | null> {
  const { rows } = await sql<{ ownerId: string }>`
    select owner_id as "ownerId" from ${sql.table(TABLES[kind].narrow)}
    where id = ${itemId} and deleted_at is null for no key update`.execute(tx)
  return rows[0] ?? null
}

/** Adds a like to a locked item and returns the new number. */
export async function countLike(tx: Tx, kind: ItemKind, itemId: number): Promise<number> {
  const { rows } = await sql<{ likes: number }>`
    update ${sql.table(TABLES[kind].narrow)} set likes = likes + 1
    where id = ${itemId} returning likes`.execute(tx)
  return rows[0]?.likes ?? 0
}
