/** Ratings are given by who unlocked the item, and go with the right to it. Their sums are counted in counts.ts. */
import { sql } from 'kysely'
import type { Rule } from '#server/audit/rules/rule.ts'
import type { DbOrTx } from '#server/db/connect.ts'
import { isHeld, WITHDRAW_RATINGS } from '#server/ratings/leaving.ts'

/** Where no process has served or worked yet, as in what a backup is tried in, there is no queue to ask. */
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
    // What somebody bought themselves is the rule, and found by joins; only for the others the rest is asked.
    wrong: sql`
      select 'rating ' || r.id as id
      from ratings r
      left join lesson_purchases p on p.lesson_id = r.lesson_id and p.user_id = r.user_id
      left join course_purchases c on c.course_id = r.course_id and c.user_id = r.user_id
      left join lessons l on l.id = r.lesson_id
      left join courses k on k.id = r.course_id
      where r.deleted_at is null and (
        r.user_id = coalesce(l.owner_id, k.owner_id)
        or (p.user_id is null and c.user_id is null and not ${isHeld} and not (${isLeaving}))
      )`,
  }
}
