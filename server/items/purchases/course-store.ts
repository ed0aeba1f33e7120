/** SQL of purchases of courses. Only this file writes their table. */
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import type { OnSale, Sale, UndonePurchase } from '#server/items/purchases/store.ts'

/**
 * Locks a course until the transaction ends. Concurrent sales are allowed, but wait for edits and then buy the new
 * version. Returns null when there is no such course.
 */
export async function lockCourseOnSale(tx: Tx, courseId: number): Promise<OnSale | null> {
  const { rows } = await sql<OnSale>`
    select k.owner_id as "ownerId", k.price, c.title
    from courses k join course_contents c on c.course_id = k.id
    where k.id = ${courseId} and k.deleted_at is null
    for share of k`.execute(tx)
  return rows[0] ?? null
}

/** Stores a purchase with the number of lessons it pays for. The caller moves the points. */
export async function insertCoursePurchase(tx: Tx, courseId: number, sale: Sale): Promise<void> {
  await sql`
    insert into course_purchases (user_id, course_id, price, lessons, share, with_token, created_at)
    select ${sale.userId}, id, ${sale.price}, lesson_count, ${sale.share}, ${sale.withToken}, ${sale.at}
    from courses where id = ${courseId}`.execute(tx)
}

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

/** Deletes up to `most` purchases of a locked course; `price` is what was not refunded yet. The caller pays. */
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

/**
 * Deletes one person's purchase of a locked course; `price` is what was not refunded yet. Returns null if there is
 * none. The caller pays the refund.
 */
export async function takeCoursePurchase(
  tx: Tx,
  courseId: number,
  userId: string,
): Promise<(UndonePurchase & { readonly id: number }) | null> {
  const { rows } = await sql<UndonePurchase & { id: number }>`
    delete from course_purchases where user_id = ${userId} and course_id = ${courseId}
    returning id, user_id as "userId", price - refunded as price, share`.execute(tx)
  return rows[0] ?? null
}

/** The refund of one lesson's part of a purchase. */
export interface PaidPart {
  readonly userId: string
  /** 0 if everything was refunded already. */
  readonly part: number
  /** The author's share of the part, which is taken back. */
  readonly share: number
  /** The id of the purchase. */
  readonly id: number
}

/**
 * Refunds one lesson's part to up to `most` buyers of a locked course, in the order of their purchases, from the
 * one after `after` up to `last`. The caller pays.
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

/** One lesson's part of the purchase `p`: an equal part, limited to what was not refunded yet. */
export const partOf = sql<number>`least(p.price / p.lessons, p.price - p.refunded)`

/**
 * The author's share of the part. It is computed so that the rest stays their share of the remaining price,
 * rounded down, and the last part takes the rest.
 */
export const shareOfPart = sql<number>`(p.share - coalesce(
  p.share * (p.price - p.refunded - ${partOf}) / nullif(p.price - p.refunded, 0), 0
))::integer`

/** The id of a course's newest purchase; 0 if there is none. */
export async function findLastSale(tx: Tx, courseId: number): Promise<number> {
  const row = await tx
    .selectFrom('course_purchases')
    .select((where) => where.fn.max('id').as('last'))
    .where('course_id', '=', courseId)
    .executeTakeFirst()
  return row?.last ?? 0
}
