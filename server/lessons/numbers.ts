/** The numbers of the front page. */
import { sql } from 'kysely'
import type { HomeNumbers } from '#contract/home.ts'
import type { Db } from '#server/db/connect.ts'

export async function countAll(db: Db): Promise<HomeNumbers> {
  const { rows } = await sql<{ lessons: number; authors: number }>`
    select coalesce(sum(made), 0)::bigint as lessons, count(*) as authors
    from (select count(*) as made from lessons where deleted_at is null group by owner_id) by_owner`.execute(
    db,
  )
  return { lessons: rows[0]?.lessons ?? 0, courses: 0, authors: rows[0]?.authors ?? 0 }
}
