import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import type { Clock } from '#server/kernel/clock.ts'

/** Terms of searches without a result, days ago, and people. */
const MISSED = [
  ['ukulele', 2, 7],
  ['ukulele', 9, 5],
  ['хляб без глутен', 4, 6],
  ['calligraphy', 12, 5],
] as const

/**
 * Adds searches without a result, and spreads the views of each lesson over the days since its publication, as if they
 * had been counted. Idempotent.
 */
export async function fillFigures({
  db,
  clock,
}: {
  readonly db: Db
  readonly clock: Clock
}): Promise<void> {
  const now = clock.now()
  await sql`
    insert into item_days (
      owner_id, day, item_kind, item_id, views, unlocks, converted, done, likes, comments, ratings, stars, earned, returned
    )
    select owner_id, day, 'lesson', id, count(*), 0, 0, 0, 0, 0, 0, 0, 0, 0
    from lessons l, lateral (
      -- multiples of the golden ratio spread evenly without a pattern
      select ((l.created_at + (${now} - l.created_at) * mod(view * 0.618034, 1)::float8) at time zone 'UTC')::date as day
      from generate_series(1, l.views) view
    ) spread
    where l.deleted_at is null and not exists (
      select from item_days counted where counted.item_kind = 'lesson' and counted.item_id = l.id and counted.views > 0
    )
    group by owner_id, day, id
    on conflict do nothing`.execute(db)
  await sql`
    insert into missed_terms (day, term, people)
    select ${now}::date - ago, term, people from (values ${sql.join(
      MISSED.map(([term, ago, people]) => sql`(${term}, ${ago}::integer, ${people}::integer)`),
    )}) missed (term, ago, people)
    where not exists (select from missed_terms)
    on conflict do nothing`.execute(db)
}
