import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import { mendItems } from '#server/items/shared/recount.ts'

/**
 * Recounts the lessons of all courses, for a database that was repaired by hand, while the site is in use. Returns
 * the number of courses that were wrong.
 */
export function recountLessons(db: Db): Promise<number> {
  return mendItems(db, 'course', async (tx, ids) => {
    const { numAffectedRows } = await sql`
      update courses k set lesson_count = held.lessons
      from (
        select given.id, (select count(*) from course_lessons l where l.course_id = given.id) as lessons
        from unnest(${ids}::bigint[]) given (id)
      ) held
      where k.id = held.id and k.lesson_count <> held.lessons`.execute(tx)
    return Number(numAffectedRows ?? 0)
  })
}
