/** Deleting a course undoes it: its reward is taken back and its buyers are refunded. Its lessons remain. */
import { keepRestorable } from '#server/people/moderation/restorable.ts'
import { lockReadableCourse, vanishCourse } from '#server/items/courses/store.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { courseRef } from '#server/platform/events/catalogue.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { notFound } from '#server/kernel/errors.ts'
import { reasonForOwner, requireRight } from '#server/items/shared/access.ts'
import { notifyRemoval } from '#server/people/moderation/reasons.ts'
import { withdrawCourseReward } from '#server/people/points/course-rewards.ts'
import { balanceOf, toBalance } from '#server/people/points/ledger.ts'
import { lessonsEverInCourse, withdrawLater } from '#server/items/ratings/leaving.ts'
import { BATCH, giveBack, takeRefunds } from '#server/items/purchases/refunds.ts'
import { removalOf, type Removal } from '#server/operate/removal/removal.ts'
import { continueSoon } from '#server/operate/removal/unfinished.ts'
import { findCourseConsequences } from '#server/operate/removal/store.ts'

/**
 * Returns what the delete dialog shows: the refunds, and the owner's kbPoints and debt afterwards.
 * @throws Refusal 404, 403
 */
export async function previewCourseRemoval(db: Db, viewer: Viewer, courseId: number) {
  const found = await findCourseConsequences(db, courseId)
  if (found === null) throw notFound('courseNotFound')
  requireRight('delete', viewer, found.ownerId)
  const { buyers, refund, shares, reward, net } = found
  return { buyers, refund, shares, reward, ...toBalance(net - reward - shares) }
}

/**
 * Deletes a course for everybody at once and refunds the rest of the price, to up to 1,000 buyers immediately;
 * `continueRemovals` handles the others. Returns the viewer's kbPoints, and the lesson that was the course's free
 * preview.
 * @throws Refusal 404, 403
 */
export async function removeCourse(
  { db, clock }: { db: Db; clock: Clock },
  viewer: Viewer,
  { id, reason }: Removal,
): Promise<{ kbPoints: number; freePreview: number | null }> {
  const deletedAt = clock.now()
  return db.transaction().execute(async (tx) => {
    const course = await lockReadableCourse(tx, id)
    if (course === null) throw notFound('courseNotFound')
    const { ownerId, title, freePreview, lessons: lessonIds } = course
    requireRight('delete', viewer, ownerId)
    const note = reasonForOwner(viewer, ownerId, reason)
    if (note !== undefined)
      await keepRestorable(tx, { kind: 'course', id, ownerId, lessonIds, deletedAt })
    await undoCourse(tx, { id, title, ownerId, deletedAt, isRestorable: note !== undefined })
    if (note !== undefined) {
      const item = { kind: 'course', id, title } as const
      await notifyRemoval(tx, { actorId: viewer.id, ownerId, item, reason: note, at: deletedAt })
    }
    const { kbPoints } = await balanceOf(tx, viewer.id)
    return { kbPoints, freePreview }
  })
}

export interface RemovedCourse {
  readonly id: number
  readonly title: string
  readonly ownerId: string
  readonly deletedAt: Date
  /** Its contents are stored, so that an appeal can restore them. */
  readonly isRestorable?: boolean
}

/** Removes a locked course and undoes its effects. */
export async function undoCourse(tx: Tx, course: RemovedCourse): Promise<void> {
  const { id, title, ownerId, deletedAt, isRestorable = false } = course
  const refunds = await takeRefunds(tx, { kind: 'course', id, title, ownerId })
  await giveBack(tx, [refunds], deletedAt, [ownerId])
  const occurrence = removalOf('course', id, deletedAt)
  await withdrawCourseReward(tx, { courseId: id, title, at: deletedAt }, occurrence)
  // Buyers may lose access to its lessons, and then their ratings of these lessons.
  await withdrawLater(tx, [courseRef(id), ...(await lessonsEverInCourse(tx, id))])
  const refundsDue = refunds.changes.length === BATCH
  await vanishCourse(tx, id, { deletedAt, refundsDue, isRestorable })
  await continueSoon(tx, [refunds])
}
