/** Courses of a person whose account is erased: those that were sold are kept for their buyers. */
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '#server/db/connect.ts'
import { takeCover } from '#server/items/cover.ts'

/** Takes a locked course away from everybody but those who bought it; its lessons stay in it. */
export async function keepCourseForBuyers(tx: Tx, id: number, deletedAt: Date): Promise<void> {
  await tx
    .updateTable('courses')
    .set({ deleted_at: deletedAt, kept_for_buyers: true })
    .where('id', '=', id)
    .execute()
  await takeCover(tx, 'course', id)
}

/** Whether a course that is kept for its buyers holds a lesson, or kept it for some of them. */
export async function isInKeptCourse(tx: Tx, lessonId: number): Promise<boolean> {
  const { rows } = await sql`
    select from (
      select course_id from course_lessons where lesson_id = ${lessonId}
      union all select course_id from course_kept_lessons where lesson_id = ${lessonId}
    ) held join courses k on k.id = held.course_id where k.kept_for_buyers limit 1`.execute(tx)
  return rows.length > 0
}

/** Up to `most` living courses of a person. */
export async function findCoursesBy(db: DbOrTx, ownerId: string, most: number): Promise<number[]> {
  const rows = await db
    .selectFrom('courses')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return rows.map((row) => row.id)
}
