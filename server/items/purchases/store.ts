/** SQL of purchases of lessons. Only this file writes their table. */
import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/connect.ts'
import { isBought, isOpenThroughCourse, isVideoGone } from '#server/items/shared/entitlement.ts'

export interface OnSale {
  readonly ownerId: string
  readonly price: number
  readonly title: string
  readonly videoGone?: boolean
}

export interface Sale {
  readonly userId: string
  readonly price: number
  /** The author's share of the price. */
  readonly share: number
  /** True if a program bought it. */
  readonly withToken: boolean
  readonly at: Date
}

export interface UndonePurchase {
  readonly userId: string
  readonly price: number
  /** The author's share, which is taken back. */
  readonly share: number
}

/** Locks a lesson until the transaction ends: other sales may go on, edits and deletions wait. Null if missing. */
export async function lockLessonOnSale(tx: Tx, lessonId: number): Promise<OnSale | null> {
  const { rows } = await sql<OnSale>`
    select l.owner_id as "ownerId", l.price, c.title, ${isVideoGone(sql`l.id`)} as "videoGone"
    from lessons l join lesson_contents c on c.lesson_id = l.id
    where l.id = ${lessonId} and l.deleted_at is null
    for share of l`.execute(tx)
  return rows[0] ?? null
}

/** True if a person bought the lesson, or a course that opens it to them. */
export async function isOpenToBuyer(tx: Tx, userId: string, lessonId: number): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`
    select ${isBought(userId)} or ${isOpenThroughCourse(userId)} as "isOpen"
    from lessons l where l.id = ${lessonId}`.execute(tx)
  return rows[0]?.isOpen ?? false
}

/** The caller moves the points. */
export async function insertPurchase(tx: Tx, lessonId: number, sale: Sale): Promise<void> {
  const { userId, price, share, withToken, at } = sale
  await tx
    .insertInto('lesson_purchases')
    .values({
      user_id: userId,
      lesson_id: lessonId,
      price,
      share,
      with_token: withToken,
      created_at: at,
    })
    .execute()
}

/** Stores the share of a purchase whose author had none before. */
export async function writeShare(
  tx: Tx,
  { userId, lessonId, share }: { userId: string; lessonId: number; share: number },
): Promise<void> {
  await tx
    .updateTable('lesson_purchases')
    .set({ share })
    .where('user_id', '=', userId)
    .where('lesson_id', '=', lessonId)
    .execute()
}

/** Deletes up to `most` purchases of a lesson, in the order of the buyers' ids. The caller pays the refunds. */
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

/** Deletes one person's purchase of a locked lesson. Returns null if there is none. The caller pays the refund. */
export async function takePurchase(
  tx: Tx,
  lessonId: number,
  userId: string,
): Promise<UndonePurchase | null> {
  const row = await tx
    .deleteFrom('lesson_purchases')
    .where('user_id', '=', userId)
    .where('lesson_id', '=', lessonId)
    .returning(['user_id as userId', 'price', 'share'])
    .executeTakeFirst()
  return row ?? null
}

/** True if anybody has bought the lesson. */
export async function isSold(tx: Tx, lessonId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('lesson_purchases')
    .select('user_id')
    .where('lesson_id', '=', lessonId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
