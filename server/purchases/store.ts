/** SQL of the purchases of lessons; the only place that writes their table. */
import { sql } from 'kysely'
import { compileOnce } from '#server/db/compiled.ts'
import type { DbOrTx, Tx } from '#server/db/connect.ts'
import { isOpenThroughCourse } from '#server/items/entitlement.ts'
import { happened } from '#server/notices/happening.ts'
import { pursesCte, spentCte } from '#server/points/ledger.ts'
import { DUE, paidCte, PAYEE, SALE, shareOf } from '#server/purchases/author-shares.ts'

/** What came of an attempt to buy. */
export interface Attempt {
  /** Null: there is no such item. */
  readonly ownerId: string | null
  /** The buyer's balance after the sale; null when there was no sale. */
  readonly netAfter: number | null
}

/** The same for a lesson, which the viewer may hold already by a course. */
export interface LessonAttempt extends Attempt {
  readonly held: boolean
}

/** Who buys what. */
export interface Buying {
  readonly userId: string
  readonly itemId: number
  /** Of the price, to the author. */
  readonly percent: number
  readonly at: Date
}

/**
 * Buys a lesson, or does nothing, in one statement. The lesson is locked before the purses, as its removal does:
 * who buys while it is being deleted waits, and then pays nothing; who was first is refunded.
 * A lesson that is open through a course is not sold. A course that the same person buys at the same moment may not
 * be seen yet: then the lesson was bought before it, at the price that each of the two has alone.
 *
 * The steps of the statement, each a look-up by key:
 * 1. `item` reads and locks the lesson, shared: sales of it go on side by side, its removal waits. It says what is due
 *    to its author, who is the `payee` only if that is anything.
 * 2. `purses` locks the balances of buyer and payee, and only where there is an item, because `allowed` asks for them
 *    last. So all transactions lock items before balances, and balances in one order.
 * 3. `allowed` has a row when all that is asked for is true: not one's own, not open or bought already, enough points.
 * 4. `paid` counts what the author gets, and `purchase` stores the sale with it. Of two purchases at once by one person
 *    the second did not see the first; it breaks the key, and all of it is undone.
 * 5. `sale` and the parts of `spentCte` (server/points) move the points and write the lines of the ledger.
 *    `told` notes the sale for the owner (server/notices).
 * The answer has a row in any case; which of the conditions failed is asked afterwards, by purchases.ts.
 */
export async function insertPurchase(db: DbOrTx, buying: Buying): Promise<LessonAttempt> {
  const rows = await purchase(db, { ...buying })
  return rows[0] ?? { ownerId: null, netAfter: null, held: false }
}

const purchase = compileOnce<{ [Name in keyof Buying]: Buying[Name] }, LessonAttempt>(
  ['userId', 'itemId', 'percent', 'at'],
  (db, { userId, itemId, percent, at }) =>
    sql<LessonAttempt>`
    with item as materialized (
      select l.id, l.price, l.owner_id, c.title, ${isOpenThroughCourse(userId)} as held,
        ${shareOf('lesson', { id: sql`l.id`, price: sql`l.price` }, percent)} as due
      from lessons l join lesson_contents c on c.lesson_id = l.id
      where l.id = ${itemId} and l.deleted_at is null for share of l
    ), ${pursesCte(userId, PAYEE)}, allowed as materialized (
      select item.id as item_id, item.price, item.title as item_title, item.owner_id as payee, ${DUE} as due from item
      where item.owner_id <> ${userId}::uuid and not item.held
        and not exists (select from lesson_purchases p where p.user_id = ${userId} and p.lesson_id = item.id)
        -- asked only where there is an item, so that all lock in the same order
        and (select net from purse) >= item.price
    ), ${paidCte('lesson')}, ${SALE}, purchase as (
      insert into lesson_purchases (user_id, lesson_id, price, share, created_at)
      select ${userId}::uuid, sale.item_id, sale.price, sale.share, ${at}::timestamptz from sale
    ), told as (${happened({
      kind: 'sold',
      person: sql`sale.payee`,
      actors: sql`array[${userId}::uuid]`,
      item: { kind: 'lesson', id: sql`sale.item_id` },
      amount: sql`sale.price`,
      at,
      from: sql`sale`,
    })}), ${spentCte(userId, 'lesson', at)}
    select (select owner_id from item) as "ownerId", (select net from spent) as "netAfter",
      coalesce((select held from item), false) as held`.compile(db),
)

/** Whether a person bought a lesson itself; a course that holds it does not count. */
export async function hasBought(db: DbOrTx, userId: string, lessonId: number): Promise<boolean> {
  const row = await db
    .selectFrom('lesson_purchases')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('lesson_id', '=', lessonId)
    .executeTakeFirst()
  return row !== undefined
}

/** A purchase that is undone. */
export interface UndonePurchase {
  readonly userId: string
  readonly price: number
  /** What of it the author got, and gives back. */
  readonly share: number
}

/** Takes up to `most` purchases of a lesson back, in the order of the buyers' ids. The refunds are the caller's. */
export async function takePurchases(
  tx: Tx,
  lessonId: number,
  most: number,
): Promise<UndonePurchase[]> {
  const { rows } = await sql<UndonePurchase>`
    delete from lesson_purchases
    where lesson_id = ${lessonId} and user_id in (
      select user_id from lesson_purchases where lesson_id = ${lessonId} order by user_id limit ${most}
    ) returning user_id as "userId", price, share`.execute(tx)
  return rows
}

/** Whether anybody holds a lesson by buying it. */
export async function isSold(tx: Tx, lessonId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('lesson_purchases')
    .select('user_id')
    .where('lesson_id', '=', lessonId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
