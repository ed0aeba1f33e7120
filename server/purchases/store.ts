/** SQL of the purchases of lessons; the only place that writes their table. */
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '#server/db/connect.ts'
import { isOpenThroughCourse } from '#server/items/entitlement.ts'
import { createSale, type UndonePurchase } from '#server/purchases/selling.ts'

/**
 * Sells lessons. One that is open through a course is not sold. A course that the same person buys at the same moment
 * may not be seen yet: then the lesson was bought before it.
 */
export const sellLessons = createSale({
  kind: 'lesson',
  isHeld: isOpenThroughCourse,
  more: sql``,
  purchase: (at) => sql`
    insert into lesson_purchases (user_id, lesson_id, price, share, created_at)
    select user_id, item_id, price, share, ${at}::timestamptz from sale`,
})

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
