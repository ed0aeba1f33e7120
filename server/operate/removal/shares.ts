/**
 * Refunds a deleted lesson's share of the courses that were sold with it. A table stores what is due until the
 * last buyer is paid, so that any process can continue.
 */
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import type { HoldingCourse } from '#server/items/courses/store.ts'
import { findLastSale, payParts } from '#server/items/purchases/course-store.ts'
import { BATCH, sumOf, type Refunds } from '#server/items/purchases/refunds.ts'
import { lockCourseTitle } from '#server/operate/removal/store.ts'

/** A deleted lesson, and a course that was sold with it. */
export interface DueShare {
  readonly lessonId: number
  readonly courseId: number
}

/** Records what is due to the buyers of these courses. The transaction must have locked the courses. */
export async function oweShares(
  tx: Tx,
  lesson: { lessonId: number; title: string },
  courses: readonly HoldingCourse[],
): Promise<void> {
  for (const course of courses) {
    const lastPurchase = course.lastPurchase ?? (await findLastSale(tx, course.id))
    if (lastPurchase === 0) continue
    await tx
      .insertInto('course_shares_due')
      .values({
        lesson_id: lesson.lessonId,
        course_id: course.id,
        lesson_title: lesson.title,
        last_purchase: lastPurchase,
      })
      .execute()
  }
}

/** Ordered by lesson and course, for one lesson or for all. */
export async function findSharesDue(db: DbOrTx, lessonId?: number): Promise<DueShare[]> {
  const all = db
    .selectFrom('course_shares_due')
    .select(['lesson_id as lessonId', 'course_id as courseId'])
    .orderBy('lesson_id')
    .orderBy('course_id')
  return (lessonId === undefined ? all : all.where('lesson_id', '=', lessonId)).execute()
}

/**
 * Takes up to `most` shares from the purchases. Returns null if nothing is due any more. The lock on the course
 * ensures that each buyer is paid once.
 */
export async function takeShares(
  tx: Tx,
  { lessonId, courseId }: DueShare,
  most = BATCH,
): Promise<Refunds | null> {
  const { title, ownerId } = await lockCourseTitle(tx, courseId)
  const due = await tx
    .selectFrom('course_shares_due')
    .select(['lesson_title', 'last_purchase', 'paid_up_to'])
    .where('lesson_id', '=', lessonId)
    .where('course_id', '=', courseId)
    .executeTakeFirst()
  if (due === undefined) return null
  const paid = await payParts(tx, courseId, {
    after: due.paid_up_to,
    last: due.last_purchase,
    most,
  })
  const last = paid.at(-1)
  if (last === undefined || paid.length < most || last.id === due.last_purchase)
    await tx
      .deleteFrom('course_shares_due')
      .where('lesson_id', '=', lessonId)
      .where('course_id', '=', courseId)
      .execute()
  else
    await tx
      .updateTable('course_shares_due')
      .set({ paid_up_to: last.id })
      .where('lesson_id', '=', lessonId)
      .where('course_id', '=', courseId)
      .execute()
  const item = { kind: 'course', id: courseId, title: title ?? '' } as const
  return {
    cause: { reason: 'lessonGone', item, occurrence: String(lessonId), note: due.lesson_title },
    changes: paid.map(({ userId, part }) => ({ userId, amount: part })),
    // Purchases are paid in the order of their ids, so that no two batches start with the same one.
    share: { ownerId, amount: sumOf(paid), occurrence: `${lessonId} ${paid[0]?.id ?? 0}` },
  }
}
