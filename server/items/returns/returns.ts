/** Gives a purchase back: its price returns to the buyer, who loses access, and the author's share is taken back. */
import type { ItemKind } from '#contract/points.ts'
import { dropOffersForLocked } from '#server/items/captions/store.ts'
import { endKeptLessons, lockReadableCourse } from '#server/items/courses/store.ts'
import { lockReadableLesson } from '#server/items/lessons/store.ts'
import { takeCoursePurchase } from '#server/items/purchases/course-store.ts'
import { giveBack } from '#server/items/purchases/refunds.ts'
import { takePurchase } from '#server/items/purchases/store.ts'
import { lessonsEverInCourse, withdrawLater } from '#server/items/ratings/leaving.ts'
import { findReturnFacts, lockPurchase } from '#server/items/returns/store.ts'
import { judgeReturn } from '#server/items/shared/details/returnable.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, notFound } from '#server/kernel/errors.ts'
import { balanceOf, countReturns, lockBalances } from '#server/people/points/ledger.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { courseRef } from '#server/platform/events/catalogue.ts'
import { record } from '#server/platform/events/outbox.ts'

const KINDS = {
  lesson: {
    event: 'lesson.returned',
    missing: 'lessonNotFound',
    lock: lockReadableLesson,
    take: takePurchase,
  },
  course: {
    event: 'course.returned',
    missing: 'courseNotFound',
    lock: lockReadableCourse,
    take: takeFromCourse,
  },
} as const

/**
 * Returns an item and the viewer's new kbPoints. The item is locked like for a rating, a comment, or a report that
 * it is done, and the purchase like for an opening, so each of them comes before this and is seen, or after it and
 * is refused.
 * @throws Refusal 404 when there is no such item, 409 that says why it can't be returned
 */
export function returnItem(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  kind: ItemKind,
  viewer: Viewer,
  itemId: number,
): Promise<{ kbPoints: number }> {
  const { event, missing, lock, take } = KINDS[kind]
  const userId = viewer.id
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const found = await lock(tx, itemId)
    if (found === null) throw notFound(missing)
    const { ownerId, title } = found
    const item = { kind, id: itemId, title }
    if (!(await lockPurchase(tx, item, userId))) throw conflict('returnNotBought')
    // Counts the month's returns under the lock, which makes those of one person run one at a time.
    await lockBalances(tx, [userId, ownerId])
    const verdict = judgeReturn(await findReturnFacts(tx, item, userId, at), at)
    if (verdict.until === null) throw conflict(verdict.refusal)
    const returns = await countReturns(tx, userId, item)
    const sale = await take(tx, itemId, userId)
    if (sale === null) throw new Error(`the locked purchase of ${kind} ${itemId} is gone`)
    await dropOffersForLocked(tx, userId)
    const { price, share } = sale
    const refund = {
      cause: { reason: verdict.reason, item, occurrence: String(returns) },
      changes: [{ userId, amount: price }],
      share: { ownerId, amount: share, occurrence: `returned ${userId} ${returns}` },
    }
    await giveBack(tx, [refund], at)
    const sold = { item: { kind, id: itemId }, ownerId, buyerId: userId, price, share }
    await record(tx, { type: event, ...sold }, at)
    const { kbPoints } = await balanceOf(tx, userId)
    return { kbPoints }
  })
}

/** The buyer's ratings of the course and of the lessons that it opened end with their right. */
async function takeFromCourse(tx: Tx, courseId: number, userId: string) {
  const sale = await takeCoursePurchase(tx, courseId, userId)
  if (sale === null) return null
  await withdrawLater(tx, [courseRef(courseId), ...(await lessonsEverInCourse(tx, courseId))])
  await endKeptLessons(tx, courseId, sale.id)
  return sale
}
