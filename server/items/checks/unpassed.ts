/** Finds self-checks that a person has not passed, for features that require all of them. */
import { sql, type RawBuilder } from 'kysely'
import type { DbOrTx } from '#server/platform/db/connect.ts'

/**
 * SQL condition on a lesson's id: it has questions, and the person never answered all correctly in one attempt.
 * Passing earlier questions counts.
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

/** Returns the lessons whose self-check the person has not passed, ordered by id. */
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
