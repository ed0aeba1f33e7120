/** Counts the lessons of courses again, for a database that was mended by hand. */
import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { mendItems } from '#server/items/recount.ts'

/** Goes through all courses, and may run while everything else does. Answers how many had a wrong number of lessons. */
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
