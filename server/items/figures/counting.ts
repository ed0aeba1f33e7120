/**
 * Counts what happened to items, by UTC day. A day can be counted again at any time: views that are no longer there
 * keep the number that was counted before, everything else is read again.
 */
import { sql, type RawBuilder } from 'kysely'
import { SUMS } from '#contract/figures.ts'
import { countCurves } from '#server/items/figures/curves.ts'
import { countMissedTerms } from '#server/items/search/misses.ts'
import { utcDay } from '#server/kernel/clock.ts'
import type { Core } from '#server/platform/core/core.ts'
import { CUSTOM_PLAN, type Db, type DbOrTx, type Tx } from '#server/platform/db/connect.ts'
import { jobKind, NoPayload, type JobContext } from '#server/platform/jobs/job.ts'

/** Runs every minute, usually without anything to do. */
export const COUNT_FIGURES = jobKind('countFigures', NoPayload)

const DAY_MS = 24 * 60 * 60 * 1000
/** In ms. A day is counted this long after its end, when its last transactions have ended and its views are written. */
const SETTLED_MS = 10 * 60 * 1000
/** In ms. Days that are missing after that continue in the next call. */
const CALL_MS = 5000
/** Days in one statement, because each statement reads some tables from end to end. */
const DAYS_AT_ONCE = 31
/** A year, and the year before it to compare with. */
const STORED_DAYS = 730

/** Counts days that are missing, the oldest first. The first call counts the past. */
export async function countFigures(
  { db, clock }: Pick<Core, 'db' | 'clock'>,
  { signal }: Pick<JobContext, 'signal'>,
): Promise<void> {
  const until = utcDay(new Date(clock.now().getTime() - SETTLED_MS))
  const stopAt = performance.now() + CALL_MS
  for (;;) {
    const first = await findMissingDay(db, until)
    if (first === null) return
    if (signal.aborted || performance.now() > stopAt) return
    const end = addDays(first, DAYS_AT_ONCE)
    await countDays(db, first, end < until ? end : until)
    if (end < until) continue
    await countCurves(db)
    await deleteOldDays(db, until)
  }
}

/** Counts all days again, after the past was changed, as the demo content does. */
export async function recountFigures(core: Pick<Core, 'db' | 'clock'>): Promise<void> {
  await sql`delete from figure_days`.execute(core.db)
  await countFigures(core, { signal: new AbortController().signal })
}

export const addDays = (day: string, days: number): string =>
  utcDay(new Date(Date.parse(day) + days * DAY_MS))

/** The oldest day before `until` that was not counted, since the first account. */
async function findMissingDay(db: DbOrTx, until: string): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select to_char(min(due.day), 'YYYY-MM-DD') as day
    from generate_series(
      greatest(${until}::date - ${sql.lit(STORED_DAYS)}::integer, (select (min(created_at) at time zone 'UTC')::date from users)),
      ${until}::date - 1, interval '1 day'
    ) due (day)
    where not exists (select from figure_days f where f.day = due.day::date)`.execute(db)
  return rows[0]?.day ?? null
}

/** Counts the days from `first` to before `end`, or counts them again. */
export function countDays(db: Db, first: string, end: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await noteDays(tx, first, end)
    await countItems(tx, first, end)
    await sumAuthors(tx, first, end)
    await sumMonths(tx, first, end)
    await countMissedTerms(tx, first, end)
  })
}

async function noteDays(tx: Tx, first: string, end: string): Promise<void> {
  await sql`
    insert into figure_days as f (day, has_views)
    select due.day::date, exists (select from lesson_views v where v.day = due.day::date)
      or exists (select from item_days i where i.day = due.day::date and i.views > 0)
    from generate_series(${first}::date, ${end}::date - 1, interval '1 day') due (day)
    on conflict (day) do update set has_views = f.has_views or excluded.has_views`.execute(tx)
}

const dayOf = (column: string) => sql`(${sql.ref(column)} at time zone 'UTC')::date`

/** The columns of all sums, each of which a part of the statement counts or leaves at 0. */
const columns = sql.join(SUMS.map((name) => sql.ref(name)))
const part = (counts: Partial<Readonly<Record<(typeof SUMS)[number], RawBuilder<unknown>>>>) =>
  sql.join(SUMS.map((name) => counts[name] ?? sql.lit(0)))
const MANY = sql`count(*)`

/** Reads the ledger, and each table of acts, for the days. Authors' own acts don't count. */
async function countItems(tx: Tx, first: string, end: string): Promise<void> {
  const isWithin = (column: string) => {
    const at = sql.ref(column)
    return sql`${at} >= ${first}::date::timestamp at time zone 'UTC' and ${at} < ${end}::date::timestamp at time zone 'UTC'`
  }
  const sumOf = (reasons: readonly string[]) =>
    sql`coalesce(sum(e.amount) filter (where e.reason in (${sql.join(reasons.map((reason) => sql.lit(reason)))})), 0)`
  // Views that are already deleted stay as they were counted. Rows without them are made anew.
  await sql`delete from item_days where day >= ${first}::date and day < ${end}::date and views = 0`.execute(
    tx,
  )
  await sql`${CUSTOM_PLAN}
    with seen as (
      select day, lesson_id, count(*) as views from lesson_views
      where day >= ${first}::date and day < ${end}::date group by day, lesson_id
      union all
      select day, item_id, views from item_days
      where day >= ${first}::date and day < ${end}::date and item_kind = 'lesson'
    ), completed as (
      select p.lesson_id, coalesce(p.done_at, case when p.marked then p.marked_at else p.placed_at end) as at
      from lesson_progress p join lessons l on l.id = p.lesson_id
      where coalesce(p.marked, p.finished) and p.user_id <> l.owner_id
    ), part (day, item_kind, item_id, ${columns}) as (
      select day, 'lesson', lesson_id, ${part({ views: sql`max(views)` })} from seen group by day, lesson_id
      union all
      select ${dayOf('e.created_at')}, e.item_kind, e.item_id, ${part({
        unlocks: sql`count(*) filter (where e.reason in ('bought', 'trusted'))`,
        earned: sumOf(['created', 'share']),
        returned: sql`-${sumOf(['rewardWithdrawn', 'shareReturned', 'deletedByAdministrator'])}`,
      })}
      from point_entries e where ${isWithin('e.created_at')} and e.item_id is not null group by 1, 2, 3
      union all
      select ${dayOf('c.at')}, 'lesson', c.lesson_id, ${part({ done: MANY })}
      from completed c where ${isWithin('c.at')} group by 1, 3
      union all
      select ${dayOf('k.created_at')}, 'lesson', k.lesson_id, ${part({ likes: MANY })}
      from lesson_likes k where ${isWithin('k.created_at')} group by 1, 3
      union all
      select ${dayOf('k.created_at')}, 'course', k.course_id, ${part({ likes: MANY })}
      from course_likes k where ${isWithin('k.created_at')} group by 1, 3
      union all
      select ${dayOf('m.created_at')}, 'lesson', m.lesson_id, ${part({ comments: MANY })}
      from comments m join lessons l on l.id = m.lesson_id
      where ${isWithin('m.created_at')} and m.deleted_at is null and m.user_id <> l.owner_id group by 1, 3
      union all
      select ${dayOf('r.created_at')}, case when r.course_id is null then 'lesson' else 'course' end,
        coalesce(r.course_id, r.lesson_id), ${part({ ratings: MANY, stars: sql`sum(r.stars)` })}
      from ratings r where ${isWithin('r.created_at')} and r.deleted_at is null group by 1, 2, 3
    ), summed as (
      select day, item_kind, item_id, ${sql.join(SUMS.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))}
      from part group by day, item_kind, item_id
    ), owned as (
      select 'lesson' as item_kind, id as item_id, owner_id from lessons
      union all select 'course', id, owner_id from courses
    ), known as (select min(day) as since from figure_days where has_views)
    insert into item_days (owner_id, day, item_kind, item_id, ${columns})
    select o.owner_id, s.day, s.item_kind, s.item_id, ${sql.join(
      SUMS.map((name) =>
        name === 'converted'
          ? sql`case when s.item_kind = 'lesson' and s.day >= known.since then s.unlocks else 0 end`
          : sql.ref(`s.${name}`),
      ),
    )}
    from summed s join owned o using (item_kind, item_id) join users u on u.id = o.owner_id cross join known
    where u.erased_at is null and (${sql.join(
      SUMS.map((name) => sql`s.${sql.ref(name)} <> 0`),
      sql` or `,
    )})
    on conflict (owner_id, day, item_kind, item_id)
      do update set (${columns}) = (${sql.join(SUMS.map((name) => sql.ref(`excluded.${name}`)))})`.execute(
    tx,
  )
}

const summedUp = sql.join(SUMS.map((name) => sql`sum(${sql.ref(name)})`))

async function sumAuthors(tx: Tx, first: string, end: string): Promise<void> {
  await sql`delete from author_days where day >= ${first}::date and day < ${end}::date`.execute(tx)
  await sql`
    insert into author_days (owner_id, day, ${columns})
    select owner_id, day, ${summedUp} from item_days
    where day >= ${first}::date and day < ${end}::date group by owner_id, day`.execute(tx)
}

/** Months that go on are summed too, but nobody reads them before their end. */
async function sumMonths(tx: Tx, first: string, end: string): Promise<void> {
  const isWithin = (column: string) => {
    const day = sql.ref(column)
    return sql`${day} >= date_trunc('month', ${first}::date)::date
      and ${day} < (date_trunc('month', ${end}::date - 1) + interval '1 month')::date`
  }
  await sql`delete from item_months where ${isWithin('month')}`.execute(tx)
  await sql`
    insert into item_months (owner_id, month, item_kind, item_id, ${columns})
    select owner_id, date_trunc('month', day)::date, item_kind, item_id, ${summedUp} from item_days
    where ${isWithin('day')} group by 1, 2, 3, 4`.execute(tx)
}

async function deleteOldDays(db: DbOrTx, until: string): Promise<void> {
  const oldest = sql`${until}::date - ${sql.lit(STORED_DAYS)}::integer`
  await sql`delete from item_days where day < ${oldest}`.execute(db)
  await sql`delete from author_days where day < ${oldest}`.execute(db)
  await sql`delete from item_months where month + interval '1 month' <= ${oldest}`.execute(db)
}

/** Deletes the figures of an erased author. */
export async function forgetFigures(db: DbOrTx, userId: string): Promise<void> {
  await sql`delete from item_days where owner_id = ${userId}`.execute(db)
  await sql`delete from item_months where owner_id = ${userId}`.execute(db)
  await sql`delete from author_days where owner_id = ${userId}`.execute(db)
  await sql`delete from lesson_curves where owner_id = ${userId}`.execute(db)
}
