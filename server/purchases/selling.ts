/**
 * The statement that sells: of one kind of item, to one person or to several at once. What is bought, by whom and for
 * how much stands in the tables that store.ts and course-store.ts own.
 */
import { sql, type CompiledQuery, type RawBuilder } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import { compileOnce } from '#server/db/compiled.ts'
import type { Db, DbOrTx } from '#server/db/connect.ts'
import { patienceCte } from '#server/db/together.ts'
import { TABLES } from '#server/items/tables.ts'
import { happened } from '#server/notices/happening.ts'
import { PURSES, spentCte } from '#server/points/ledger.ts'
import { sharedCte, shareOf } from '#server/purchases/author-shares.ts'

/** Who buys what. */
export interface Buying {
  readonly userId: string
  readonly itemId: number
}

/** How all of them are sold. */
export interface Terms {
  /** Of the price, to the author. */
  readonly percent: number
  readonly at: Date
  /** For a lock, less than a statement has; null: as everybody. */
  readonly patienceMs: number | null
}

/** What came of an attempt to buy. */
export interface Attempt {
  /** Null: there is no such item. */
  readonly ownerId: string | null
  /** The buyer's balance after the sale; null when there was no sale. */
  readonly netAfter: number | null
  /** It was open to the buyer by something else that they bought. */
  readonly held: boolean
}

/** A purchase that is undone. */
export interface UndonePurchase {
  readonly userId: string
  readonly price: number
  /** What of it the author got, and gives back. */
  readonly share: number
}

/** What is a kind's own. */
interface Kind {
  readonly kind: ItemKind
  /** On `l`, the row of `item`: it is open to somebody who did not buy it. */
  readonly isHeld: (userId: RawBuilder<unknown>) => RawBuilder<boolean>
  /** Columns of `item` besides, from `l`, each behind a comma. */
  readonly more: RawBuilder<unknown>
  /** Stores the rows of `sale`, with `item` beside it. */
  readonly purchase: (at: Date) => RawBuilder<unknown>
}

type Values = { buyings: string } & { [Name in keyof Terms]: Terms[Name] }
interface Row extends Attempt {
  readonly place: number
}

/** Answers a function that sells to people who are named once, and says what came of each in their places. */
export function createSale(own: Kind) {
  const sell = compileOnce<Values, Row>(['buyings', 'percent', 'at', 'patienceMs'], (db, values) =>
    saleOf(own, db, values),
  )
  return async (db: DbOrTx, buyings: readonly Buying[], terms: Terms): Promise<Attempt[]> => {
    const asked = buyings.map(({ userId, itemId }, place) => ({
      place,
      user_id: userId,
      item_id: itemId,
    }))
    const rows = await sell(db, { ...terms, buyings: JSON.stringify(asked) })
    const found = new Map(rows.map((row) => [row.place, row]))
    return buyings.map((_, place) => found.get(place) ?? NOTHING)
  }
}

const NOTHING: Attempt = { ownerId: null, netAfter: null, held: false }

/**
 * The items are locked before the purses, as their removals do: who buys while one is being deleted waits, and then pays
 * nothing; who was first is refunded. What is open through something else is not sold. What the same person buys at the
 * same moment in another statement may not be seen yet: then it was bought before, at the price that each has alone.
 *
 * The steps of the statement, each a look-up by key:
 * 1. `item` reads and locks the items in the order of their ids, shared: sales go on side by side, removals wait.
 * 2. `wish` says of each wish whose the item is, what stands against it, and what would be due to the author.
 * 3. `purses` locks the balances of those who may buy and of authors to whom anything is due, and only where there is
 *    an item. So all transactions lock items before balances, and balances in one order.
 * 4. `allowed` has those for whom all that is asked for is true: not one's own, not open or bought already, enough
 *    points. Nothing is due to an author who has no balance yet, because no line could be written.
 * 5. `paid` counts what the authors get, `sale` has it beside each, and `purchase` stores the sales. Of two purchases of
 *    one thing by one person in two statements the second did not see the first; it breaks the key, and all of it is
 *    undone.
 * 6. The parts of `spentCte` (server/points) move the points and write the lines of the ledger. `told` notes the sales
 *    for the owners (server/notices).
 * Each wish has a row in any case; which of the conditions failed is asked afterwards, by purchases.ts. The wishes come
 * as JSON: by the length of an array PostgreSQL would plan the statement anew each time.
 */
function saleOf(
  { kind, isHeld, more, purchase }: Kind,
  db: Db,
  { buyings, percent, at, patienceMs }: Values,
): CompiledQuery<Row> {
  const { narrow, contents, purchases, id } = TABLES[kind]
  const key = sql.raw(id)
  return sql<Row>`
    with ${patienceCte(patienceMs)}, asked as materialized (
      select * from json_to_recordset(${buyings}::json) as asked (place integer, user_id uuid, item_id bigint)
    ), item as materialized (
      select l.id, l.price, l.owner_id, c.title ${more}
      from patience, ${sql.raw(narrow)} l join ${sql.raw(contents)} c on c.${key} = l.id
      where l.id = any(array(select item_id from asked)) and l.deleted_at is null order by l.id for share of l
    ), wish as materialized (
      select asked.place, asked.user_id, l.id as item_id, l.price, l.owner_id, l.title, known.*
      from asked join item l on l.id = asked.item_id, lateral (
        select ${isHeld(sql`asked.user_id`)} as held, exists (
            select from ${sql.raw(purchases)} p where p.user_id = asked.user_id and p.${key} = l.id
          ) as bought, ${shareOf(kind, { id: sql`l.id`, price: sql`l.price` }, percent)} as due
        -- looked up for each by itself, however many they are taken to be
        limit 1
      ) known
    ), fitting as (
      select * from wish where owner_id <> user_id and not held and not bought
    ), parties as (
      select user_id from fitting union all select owner_id from fitting where due > 0
    ), ${PURSES}, allowed as materialized (
      select w.place, w.user_id, w.item_id, w.price, w.title as item_title, w.owner_id as payee,
        case when author.user_id is null then 0 else w.due end as due
      from fitting w join purses on purses.user_id = w.user_id and purses.net >= w.price
      left join purses author on author.user_id = w.owner_id
    ), ${sharedCte(kind)}, purchase as (${purchase(at)}), told as (${happened({
      kind: 'sold',
      person: sql`sale.payee`,
      actors: sql`array[sale.user_id]`,
      item: { kind, id: sql`sale.item_id` },
      detail: sql`'share'`,
      amount: sql`sale.share`,
      at,
      from: sql`sale`,
    })}), ${spentCte(kind, at)}
    select wish.place, wish.owner_id as "ownerId", wish.held, spent.net as "netAfter"
    from wish left join spent on spent.place = wish.place`.compile(db)
}
