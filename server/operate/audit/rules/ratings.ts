/**
 * Only people who unlocked an item may rate it, and their rating goes with that right. counts.ts checks the sums.
 */
import { sql } from 'kysely'
import type { Rule } from '#server/operate/audit/rules/rule.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'
import { hasAccess, WITHDRAW_RATINGS } from '#server/items/ratings/leaving.ts'

/** Before a process has run, as in the database that tests a backup, there is no queue to query. */
export async function findRatingRule(db: DbOrTx): Promise<Rule> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('graphile_worker.jobs') is not null as there`.execute(db)
  const isLeaving =
    rows[0]?.there === true
      ? sql`exists (select from graphile_worker.jobs where task_identifier = ${sql.lit(WITHDRAW_RATINGS.name)})`
      : sql`false`
  return {
    name: 'ratingWithoutRight',
    what: 'A rating is left of somebody who does not hold the item, or who made it, and no job is about to take it away.',
    // Joins whole tables, since nearly all ratings are valid, and checks only the rest one by one.
    wrong: sql`
      with unlocked_otherwise as (
        select r.id, r.lesson_id, r.course_id, r.user_id from ratings r
        where r.deleted_at is null
          and not exists (select from lesson_purchases p where p.lesson_id = r.lesson_id and p.user_id = r.user_id)
          and not exists (select from course_purchases p where p.course_id = r.course_id and p.user_id = r.user_id)
      ), suspect as materialized (
        select r.* from unlocked_otherwise r
        where not exists (
          select from course_lessons held join course_purchases p on p.course_id = held.course_id
          where held.lesson_id = r.lesson_id and p.user_id = r.user_id
        )
      )
      select 'rating ' || r.id as id from suspect r where not ${hasAccess} and not (${isLeaving})
      union
      select 'rating ' || r.id from ratings r join lessons l on l.id = r.lesson_id and l.owner_id = r.user_id
      where r.deleted_at is null
      union
      select 'rating ' || r.id from ratings r join courses k on k.id = r.course_id and k.owner_id = r.user_id
      where r.deleted_at is null`,
  }
}
