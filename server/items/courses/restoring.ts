import { sql } from 'kysely'
import { markWords } from '#server/items/words/indexing.ts'
import type { Tx } from '#server/platform/db/connect.ts'

/**
 * Lists a locked, deleted course again, with those of these lessons that still exist, which must be locked. Returns
 * false if there is none. Its contents must still be there.
 */
export async function unvanishCourse(
  tx: Tx,
  id: number,
  lessonIds: readonly number[],
): Promise<boolean> {
  const { rows } = await sql`
    with held as materialized (
      select l.id, l.comments, row_number() over (order by given.position)::integer as position
      from unnest(${lessonIds}::bigint[]) with ordinality given (id, position)
      join lessons l on l.id = given.id and l.deleted_at is null
    ), listed as (
      insert into course_lessons (course_id, lesson_id, position) select ${id}::bigint, id, position from held
    )
    update courses set deleted_at = null, lesson_count = held.lessons, comments = held.comments
    from (select count(*) as lessons, sum(comments) as comments from held) held
    where courses.id = ${id} and held.lessons > 0 returning courses.id`.execute(tx)
  if (rows.length === 0) return false
  await sql`
    update course_contents c set free_preview = null
    where c.course_id = ${id} and c.free_preview is not null and not exists (
      select from course_lessons held where held.course_id = c.course_id and held.lesson_id = c.free_preview
    )`.execute(tx)
  await markWords(tx, 'course', id)
  return true
}
