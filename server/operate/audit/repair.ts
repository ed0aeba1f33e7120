/** Repairs only counts. They can be recomputed from stored rows, so that nobody has to decide what is correct. */
import { lowerUnread } from '#server/community/chat/recount.ts'
import { recountLessons } from '#server/items/courses/recount.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { recountFollowers } from '#server/items/follows/recount.ts'
import { recountNumbers } from '#server/items/shared/recount.ts'
import { raiseViews } from '#server/items/lessons/views.ts'

/** Number of corrected rows. */
export interface Repaired {
  readonly lessons: number
  readonly courses: number
  readonly conversations: number
  /** People with a wrong number of followers. */
  readonly people: number
}

/**
 * Recounts in batches of 500 while the site runs. Lessons come before courses, which sum up the comments of their
 * lessons.
 * @throws errors of the database; finished batches stay corrected
 */
export async function repairCounts(db: Db): Promise<Repaired> {
  const numbers = await recountNumbers(db, 'lesson')
  const views = await raiseViews(db)
  const held = await recountLessons(db)
  const sums = await recountNumbers(db, 'course')
  const conversations = await lowerUnread(db)
  const people = await recountFollowers(db)
  return { lessons: numbers + views, courses: held + sums, conversations, people }
}
