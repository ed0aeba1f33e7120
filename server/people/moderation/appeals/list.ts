/** Appeals as administrators see them, and their figures. */
import { sql, type RawBuilder } from 'kysely'
import { APPEALABLE, type AppealableAction, type DeskAppeal } from '#contract/appeals.ts'
import { EXACT_TOTAL, ROWS_PER_PAGE } from '#contract/limits.ts'
import { shownPerson } from '#server/people/accounts/answer.ts'
import { peopleNamed } from '#server/people/accounts/named.ts'
import { mentions } from '#server/platform/db/folded-search.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { isAutomated, toAct } from '#server/people/moderation/appeals/acts.ts'
import { toAppeal, type StoredAppeal } from '#server/people/moderation/appeals/store.ts'

interface Person {
  readonly id: string
  readonly name: string
  readonly picture: string | null
}

interface Row extends StoredAppeal {
  readonly action: AppealableAction
  readonly subjectId: string | null
  readonly subject: string | null
  readonly reason: string | null
  readonly actedAt: Date
  readonly person: Person
  readonly actor: Person | null
  readonly decider: Person | null
}

/** Open appeals, oldest first, or decided ones, newest first. The total is exact up to 10,000. */
export async function listAppeals(
  db: Db,
  query: { readonly decided: boolean; readonly page: number; readonly search: string },
): Promise<{ appeals: DeskAppeal[]; total: number }> {
  const { decided, page, search } = query
  const found =
    search.trim() === ''
      ? sql`true`
      : sql`(${mentions('text', search)} or user_id in (${peopleNamed(search)}))`
  const state = sql`decided_at ${decided ? sql`is not null` : sql`is null`} and ${found}`
  const order = decided ? sql`decided_at desc, id desc` : sql`id`
  const offset = (page - 1) * ROWS_PER_PAGE
  const { rows } = await sql<(Row | { id: null }) & { found: number }>`
    with total as materialized (
      select count(*) as found from (select 1 from appeals where ${state} limit ${sql.lit(EXACT_TOTAL)}) counted
    )
    select total.found, shown.* from total left join (
      ${shown(sql`select *, row_number() over () as place from (
        select * from appeals where ${state} order by ${order} limit ${sql.lit(ROWS_PER_PAGE)} offset ${offset}
      ) found`)}
    ) shown on true order by shown.place`.execute(db)
  return {
    appeals: rows
      .filter((row): row is Row & { found: number } => row.id !== null)
      .map(toDeskAppeal),
    total: rows[0]?.found ?? 0,
  }
}

/** Returns one appeal as in the list, or null. */
export async function findDeskAppeal(db: Db, id: number): Promise<DeskAppeal | null> {
  const { rows } = await shown(sql`select *, 1 as place from appeals where id = ${id}`).execute(db)
  return rows[0] === undefined ? null : toDeskAppeal(rows[0])
}

const face = (id: RawBuilder<unknown>) => sql`(
  select jsonb_build_object('id', u.id, 'name', u.username, 'picture', p.key)
  from users u left join pictures p on p.id = u.picture_id where u.id = ${id}
)`

const shown = (page: RawBuilder<unknown>) => sql<Row>`
  select a.place, a.id, a.user_id as "userId", a.act_id as "actId", a.lesson_id as "lessonId", a.text,
    a.created_at as "createdAt", a.decided_at as "decidedAt", a.granted, a.answer,
    coalesce(m.action, entry.reason, 'rewardWithheld') as action,
    coalesce(m.subject_id, a.lesson_id::text) as "subjectId", coalesce(m.subject, entry.item_title) as subject,
    m.reason, coalesce(m.created_at, entry.created_at, a.created_at) as "actedAt",
    ${face(sql`a.user_id`)} as person, ${face(sql`m.actor_id`)} as actor, ${face(sql`a.decided_by`)} as decider
  from (${page}) a
  left join moderation_log m on m.id = a.act_id
  left join lateral (
    select e.reason, e.item_title, e.created_at from point_entries e
    where e.user_id = a.user_id and e.reason in ('rewardWithheld', 'rewardWithdrawn')
      and e.item_kind = 'lesson' and e.item_id = a.lesson_id and ${isAutomated}
      and e.created_at <= a.created_at
    order by e.id desc limit 1
  ) entry on true`

function toDeskAppeal(row: Row): DeskAppeal {
  const { actId, lessonId, action, subjectId, subject, reason } = row
  const { person, actor, decider } = row
  const act = { logId: actId, lessonId, action, personId: person.id, subjectId, subject, reason }
  return {
    ...toAppeal(row),
    act: toAct({ ...act, actorId: actor?.id ?? null, at: row.actedAt }),
    person: shownPerson(person.id, person.name, person.picture),
    actor: actor && shownPerson(actor.id, actor.name, actor.picture),
    decider: decider && shownPerson(decider.id, decider.name, decider.picture),
  }
}

export interface MonthFigures {
  readonly month: string
  readonly action: AppealableAction
  /** Decisions of administrators. Null for automated ones. */
  readonly acts: number | null
  readonly appeals: number
  readonly granted: number
  readonly declined: number
  readonly medianHours: number | null
}

/** Returns the figures of the last twelve UTC months, newest first. */
export async function countAppeals(db: Db, now: Date): Promise<MonthFigures[]> {
  const { rows } = await sql<MonthFigures>`
    with since as (select date_trunc('month', ${now}::timestamptz at time zone 'UTC') - interval '11 months' as day),
    acted as (
      select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, action, count(*) as acts
      from moderation_log, since
      where created_at >= since.day at time zone 'UTC' and action = any(${[...APPEALABLE]}::text[])
        and person_id is not null
      group by 1, 2
    ), appealed as (
      select to_char(a.created_at at time zone 'UTC', 'YYYY-MM') as month,
        coalesce(m.action, 'rewardWithheld') as action, count(*) as appeals,
        count(*) filter (where a.granted) as granted, count(*) filter (where not a.granted) as declined,
        percentile_cont(0.5) within group (order by extract(epoch from a.decided_at - a.created_at) / 3600)
          filter (where a.decided_at is not null) as hours
      from since, appeals a left join moderation_log m on m.id = a.act_id
      where a.created_at >= since.day at time zone 'UTC'
      group by 1, 2
    )
    select month, action, acted.acts, coalesce(appeals, 0) as appeals, coalesce(granted, 0) as granted,
      coalesce(declined, 0) as declined, round(hours::numeric, 1)::float8 as "medianHours"
    from acted full join appealed using (month, action)
    order by month desc, action`.execute(db)
  return rows
}
