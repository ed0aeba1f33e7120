/** Counts how far people watch each lesson, from their furthest places in its video. */
import { sql } from 'kysely'
import { CURVE_STEPS, FEWEST_COUNTED } from '#contract/figures.ts'
import { CUSTOM_PLAN, type DbOrTx } from '#server/platform/db/connect.ts'

const STEPS = sql.lit(CURVE_STEPS)
const LEAST = sql.lit(FEWEST_COUNTED)
/** Steps before each tenth of the video, of which there are CURVE_STEPS. */
const BEFORE = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const
const reached = sql.join(BEFORE.map((step) => sql`count(*) filter (where step > ${sql.lit(step)})`))

/**
 * Counts all curves again, because what people have watched since the last count would need an index that each report
 * of a player has to maintain. Lessons with too few viewers get none. A video counts as watched to the end without
 * its last twentieth, as for progress.
 */
export async function countCurves(db: DbOrTx): Promise<void> {
  await sql`${CUSTOM_PLAN}
    with watched as (
      select p.lesson_id, l.owner_id, p.length,
        case when p.finished then ${STEPS} else least(p.furthest * ${STEPS} / p.length, ${STEPS} - 1) end as step
      from lesson_progress p join lessons l on l.id = p.lesson_id
      join users u on u.id = l.owner_id and u.erased_at is null
      where p.length > 0 and p.furthest > 0 and p.user_id <> l.owner_id and l.deleted_at is null
    ), counted as (
      select lesson_id, owner_id, count(*) as viewers,
        percentile_disc(0.5) within group (order by length) as length, array[${reached}] as reached
      from watched group by lesson_id, owner_id having count(*) >= ${LEAST}
    ), gone as (
      delete from lesson_curves c where not exists (select from counted where counted.lesson_id = c.lesson_id)
    )
    insert into lesson_curves as c (lesson_id, owner_id, viewers, length, reached)
    select lesson_id, owner_id, viewers, length, reached from counted
    on conflict (lesson_id) do update
    set viewers = excluded.viewers, length = excluded.length, reached = excluded.reached
    where (c.viewers, c.length, c.reached) is distinct from (excluded.viewers, excluded.length, excluded.reached)`.execute(
    db,
  )
}
