/** SQL of the purchases of courses; the only place that writes their table. */
import { sql } from 'kysely'
import { compileOnce } from '#server/db/compiled.ts'
import type { DbOrTx, Tx } from '#server/db/connect.ts'
import { happened } from '#server/notices/happening.ts'
import { purseCte, spentCte } from '#server/points/ledger.ts'
import type { Attempt, UndonePurchase } from '#server/purchases/store.ts'

/**
 * Buys a course, or does nothing, in one statement. As with a lesson, the course is locked before the purse: who
 * buys while it is being deleted or edited waits, and then buys nothing, or what is there after the edit (price and
 * number of lessons are the locked row's own, so they are read again after the wait).
 */
export async function insertCoursePurchase(
  db: DbOrTx,
  userId: string,
  courseId: number,
  at: Date,
): Promise<Attempt> {
  const rows = await purchase(db, { userId, courseId, at })
  return rows[0] ?? { ownerId: null, netAfter: null }
}

const purchase = compileOnce<{ userId: string; courseId: number; at: Date }, Attempt>(
  ['userId', 'courseId', 'at'],
  (db, { userId, courseId, at }) =>
    sql<Attempt>`
    with ${purseCte(userId)}, item as materialized (
      select c.id, c.price, c.owner_id, c.lesson_count, content.title
      from courses c join course_contents content on content.course_id = c.id
      where c.id = ${courseId} and c.deleted_at is null for share of c
    ), purchase as (
      insert into course_purchases (user_id, course_id, price, lessons, created_at)
      select ${userId}::uuid, item.id, item.price, item.lesson_count, ${at}::timestamptz from item
      -- asked only where there is an item, so that all lock in the same order
      where item.owner_id <> ${userId}::uuid and (select net from purse) >= item.price
      on conflict (user_id, course_id) do nothing returning course_id, price
    ), sale as materialized (
      select purchase.price, item.id as item_id, item.title as item_title from purchase join item on item.id = purchase.course_id
    ), told as (${happened({
      kind: 'sold',
      person: sql`item.owner_id`,
      actors: sql`array[${userId}::uuid]`,
      item: { kind: 'course', id: sql`item.id` },
      amount: sql`sale.price`,
      at,
      from: sql`sale join item on item.id = sale.item_id`,
    })}), ${spentCte(userId, 'course', at)}
    select (select owner_id from item) as "ownerId", (select net from spent) as "netAfter"`.compile(
      db,
    ),
)

/** Whether a person bought a course. */
export async function hasBoughtCourse(
  db: DbOrTx,
  userId: string,
  courseId: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('course_purchases')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('course_id', '=', courseId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Takes up to `most` purchases of a locked course back; `price` is what of it was not paid back yet. The refunds
 * are the caller's.
 */
export async function takeCoursePurchases(
  tx: Tx,
  courseId: number,
  most: number,
): Promise<UndonePurchase[]> {
  const { rows } = await sql<UndonePurchase>`
    delete from course_purchases
    where course_id = ${courseId} and user_id in (
      select user_id from course_purchases where course_id = ${courseId} order by user_id limit ${most}
    ) returning user_id as "userId", price - refunded as price`.execute(tx)
  return rows
}

/** What one lesson's share of a purchase pays back. */
export interface PaidShare {
  readonly userId: string
  /** 0 where everything was paid back already. */
  readonly share: number
  /** Of the purchase. */
  readonly id: number
}

/**
 * Gives up to `most` buyers of a locked course one lesson's share of their price, in the order of their purchases,
 * from the one after `after` up to `last`. The refunds are the caller's.
 */
export async function payShares(
  tx: Tx,
  courseId: number,
  { after, last, most }: { after: number; last: number; most: number },
): Promise<PaidShare[]> {
  const { rows } = await sql<PaidShare>`
    with due as (
      select p.id, ${shareOf} as share from course_purchases p
      where p.course_id = ${courseId} and p.id > ${after} and p.id <= ${last}
      order by p.id limit ${most}
    ), paid as (
      update course_purchases set refunded = refunded + due.share
      from due where course_purchases.id = due.id
      returning course_purchases.id, course_purchases.user_id
    )
    select paid.user_id as "userId", due.share, due.id from paid join due using (id) order by due.id`.execute(
    tx,
  )
  return rows
}

/** One lesson's share of the purchase `p`: an equal part, never more than what was not paid back yet. */
export const shareOf = sql<number>`least(p.price / p.lessons, p.price - p.refunded)`

/** Id of the newest purchase of a course; 0: nobody bought it. */
export async function findLastSale(tx: Tx, courseId: number): Promise<number> {
  const row = await tx
    .selectFrom('course_purchases')
    .select((where) => where.fn.max('id').as('last'))
    .where('course_id', '=', courseId)
    .executeTakeFirst()
  return row?.last ?? 0
}
