/** SQL of what purchases bring the authors of the items; the only place that writes their table. */
import { sql, type RawBuilder } from 'kysely'
import { MOST_AUTHOR_SHARE } from '#contract/limits.ts'
import type { ItemKind } from '#contract/points.ts'
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
 * Part of the statement of purchases, to stand after `allowed (place, user_id, item_id, price, item_title, payee, due)`:
 * counts what there is left for each item now of all that is due of it, and defines `sale` with it as `share`, the first
 * place first. Of purchases at once in several statements each sees those before it.
 */
export function sharedCte(kind: ItemKind): RawBuilder<unknown> {
  const left = sql`least(excluded.last, ${MOST} - s.paid)`
  return sql`paid as (
    insert into author_shares as s (item_kind, item_id, paid, last)
    select ${sql.lit(kind)}, item_id, least(sum(due), ${MOST}), least(sum(due), ${MOST}) from allowed
    where due > 0 group by item_id order by item_id
    on conflict (item_kind, item_id) do update set paid = s.paid + ${left}, last = ${left}
    returning item_id, last as left
  ), sale as materialized (
    select allowed.place, allowed.user_id, allowed.item_id, allowed.price, allowed.item_title, allowed.payee,
      greatest(0, least(allowed.due, coalesce(paid.left, 0) - coalesce(sum(allowed.due) over before, 0)))::integer as share
    from allowed left join paid on paid.item_id = allowed.item_id
    window before as (partition by allowed.item_id order by allowed.place rows between unbounded preceding and 1 preceding)
  )`
}

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
