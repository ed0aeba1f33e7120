/**
 * Handles the items of an erased person: sold items stay available to their buyers and keep their reward;
 * everything else is deleted as by its owner. Each item has its own transaction, so that the work can be
 * interrupted anywhere.
 */
import { isInLeftCourse, lockCourse, lockCoursesOf } from '#server/items/courses/store.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { findItemsOf, leaveToBuyers } from '#server/items/shared/endings.ts'
import { leaveLessonToBuyers, lockLesson } from '#server/items/lessons/store.ts'
import { findLastSale } from '#server/items/purchases/course-store.ts'
import { isSold } from '#server/items/purchases/store.ts'
import { dropTrustedShares } from '#server/items/purchases/trusted-shares.ts'
import { undoCourse } from '#server/operate/removal/course-removal.ts'
import { undoLesson } from '#server/operate/removal/removal.ts'
import { markWords } from '#server/items/words/indexing.ts'

const BATCH = 100

/**
 * Handles courses first, because they decide which lessons remain. Stops after `most` items (all by default) and
 * returns whether it has finished.
 */
export async function eraseItems(
  db: Db,
  ownerId: string,
  now: Date,
  most = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  let left = most
  for (const kind of ['course', 'lesson'] as const) {
    let found = await findItemsOf(db, kind, ownerId, BATCH)
    while (found.length > 0) {
      for (const id of found) {
        if (left <= 0) return false
        await db.transaction().execute((tx) => ERASE[kind](tx, id, now))
        left -= 1
      }
      found = await findItemsOf(db, kind, ownerId, BATCH)
    }
  }
  return true
}

const ERASE = { lesson: eraseLesson, course: eraseCourse } as const

async function eraseCourse(tx: Tx, id: number, deletedAt: Date): Promise<void> {
  const course = await lockCourse(tx, id)
  // Somebody else deleted it in the meantime.
  if (course === null) return
  await markWords(tx, 'course', id)
  // Checked after locking: concurrent purchases have committed, and no new one is possible.
  if ((await findLastSale(tx, id)) > 0) await leaveToBuyers(tx, 'course', id, deletedAt)
  else await undoCourse(tx, { id, title: course.title, ownerId: course.ownerId, deletedAt })
}

async function eraseLesson(tx: Tx, id: number, deletedAt: Date): Promise<void> {
  const lesson = await lockLesson(tx, id)
  if (lesson === null) return
  if ((await isSold(tx, id)) || (await isInLeftCourse(tx, id))) {
    await leaveLessonToBuyers(tx, id, deletedAt)
    await dropTrustedShares(tx, id)
    return
  }
  const { title, ownerId } = lesson
  const holding = await lockCoursesOf(tx, id)
  await undoLesson(tx, { id, title, ownerId, courses: holding, deletedAt })
}
