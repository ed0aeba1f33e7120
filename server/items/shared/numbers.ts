import { sql } from 'kysely'
import type { HomeNumbers } from '#contract/home.ts'
import type { Db } from '#server/platform/db/connect.ts'

/**
 * Counts all lessons, courses and authors by one scan of an index of lessons, grouped by owner. The time grows
 * with their number, so the result is cached (count-cache.ts).
 */
export async function countAll(db: Db): Promise<HomeNumbers> {
  const { rows } = await sql<HomeNumbers>`
    select coalesce(sum(made), 0)::bigint as lessons, count(*) as authors,
      (select count(*) from courses where deleted_at is null) as courses
    from (select count(*) as made from lessons where deleted_at is null group by owner_id) by_owner`.execute(
    db,
  )
  return rows[0] ?? { lessons: 0, courses: 0, authors: 0 }
}
