/** Deleting a lesson undoes it: its reward is taken back and its buyers are refunded. */
import type { ItemKind } from '#contract/points.ts'
import {
  findCoursesOf,
  lockCoursesOf,
  takeLessonOut,
  type HoldingCourse,
} from '#server/items/courses/store.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { releaseUpload } from '#server/platform/files/resources.ts'
import { addJobLater } from '#server/platform/jobs/queue.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { lessonRef } from '#server/platform/events/catalogue.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, notFound } from '#server/kernel/errors.ts'
import { reasonForOwner, requireRight } from '#server/items/shared/access.ts'
import { keepRestorable } from '#server/people/moderation/restorable.ts'
import { lockReadableLesson, vanishLesson } from '#server/items/lessons/store.ts'
import { notifyRemoval } from '#server/people/moderation/reasons.ts'
import { findLostReward } from '#server/people/points/course-rewards.ts'
import { balanceOf, toBalance } from '#server/people/points/ledger.ts'
import { retireFingerprint } from '#server/people/points/fingerprints.ts'
import { withdrawLessonReward } from '#server/people/points/rewards.ts'
import { withdrawLater } from '#server/items/ratings/leaving.ts'
import { VANISH_COMMENTS } from '#server/operate/removal/comments.ts'
import { BATCH, giveBack, takeRefunds, type Refunds } from '#server/items/purchases/refunds.ts'
import { findSharesDue, oweShares, takeShares } from '#server/operate/removal/shares.ts'
import { continueSoon } from '#server/operate/removal/unfinished.ts'
import { findConsequences } from '#server/operate/removal/store.ts'

/**
 * Returns what the delete dialog shows: the refunds, and the owner's kbPoints and debt afterwards.
 * @throws Refusal 404, 403, and 409 for the last lesson of a course
 */
export async function previewRemoval(db: Db, viewer: Viewer, lessonId: number) {
  const found = await findConsequences(db, lessonId)
  if (found === null) throw notFound('lessonNotFound')
  requireRight('delete', viewer, found.ownerId)
  const [holding, lost] = await Promise.all([
    findCoursesOf(db, lessonId),
    findLostReward(db, lessonId),
  ])
  refuseLastLesson(holding)
  const courses = holding
    .filter(({ listed }) => listed)
    .map(({ id, title }) => ({
      id,
      title,
      reward: lost?.courseId === id ? lost.amount : 0,
    }))
  const { buyers, refund, shares, reward, net } = found
  const left = net - reward - shares - (lost?.amount ?? 0)
  return { buyers, refund, shares, reward, courses, ...toBalance(left) }
}

export interface Removal {
  readonly id: number
  /** Required of an administrator. The owner sees it in the ledger. */
  readonly reason: string | undefined
}

/**
 * Deletes a lesson for everybody at once, also from all courses, with up to 1,000 refunds; `continueRemovals`
 * handles the others. Returns the viewer's kbPoints, and the courses that contained it.
 * @throws Refusal 404, 403, and 409 for the last lesson of a course
 */
export async function removeLesson(
  { db, clock }: { db: Db; clock: Clock },
  viewer: Viewer,
  { id, reason }: Removal,
): Promise<{ kbPoints: number; courses: readonly number[] }> {
  const deletedAt = clock.now()
  return db.transaction().execute(async (tx) => {
    const lesson = await lockReadableLesson(tx, id)
    if (lesson === null) throw notFound('lessonNotFound')
    const { ownerId, title } = lesson
    requireRight('delete', viewer, ownerId)
    const note = reasonForOwner(viewer, ownerId, reason)
    const courses = await lockCoursesOf(tx, id)
    refuseLastLesson(courses)
    await undoLesson(tx, {
      id,
      title,
      ownerId,
      courses,
      deletedAt,
      isRestorable: note !== undefined,
    })
    if (note !== undefined) {
      const item = { kind: 'lesson', id, title } as const
      await notifyRemoval(tx, { actorId: viewer.id, ownerId, item, reason: note, at: deletedAt })
    }
    const { kbPoints } = await balanceOf(tx, viewer.id)
    return { kbPoints, courses: courses.map((course) => course.id) }
  })
}

export interface RemovedLesson {
  readonly id: number
  readonly title: string
  readonly ownerId: string
  /** The courses that contain it, locked. */
  readonly courses: readonly HoldingCourse[]
  readonly deletedAt: Date
  /** Stores the contents, so that an appeal can restore them. */
  readonly isRestorable?: boolean
}

/** Removes a locked lesson and undoes its effects. */
export async function undoLesson(tx: Tx, lesson: RemovedLesson): Promise<void> {
  const { id, title, ownerId, courses, deletedAt, isRestorable = false } = lesson
  const refunds = await takeRefunds(tx, { kind: 'lesson', id, title, ownerId })
  await oweShares(tx, { lessonId: id, title }, courses)
  const shares = await takeFirstShares(tx, id, BATCH - refunds.changes.length)
  await giveBack(tx, [refunds, ...shares], deletedAt, [ownerId])
  await takeLessonOut(tx, id)
  const occurrence = removalOf('lesson', id, deletedAt)
  await withdrawLessonReward(tx, { lessonId: id, title, at: deletedAt }, occurrence)
  await retireFingerprint(tx, id, deletedAt)
  if (isRestorable)
    await keepRestorable(tx, { kind: 'lesson', id, ownerId, lessonIds: [], deletedAt })
  else await releaseUpload(tx, id)
  const refundsDue = refunds.changes.length === BATCH
  await vanishLesson(tx, id, { deletedAt, refundsDue, isRestorable })
  await addJobLater(tx, VANISH_COMMENTS, { lessonId: id })
  await withdrawLater(tx, [lessonRef(id)])
  await continueSoon(tx, [refunds, ...shares])
}

/** Identifies what a deletion took back, so that restoring the item gives it back. */
export const removalOf = (kind: ItemKind, id: number, deletedAt: Date) =>
  `removal of ${kind} ${id} ${deletedAt.toISOString()}`

/** A course must have at least one lesson. @throws Refusal 409 that names the course */
function refuseLastLesson(courses: readonly HoldingCourse[]): void {
  const emptied = courses.find(({ listed, lessons }) => listed && lessons <= 1)
  if (emptied !== undefined) throw conflict('lastLessonOf', { title: emptied.title })
}

/** Takes up to `most` of the lesson's shares. The others remain due. */
async function takeFirstShares(tx: Tx, lessonId: number, most: number): Promise<Refunds[]> {
  const taken: Refunds[] = []
  let left = most
  for (const due of await findSharesDue(tx, lessonId)) {
    if (left <= 0) break
    const shares = await takeShares(tx, due, left)
    if (shares === null) continue
    taken.push(shares)
    left -= shares.changes.length
  }
  return taken
}
