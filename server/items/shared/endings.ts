/** Deletion of items, whose refunds may take a while, and of accounts whose items stay with their buyers. */
import { sql } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { takeCover } from '#server/items/shared/cover.ts'
import { itemsOf, TABLES } from '#server/items/shared/tables.ts'

/** Returns up to `most` living items of a person, newest first. */
export async function findItemsOf(
  db: DbOrTx,
  kind: ItemKind,
  ownerId: string,
  most: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select i.id from ${itemsOf(kind)} where i.owner_id = ${ownerId} and i.deleted_at is null
    order by i.id desc limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Removes a locked item for everybody except its buyers. Its cover is drawn from now on. */
export async function leaveToBuyers(
  tx: Tx,
  kind: ItemKind,
  id: number,
  deletedAt: Date,
): Promise<void> {
  await sql`
    update ${sql.table(TABLES[kind].narrow)} set deleted_at = ${deletedAt}, kept_for_buyers = true
    where id = ${id}`.execute(tx)
  await takeCover(tx, kind, id)
}

/** Returns deleted items with outstanding refunds. */
export async function findRefundsDue(db: DbOrTx, kind: ItemKind): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select i.id from ${itemsOf(kind)} where i.refunds_due order by i.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Locks a deleted item with outstanding refunds; returns null if another node has finished it. */
export async function lockRefundsDue(
  tx: Tx,
  kind: ItemKind,
  id: number,
): Promise<{ title: string; ownerId: string } | null> {
  const { contents, id: key } = TABLES[kind]
  const { rows } = await sql<{ title: string; ownerId: string }>`
    select c.title, i.owner_id as "ownerId" from ${itemsOf(kind)} join ${sql.table(contents)} c on c.${sql.ref(key)} = i.id
    where i.id = ${id} and i.refunds_due for update of i`.execute(tx)
  return rows[0] ?? null
}

/** Locks an item, and returns true if it is deleted and its buyers are refunded. */
export async function lockRefunded(tx: Tx, kind: ItemKind, id: number): Promise<boolean> {
  const { rows } = await sql<{ isRefunded: boolean }>`
    select i.deleted_at is not null and not i.refunds_due as "isRefunded" from ${itemsOf(kind)}
    where i.id = ${id} for update of i`.execute(tx)
  return rows[0]?.isRefunded ?? false
}

/** Deletes the contents, which nothing needs after the refunds, unless an appeal can restore them. */
export async function finishRefunds(tx: Tx, kind: ItemKind, id: number): Promise<void> {
  const { rows } = await sql<{ isRestorable: boolean }>`
    update ${sql.table(TABLES[kind].narrow)} set refunds_due = false where id = ${id}
    returning exists (
      select from restorable_items r where r.item_kind = ${kind} and r.item_id = ${id}
    ) as "isRestorable"`.execute(tx)
  if (rows[0]?.isRestorable !== true) await deleteContents(tx, kind, id)
}

/** Deletes contents and title. Other rows still refer to the row itself. */
export async function deleteContents(tx: Tx, kind: ItemKind, id: number): Promise<void> {
  const { contents, id: key, narrow } = TABLES[kind]
  await sql`delete from ${sql.table(contents)} where ${sql.ref(key)} = ${id}`.execute(tx)
  await sql`update ${sql.table(narrow)} set title_folded = '' where id = ${id}`.execute(tx)
}
