/** SQL of the purchases of lessons; the only place that writes their table. */
import { sql } from 'kysely'
import { compileOnce } from '#server/db/compiled.ts'
import type { DbOrTx, Tx } from '#server/db/connect.ts'
import { isOpenThroughCourse } from '#server/items/entitlement.ts'
import { happened } from '#server/notices/happening.ts'
import { purseCte, spentCte } from '#server/points/ledger.ts'

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

/**
 * Buys a lesson, or does nothing, in one statement. The lesson is locked before the purse, as its removal does:
 * who buys while it is being deleted waits, and then pays nothing; who was first is refunded.
 * A lesson that is open through a course is not sold. A course that the same person buys at the same moment may not
 * be seen yet: then the lesson was bought before it, at the price that each of the two has alone.
 *
 * The steps of the statement, each a look-up by key:
 * 1. `item` reads and locks the lesson, shared: sales of it go on side by side, its removal waits.
 * 2. `purse` locks the buyer's balance, and only where there is an item, because `purchase` asks for it last. So all
 *    transactions lock items before balances.
 * 3. `purchase` inserts the sale when all that is asked for is true: not one's own, not open already, enough points.
 * 4. `sale` and the parts of `spentCte` (server/points) take the price and write the line of the ledger: for each row
 *    of `purchase`, so at most once. `told` notes it for the owner (server/notices).
 * The answer has a row in any case; which of the conditions failed is asked afterwards, by purchases.ts.
 */
export async function insertPurchase(
  db: DbOrTx,
  userId: string,
  lessonId: number,
  at: Date,
): Promise<LessonAttempt> {
  const rows = await purchase(db, { userId, lessonId, at })
  return rows[0] ?? { ownerId: null, netAfter: null, held: false }
}

const purchase = compileOnce<{ userId: string; lessonId: number; at: Date }, LessonAttempt>(
  ['userId', 'lessonId', 'at'],
  (db, { userId, lessonId, at }) =>
    sql<LessonAttempt>`
    with ${purseCte(userId)}, item as materialized (
      select l.id, l.price, l.owner_id, c.title, ${isOpenThroughCourse(userId)} as held
      from lessons l join lesson_contents c on c.lesson_id = l.id
      where l.id = ${lessonId} and l.deleted_at is null for share of l
    ), purchase as (
      insert into lesson_purchases (user_id, lesson_id, price, created_at)
      select ${userId}::uuid, item.id, item.price, ${at}::timestamptz from item
      -- asked only where there is an item, so that all lock in the same order
      where item.owner_id <> ${userId}::uuid and not item.held and (select net from purse) >= item.price
      on conflict do nothing returning lesson_id, price
    ), sale as materialized (
      select purchase.price, item.id as item_id, item.title as item_title from purchase join item on item.id = purchase.lesson_id
    ), told as (${happened({
      kind: 'sold',
      person: sql`item.owner_id`,
      actors: sql`array[${userId}::uuid]`,
      item: { kind: 'lesson', id: sql`item.id` },
      amount: sql`sale.price`,
      at,
      from: sql`sale join item on item.id = sale.item_id`,
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
    ) returning user_id as "userId", price`.execute(tx)
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
