/**
 * Counts one day of the economy from the ledger. A day's row depends only on entries and accounts up to its end, so
 * that counting it again, or late, gives the same row.
 */
import { sql } from 'kysely'
import { ECONOMY_DAYS, FEWEST_PEOPLE } from '#contract/economy.ts'
import { utcDay } from '#server/kernel/clock.ts'
import { countNumbers } from '#server/operate/economy/day-numbers.ts'
import { countUnusual } from '#server/operate/economy/unusual.ts'
import type { Core } from '#server/platform/core/core.ts'
import { CUSTOM_PLAN, type DbOrTx } from '#server/platform/db/connect.ts'
import { jobKind, NoPayload, type JobContext } from '#server/platform/jobs/job.ts'

/** Runs every minute, usually without anything to do. */
export const COUNT_ECONOMY = jobKind('countEconomy', NoPayload)

const DAY_MS = 24 * 60 * 60 * 1000
/** In ms. A day is counted this long after its end, when its last transactions have ended. */
const SETTLED_MS = 10 * 60 * 1000
/** In ms. Days that are missing after a longer pause continue in the next call. */
const CALL_MS = 5000

/** Counts the days of the last 90 that are missing, the oldest first, and then the unusual accounts. */
export async function countEconomy(
  { db, clock }: Pick<Core, 'db' | 'clock'>,
  { signal }: Pick<JobContext, 'signal'>,
): Promise<void> {
  const until = utcDay(new Date(clock.now().getTime() - SETTLED_MS))
  const yesterday = utcDay(new Date(Date.parse(until) - DAY_MS))
  const missing = await listMissingDays(db, until)
  const stopAt = performance.now() + CALL_MS
  for (const { day, isCounted } of missing) {
    if (signal.aborted || performance.now() > stopAt) return
    if (!isCounted) await countDay(db, day)
    await countNumbers(db, day, day === yesterday)
    if (!isCounted && day === missing.at(-1)?.day) await countUnusual(db, day)
  }
}

/** Counts all days again, after entries of the past were added, as the demo content does. */
export async function recountEconomy(core: Pick<Core, 'db' | 'clock'>): Promise<void> {
  await sql`delete from economy_days`.execute(core.db)
  await countEconomy(core, { signal: new AbortController().signal })
}

/** Lists days before `until` since the first account, at most 90, that have no row, or one without the day's numbers. */
async function listMissingDays(
  db: DbOrTx,
  until: string,
): Promise<{ day: string; isCounted: boolean }[]> {
  const { rows } = await sql<{ day: string; isCounted: boolean }>`
    select to_char(due.day, 'YYYY-MM-DD') as day, d.day is not null as "isCounted"
    from generate_series(${until}::date - ${sql.lit(ECONOMY_DAYS)}::integer, ${until}::date - 1, interval '1 day') due (day)
    left join economy_days d on d.day = due.day::date
    where d.people is null
      and due.day::date >= (select (min(created_at) at time zone 'UTC')::date from users)
    order by 1`.execute(db)
  return rows
}

const isUnlock = sql`e.reason in ('bought', 'trusted')`

/**
 * Counts a UTC day, or counts it again. A balance at the end of the day is the present one without the entries since
 * then, so that only the first unlocks need the whole ledger.
 */
export async function countDay(db: DbOrTx, day: string): Promise<void> {
  const since = new Date(`${day}T00:00:00Z`)
  const until = new Date(since.getTime() + DAY_MS)
  const weekBefore = (time: Date) => new Date(time.getTime() - 7 * DAY_MS)
  const quarterBefore = new Date(until.getTime() - ECONOMY_DAYS * DAY_MS)
  // PostgreSQL uses several processes only for statements that write nothing.
  const { rows } = await sql`${CUSTOM_PLAN}
    with entry as materialized (
      select e.amount, e.reason, e.note from point_entries e where e.created_at >= ${since} and e.created_at < ${until}
    ), later as (
      select e.user_id, sum(e.amount) as amount from point_entries e where e.created_at >= ${until} group by e.user_id
    ), person as materialized (
      select b.net - coalesce(later.amount, 0) as net from point_balances b left join later using (user_id)
    ), holder as (
      select net, row_number() over (order by net) as place, count(*) over () as people from person where net > 0
    ), spread as (
      select max(people) as people, sum(net) as total,
        2 * sum(place * net) / (max(people) * sum(net)) - (max(people) + 1) / max(people)::float8 as gini,
        sum(net) filter (where place > people - ceil(people / 100.0)) as of_top
      from holder
    ), newcomer as (
      select exists (
        select from point_entries e
        where e.user_id = u.id and ${isUnlock} and e.created_at <= u.created_at + interval '7 days'
      ) as has_unlocked
      from users u where u.created_at >= ${weekBefore(since)} and u.created_at < ${weekBefore(until)}
    ), first as (
      select extract(epoch from p.first_unlock - u.created_at) / 86400 as days
      from (
        select e.user_id, min(e.created_at) as first_unlock from point_entries e
        where ${isUnlock} and e.created_at < ${until} group by e.user_id having min(e.created_at) >= ${quarterBefore}
      ) p join users u on u.id = p.user_id
    )
    select ${day}::date as day,
      (select coalesce(sum(net) filter (where net > 0), 0) from person) as supply,
      (select coalesce(-sum(net) filter (where net < 0), 0) from person) as debt,
      (select coalesce(jsonb_object_agg(reason, amount), '{}') from (
        select reason, sum(amount) as amount from entry group by reason having sum(amount) <> 0
      ) sums) as amounts,
      (select count(*) from entry where reason = 'created') as rewarded,
      (select coalesce(jsonb_object_agg(note, count), '{}') from (
        select note, count(*) as count from entry where reason = 'rewardWithheld' group by note
      ) counts) as withheld,
      (select count(*) from entry e where ${isUnlock}) as unlocks,
      (select count(*) from users u where u.created_at >= ${since} and u.created_at < ${until}) as newcomers,
      (select count(*) from newcomer) as joined_week_ago,
      (select count(*) from newcomer where has_unlocked) as unlocked_in_week,
      (select percentile_cont(0.5) within group (order by days) from first) as days_to_unlock,
      (select gini from spread where people >= ${sql.lit(FEWEST_PEOPLE)}) as gini,
      (select of_top / total from spread where people >= ${sql.lit(FEWEST_PEOPLE)}) as top_share`.execute(
    db,
  )
  await sql`
    insert into economy_days as d (
      day, supply, debt, amounts, rewarded, withheld, unlocks, newcomers, joined_week_ago, unlocked_in_week,
      days_to_unlock, gini, top_share
    )
    select day, supply, debt, amounts, rewarded, withheld, unlocks, newcomers, joined_week_ago, unlocked_in_week,
      days_to_unlock, gini, top_share
    from jsonb_populate_record(null::economy_days, ${JSON.stringify(rows[0])}::jsonb)
    on conflict (day) do update set (
      supply, debt, amounts, rewarded, withheld, unlocks, newcomers, joined_week_ago, unlocked_in_week, days_to_unlock,
      gini, top_share
    ) = (
      excluded.supply, excluded.debt, excluded.amounts, excluded.rewarded, excluded.withheld, excluded.unlocks,
      excluded.newcomers, excluded.joined_week_ago, excluded.unlocked_in_week, excluded.days_to_unlock,
      excluded.gini, excluded.top_share
    )`.execute(db)
}
