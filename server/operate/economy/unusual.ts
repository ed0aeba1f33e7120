/** Finds accounts that earn, buy or rate in an unusual way, for a person to look at. It proves nothing. */
import { sql } from 'kysely'
import type { UnusualAccount } from '#contract/economy.ts'
import type { Db, DbOrTx } from '#server/platform/db/connect.ts'

/** Days of the entries that are looked at. */
const DAYS = 30
/** From these counts on, an account is unusual: withheld rewards, rewards taken back, people, and points. */
export const FROM = {
  withheld: 5,
  takenBack: 5,
  mutual: 3,
  stars: 3,
  earner: 1000,
} as const satisfies Record<UnusualAccount['what'], number>
/** An earner has at least this part of all points made. */
const EARNER_SHARE = 0.1
/** Only the most unusual accounts are stored. */
const MOST = 10

/** Replaces the list by that of the 30 days until the end of this UTC day. */
export async function countUnusual(db: Db, day: string): Promise<void> {
  const until = sql`(${day}::date + 1)::timestamp at time zone 'UTC'`
  const isRecent = (column: string) => {
    const at = sql.ref(column)
    return sql`${at} < ${until} and ${at} >= ${until} - make_interval(days => ${sql.lit(DAYS)})`
  }
  await db.transaction().execute(async (tx) => {
    await sql`delete from unusual_accounts`.execute(tx)
    await sql`
      with entry as materialized (
        select e.user_id, e.amount, e.reason from point_entries e
        where e.reason in ('created', 'rewardWithheld', 'rewardWithdrawn') and ${isRecent('e.created_at')}
      ), bought as (
        select distinct p.user_id as buyer, l.owner_id as author
        from lesson_purchases p join lessons l on l.id = p.lesson_id where ${isRecent('p.created_at')}
      ), praised as (
        select distinct r.user_id as fan, coalesce(l.owner_id, c.owner_id) as author
        from ratings r left join lessons l on l.id = r.lesson_id left join courses c on c.id = r.course_id
        where r.stars = 5 and r.deleted_at is null and ${isRecent('r.created_at')}
      ), earned as (
        select user_id, sum(amount) as points, sum(sum(amount)) over () as total
        from entry where reason <> 'rewardWithheld' group by user_id
      ), found as (
        select user_id, 'withheld' as what, count(*) as count, ${sql.lit(FROM.withheld)} as least
        from entry where reason = 'rewardWithheld' group by user_id
        union all
        select user_id, 'takenBack', count(*), ${sql.lit(FROM.takenBack)}
        from entry where reason = 'rewardWithdrawn' group by user_id
        union all
        select one.buyer, 'mutual', count(*), ${sql.lit(FROM.mutual)}
        from bought one join bought other on other.buyer = one.author and other.author = one.buyer group by one.buyer
        union all
        select one.fan, 'stars', count(*), ${sql.lit(FROM.stars)}
        from praised one join praised other on other.fan = one.author and other.author = one.fan group by one.fan
        union all
        select user_id, 'earner', points, ${sql.lit(FROM.earner)}
        from earned where points >= ${sql.lit(EARNER_SHARE)} * total
      )
      insert into unusual_accounts (user_id, what, count)
      select f.user_id, f.what, f.count from found f join users u on u.id = f.user_id
      where f.count >= f.least and u.erased_at is null
      order by f.count::float8 / f.least desc, f.user_id, f.what limit ${sql.lit(MOST)}`.execute(tx)
  })
}

/** Removes an erased person from the list. */
export async function forgetUnusual(db: DbOrTx, userId: string): Promise<void> {
  await sql`delete from unusual_accounts where user_id = ${userId}`.execute(db)
}
