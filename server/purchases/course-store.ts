/** SQL of the purchases of courses; the only place that writes their table. */
import { sql } from 'kysely'
import { compileOnce } from '#server/db/compiled.ts'
import type { DbOrTx, Tx } from '#server/db/connect.ts'
import { happened } from '#server/notices/happening.ts'
import { pursesCte, spentCte } from '#server/points/ledger.ts'
import { DUE, paidCte, PAYEE, SALE, shareOf } from '#server/purchases/author-shares.ts'
import type { Attempt, Buying, UndonePurchase } from '#server/purchases/store.ts'

/**
 * Buys a course, or does nothing, in one statement. As with a lesson, the course is locked before the purse: who
 * buys while it is being deleted or edited waits, and then buys nothing, or what is there after the edit (price and
 * number of lessons are the locked row's own, so they are read again after the wait).
 */
export async function insertCoursePurchase(db: DbOrTx, buying: Buying): Promise<Attempt> {
  const rows = await purchase(db, { ...buying })
  return rows[0] ?? { ownerId: null, netAfter: null }
}

const purchase = compileOnce<{ [Name in keyof Buying]: Buying[Name] }, Attempt>(
  ['userId', 'itemId', 'percent', 'at'],
  (db, { userId, itemId, percent, at }) =>
    sql<Attempt>`
    with item as materialized (
      select c.id, c.price, c.owner_id, c.lesson_count, content.title,
        ${shareOf('course', { id: sql`c.id`, price: sql`c.price` }, percent)} as due
      from courses c join course_contents content on content.course_id = c.id
      where c.id = ${itemId} and c.deleted_at is null for share of c
    ), ${pursesCte(userId, PAYEE)}, allowed as materialized (
      select item.id as item_id, item.price, item.title as item_title, item.owner_id as payee, ${DUE} as due from item
      where item.owner_id <> ${userId}::uuid
        and not exists (select from course_purchases p where p.user_id = ${userId} and p.course_id = item.id)
        -- asked only where there is an item, so that all lock in the same order
        and (select net from purse) >= item.price
    ), ${paidCte('course')}, ${SALE}, purchase as (
      insert into course_purchases (user_id, course_id, price, lessons, share, created_at)
      select ${userId}::uuid, item.id, item.price, item.lesson_count, sale.share, ${at}::timestamptz
      from item join sale on sale.item_id = item.id
    ), told as (${happened({
      kind: 'sold',
      person: sql`sale.payee`,
      actors: sql`array[${userId}::uuid]`,
      item: { kind: 'course', id: sql`sale.item_id` },
      amount: sql`sale.price`,
      at,
      from: sql`sale`,
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
    ) returning user_id as "userId", price - refunded as price, share`.execute(tx)
  return rows
}

/** What one lesson's part of a purchase pays back. */
export interface PaidPart {
  readonly userId: string
  /** 0 where everything was paid back already. */
  readonly part: number
  /** What of it the author got, and gives back. */
  readonly share: number
  /** Of the purchase. */
  readonly id: number
}

/**
 * Gives up to `most` buyers of a locked course one lesson's part of their price, in the order of their purchases,
 * from the one after `after` up to `last`. The refunds are the caller's.
 */
export async function payParts(
  tx: Tx,
  courseId: number,
  { after, last, most }: { after: number; last: number; most: number },
): Promise<PaidPart[]> {
  const { rows } = await sql<PaidPart>`
    with due as (
      select p.id, ${partOf} as part, ${shareOfPart} as share from course_purchases p
      where p.course_id = ${courseId} and p.id > ${after} and p.id <= ${last}
      order by p.id limit ${most}
    ), paid as (
      update course_purchases set refunded = refunded + due.part, share = course_purchases.share - due.share
      from due where course_purchases.id = due.id
      returning course_purchases.id, course_purchases.user_id
    )
    select paid.user_id as "userId", due.part, due.share, due.id from paid join due using (id) order by due.id`.execute(
    tx,
  )
  return rows
}

/** One lesson's part of the purchase `p`: an equal one, never more than what was not paid back yet. */
export const partOf = sql<number>`least(p.price / p.lessons, p.price - p.refunded)`

/**
 * What the author gives back with it: of what is left of the price they keep their share, rounded down, so that the
 * last part takes the last point.
 */
export const shareOfPart = sql<number>`(p.share - coalesce(
  p.share * (p.price - p.refunded - ${partOf}) / nullif(p.price - p.refunded, 0), 0
))::integer`

/** Id of the newest purchase of a course; 0: nobody bought it. */
export async function findLastSale(tx: Tx, courseId: number): Promise<number> {
  const row = await tx
    .selectFrom('course_purchases')
    .select((where) => where.fn.max('id').as('last'))
    .where('course_id', '=', courseId)
    .executeTakeFirst()
  return row?.last ?? 0
}
