/** SQL of the authors' shares of purchases. Only this file writes their table. */
import { sql } from 'kysely'
import { MOST_AUTHOR_SHARE } from '#contract/limits.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import type { ItemRef } from '#server/platform/events/catalogue.ts'

/** Returns the author's share of a purchase at `price`, rounded down. */
export function shareOf(price: number, percent: number): number {
  return Math.min(Math.floor((price * percent) / 100), MOST_AUTHOR_SHARE)
}

/**
 * Returns the author's share of a purchase at `price`, limited to what is left for the item. Ignores sales that are not committed yet; `addShare` includes them.
 */
export async function findShareDue(
  tx: Tx,
  { kind, id }: ItemRef,
  price: number,
  percent: number,
): Promise<number> {
  const due = shareOf(price, percent)
  if (due === 0) return 0
  const row = await tx
    .selectFrom('author_shares')
    .select('paid')
    .where('item_kind', '=', kind)
    .where('item_id', '=', id)
    .executeTakeFirst()
  return Math.min(due, MOST_AUTHOR_SHARE - (row?.paid ?? 0))
}

/** Adds a share to the item's total and returns the part of it that was still available. */
export async function addShare(tx: Tx, { kind, id }: ItemRef, due: number): Promise<number> {
  const left = sql`least(excluded.last, ${MOST_AUTHOR_SHARE} - s.paid)`
  const { rows } = await sql<{ share: number }>`
    insert into author_shares as s (item_kind, item_id, paid, last) values (${kind}, ${id}, ${due}, ${due})
    on conflict (item_kind, item_id) do update set paid = s.paid + ${left}, last = ${left}
    returning last as share`.execute(tx)
  return rows[0]?.share ?? 0
}

/** Subtracts shares that an author gave back. The item must be locked, so that nobody buys it meanwhile. */
export async function uncountShares(tx: Tx, item: ItemRef, amount: number): Promise<void> {
  await sql`
    update author_shares set paid = paid - ${amount}
    where item_kind = ${item.kind} and item_id = ${item.id}`.execute(tx)
}
