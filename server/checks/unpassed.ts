/** Which self-checks somebody has still to pass: for what asks that all are. */
import { sql, type RawBuilder } from 'kysely'
import type { DbOrTx } from '#server/db/connect.ts'

/**
 * On the id of a lesson, as SQL: it asks something, and the person never had all of it right in one attempt. A pass of
 * earlier questions counts.
 */
function isUnpassed(
  lessonId: RawBuilder<unknown>,
  userId: string | RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`(exists (select from lesson_checks asked where asked.lesson_id = ${lessonId} and asked.size > 0)
    and not exists (
      select from check_results result
      where result.user_id = ${userId}::uuid and result.lesson_id = ${lessonId} and result.passed_at is not null
    ))`
}

/** Those of the lessons whose self-check the person has not passed, in the order of their ids. */
export async function findUnpassedChecks(
  db: DbOrTx,
  userId: string,
  lessonIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select lesson.id from unnest(${lessonIds}::bigint[]) as lesson (id)
    where ${isUnpassed(sql`lesson.id`, userId)} order by lesson.id`.execute(db)
  return rows.map(({ id }) => id)
}
