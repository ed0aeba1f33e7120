/** SQL of what purchases bring the authors of the items; the only place that writes their table. */
import { sql, type RawBuilder } from 'kysely'
import { MOST_AUTHOR_SHARE } from '#contract/limits.ts'
import type { ItemKind } from '#contract/points.schemas.ts'
import type { Tx } from '#server/db/connect.ts'

const MOST = sql.lit(MOST_AUTHOR_SHARE)

/**
 * What a purchase at `price` would bring the author of an item by `percent`, as an expression: rounded down, and never
 * more than is left for the item as the statement saw it. Who is beyond the limit is not even locked, so that only the
 * first purchases of an item wait for one another.
 */
export function shareOf(
  kind: ItemKind,
  item: { readonly id: RawBuilder<number>; readonly price: RawBuilder<number> },
  percent: number,
): RawBuilder<number> {
  return sql<number>`least(${item.price}::bigint * ${percent}::integer / 100, ${MOST} - coalesce((
    select s.paid from author_shares s where s.item_kind = ${sql.lit(kind)} and s.item_id = ${item.id}
  ), 0))::integer`
}

/**
 * Part of the statement of a purchase, to stand after `allowed (item_id, due)`: `paid (share)`, what of `due` there is
 * left for the item now, counted; no row where nothing was due. Of many purchases at once each sees those before it.
 */
export function paidCte(kind: ItemKind): RawBuilder<unknown> {
  const left = sql`least(excluded.last, ${MOST} - s.paid)`
  return sql`paid as (
    insert into author_shares as s (item_kind, item_id, paid, last)
    select ${sql.lit(kind)}, allowed.item_id, allowed.due, allowed.due from allowed where allowed.due > 0
    on conflict (item_kind, item_id) do update set paid = s.paid + ${left}, last = ${left}
    returning last as share
  )`
}

/** Of a statement with `item (owner_id, due)`: its author, if anything is due to them. */
export const PAYEE = sql`(select item.owner_id from item where item.due > 0)`

/** What is due; nothing where the author has no balance yet, because no line could be written. */
export const DUE = sql`case (select count(*) from purses) when 2 then item.due else 0 end`

/** Between `paidCte` and `spentCte`: what is allowed, with what was paid. */
export const SALE = sql`sale as materialized (
      select allowed.price, allowed.item_id, allowed.item_title, allowed.payee,
        coalesce((select paid.share from paid), 0) as share
      from allowed
    )`

/** Counts what was taken back from an author. For who holds the item locked, so that it is not sold meanwhile. */
export async function uncountShares(
  tx: Tx,
  item: { readonly kind: ItemKind; readonly id: number },
  amount: number,
): Promise<void> {
  await sql`
    update author_shares set paid = paid - ${amount}
    where item_kind = ${item.kind} and item_id = ${item.id}`.execute(tx)
}
