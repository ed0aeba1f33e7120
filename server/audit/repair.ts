/** Mends numbers, and nothing else: what they count is stored, so no one has to decide what is true. */
import { lowerUnread } from '#server/chat/recount.ts'
import { recountLessons } from '#server/courses/recount.ts'
import type { Db } from '#server/db/connect.ts'
import { recountFollowers } from '#server/follows/recount.ts'
import { recountNumbers } from '#server/items/recount.ts'
import { raiseViews } from '#server/lessons/views.ts'

/** How many of each had a wrong number. */
export interface Repaired {
  readonly lessons: number
  readonly courses: number
  readonly conversations: number
  /** Whose followers were counted wrongly. */
  readonly people: number
}

/**
 * Counts again, in batches of 500, while everything else goes on. Lessons come before courses, which sum up the
 * comments of their lessons. @throws what the database throws; what was mended until then stays mended
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
