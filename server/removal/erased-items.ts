/**
 * The lessons and courses of an erased person: what was sold stays open to those who bought it, with the reward that
 * it earned; all else is undone as by its owner. One item in one transaction, so that it can be interrupted anywhere.
 */
import { isInLeftCourse, lockCourse, lockCoursesOf } from '#server/courses/store.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { findItemsOf, leaveToBuyers } from '#server/items/endings.ts'
import { leaveLessonToBuyers, lockLesson } from '#server/lessons/store.ts'
import { findLastSale } from '#server/purchases/course-store.ts'
import { isSold } from '#server/purchases/store.ts'
import { undoCourse } from '#server/removal/course-removal.ts'
import { undoLesson } from '#server/removal/removal.ts'
import { markWords } from '#server/words/indexing.ts'

const BATCH = 100

/**
 * Courses come first: which lessons stay hangs on them. Stops after `most` items, all of them unless given; answers
 * whether it came to the end.
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
  // Deleted by somebody else meanwhile.
  if (course === null) return
  await markWords(tx, 'course', id)
  // Asked after the lock: who was buying has bought it by now, and nobody buys it any more.
  if ((await findLastSale(tx, id)) > 0) await leaveToBuyers(tx, 'course', id, deletedAt)
  else await undoCourse(tx, { id, title: course.title, ownerId: course.ownerId, deletedAt })
}

async function eraseLesson(tx: Tx, id: number, deletedAt: Date): Promise<void> {
  const lesson = await lockLesson(tx, id)
  if (lesson === null) return
  if ((await isSold(tx, id)) || (await isInLeftCourse(tx, id))) {
    await leaveLessonToBuyers(tx, id, deletedAt)
    return
  }
  const { title, ownerId } = lesson
  const holding = await lockCoursesOf(tx, id)
  await undoLesson(tx, { id, title, ownerId, courses: holding, deletedAt })
}
