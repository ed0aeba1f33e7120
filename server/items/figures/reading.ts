/** Reads the counted figures of an author. Nothing here reads what single people did. */
import { sql, type RawBuilder } from 'kysely'
import {
  FEWEST_COUNTED,
  SUMS,
  type Curve,
  type FigureDay,
  type FigureRange,
  type Figures,
  type ItemFigures,
  type ListedItem,
  type SumName,
  type Sums,
} from '#contract/figures.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import type { ItemKind } from '#contract/points.ts'
import type { Question } from '#contract/questions.ts'
import { addDays } from '#server/items/figures/counting.ts'
import { findStops } from '#server/items/figures/stops.ts'
import { forbidden, notFound } from '#server/kernel/errors.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'

const BEST = 3
const MOST_MISSED = sql.lit(12)
const LEAST = sql.lit(FEWEST_COUNTED)

const columns = sql.join(SUMS.map((name) => sql.ref(name)))
const NOTHING = Object.fromEntries(SUMS.map((name) => [name, 0])) as Sums

/** The counted days of a range, bounds included. */
export interface Period {
  readonly from: string
  readonly to: string
}

interface Counted {
  readonly last: string | null
  readonly first: string | null
  readonly viewsSince: string | null
}

async function findCounted(db: DbOrTx): Promise<Counted> {
  const { rows } = await sql<Counted>`
    select to_char(max(day), 'YYYY-MM-DD') as last, to_char(min(day), 'YYYY-MM-DD') as first,
      to_char(min(day) filter (where has_views), 'YYYY-MM-DD') as "viewsSince"
    from figure_days`.execute(db)
  return rows[0] ?? { last: null, first: null, viewsSince: null }
}

/** Null before the first count. */
export async function findPeriod(db: DbOrTx, range: FigureRange): Promise<Period | null> {
  const { last } = await findCounted(db)
  return last === null ? null : periodUntil(last, range)
}

const periodUntil = (to: string, range: FigureRange): Period => ({
  from: addDays(to, 1 - Number(range)),
  to,
})

/** Returns what a range shows of the counted days, and of as many days before. */
async function readDays(
  range: FigureRange,
  { last, first, viewsSince }: Counted,
  list: (period: Period) => Promise<FigureDay[]>,
) {
  if (last === null)
    return { days: range, from: null, to: null, viewsSince, total: NOTHING, before: null, rows: [] }
  const { from, to } = periodUntil(last, range)
  const past = addDays(from, -Number(range))
  const all = await list({ from: past, to })
  const rows = all.filter(({ day }) => day >= from)
  return {
    days: range,
    from,
    to,
    viewsSince,
    total: sumUp(rows),
    before:
      first !== null && first <= past && viewsSince !== null && viewsSince <= past
        ? sumUp(all.filter(({ day }) => day < from))
        : null,
    rows,
  }
}

function sumUp(rows: readonly Sums[]): Sums {
  const sums = SUMS.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])
  return Object.fromEntries(sums) as Sums
}

export async function readFigures(
  db: DbOrTx,
  ownerId: string,
  { days, page = 1 }: { readonly days: FigureRange; readonly page?: number | undefined },
): Promise<Figures> {
  const counted = await findCounted(db)
  const period = counted.last === null ? null : periodUntil(counted.last, days)
  const [shown, listed, stops, missed] = await Promise.all([
    readDays(days, counted, (read) => listAuthorDays(db, ownerId, read)),
    listItems(db, ownerId, period, page),
    findStops(db, ownerId),
    period === null ? [] : listMissed(db, period),
  ])
  return { ...shown, ...listed, page, stops, missed }
}

async function listAuthorDays(
  db: DbOrTx,
  ownerId: string,
  { from, to }: Period,
): Promise<FigureDay[]> {
  const { rows } = await sql<FigureDay>`
    select to_char(day, 'YYYY-MM-DD') as day, ${columns} from author_days
    where owner_id = ${ownerId} and day >= ${from}::date and day <= ${to}::date order by author_days.day`.execute(
    db,
  )
  return rows
}

/** Rows whose sum is that of a range: whole months, and the days before and after them. Null selects none. */
function partsOf(
  period: Period | null,
  of: RawBuilder<boolean>,
  selected: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (period === null) return sql`select ${selected} from item_days where false`
  const { from, to } = period
  const next = addDays(to, 1)
  const firstOfMonth = (day: string) => `${day.slice(0, 8)}01`
  const start = from.endsWith('-01') ? from : firstOfMonth(addDays(firstOfMonth(from), 31))
  const end = firstOfMonth(next)
  if (start >= end)
    return sql`
    select ${selected} from item_days where ${of} and day >= ${from}::date and day < ${next}::date`
  return sql`
    select ${selected} from item_days where ${of} and day >= ${from}::date and day < ${start}::date
    union all
    select ${selected} from item_days where ${of} and day >= ${end}::date and day < ${next}::date
    union all
    select ${selected} from item_months where ${of} and month >= ${start}::date and month < ${end}::date`
}

interface ItemRow extends ListedItem {
  readonly place: number
  readonly count: number
}

async function listItems(
  db: DbOrTx,
  ownerId: string,
  period: Period | null,
  page: number,
): Promise<Pick<Figures, 'items' | 'count' | 'best'>> {
  const skipped = (page - 1) * ROWS_PER_PAGE
  const sumsOf = (names: readonly SumName[]) =>
    sql.join(
      names.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::integer as ${sql.ref(name)}`),
    )
  const { rows } = await sql<ItemRow>`
    with own as (
      select 'lesson' as item_kind, id as item_id from lessons where owner_id = ${ownerId} and deleted_at is null
      union all
      select 'course', id from courses where owner_id = ${ownerId} and deleted_at is null
    ), summed as (
      select item_kind, item_id, ${sumsOf(['views', 'unlocks'])}
      from (${partsOf(period, sql`owner_id = ${ownerId}`, sql`item_kind, item_id, views, unlocks`)}) part
      group by item_kind, item_id
    ), ranked as (
      select own.item_kind, own.item_id, (count(*) over ())::integer as count,
        row_number() over (
          order by coalesce(s.unlocks, 0) desc, coalesce(s.views, 0) desc, own.item_kind desc, own.item_id desc
        )::integer as place
      from own left join summed s using (item_kind, item_id)
    ), shown as materialized (
      select * from ranked
      where place <= ${sql.lit(BEST)} or (place > ${skipped} and place <= ${skipped + ROWS_PER_PAGE})
    )
    select r.item_kind as kind, r.item_id as id, coalesce(lc.title, cc.title, '') as title, ${columns}, r.place, r.count,
      curve.reached[array_upper(curve.reached, 1)]::float8 / curve.viewers as watched,
      case when k.attempts >= ${LEAST} and k.size > 0 then k.passes::float8 / k.attempts end as passed
    from shown r cross join lateral (
      select ${sumsOf(SUMS)}
      from (${partsOf(period, sql`item_kind = r.item_kind and item_id = r.item_id`, columns)}) part
    ) sums
    left join lesson_contents lc on r.item_kind = 'lesson' and lc.lesson_id = r.item_id
    left join course_contents cc on r.item_kind = 'course' and cc.course_id = r.item_id
    left join lesson_curves curve on r.item_kind = 'lesson' and curve.lesson_id = r.item_id
    left join lesson_checks k on r.item_kind = 'lesson' and k.lesson_id = r.item_id
    order by r.place`.execute(db)
  return {
    items: rows.filter(({ place }) => place > skipped),
    count: rows[0]?.count ?? 0,
    best: rows.filter(({ place, unlocks }) => place <= BEST && unlocks > 0),
  }
}

async function listMissed(db: DbOrTx, { from, to }: Period): Promise<Figures['missed']> {
  const { rows } = await sql<Figures['missed'][number]>`
    select term, sum(people)::integer as people from missed_terms
    where day >= ${from}::date and day <= ${to}::date group by term order by 2 desc, 1 limit ${MOST_MISSED}`.execute(
    db,
  )
  return rows
}

interface Shown {
  readonly ownerId: string
  readonly title: string
  readonly allViews: number | null
  readonly curve: Curve | null
  readonly questions: readonly Question[] | null
  readonly attempts: number
  readonly passed: number
  readonly rightly: readonly number[]
}

/** @throws Refusal 404, and 403 for people who are neither the owner nor an administrator */
export async function readItemFigures(
  db: DbOrTx,
  viewer: Viewer,
  { kind, id, days }: { readonly kind: ItemKind; readonly id: number; readonly days: FigureRange },
): Promise<ItemFigures> {
  const item = await (kind === 'lesson' ? findLesson(db, id) : findCourse(db, id))
  if (item === null) throw notFound(kind === 'lesson' ? 'lessonNotFound' : 'courseNotFound')
  if (viewer.id !== item.ownerId && viewer.role !== 'administrator') throw forbidden()
  const counted = await findCounted(db)
  const shown = await readDays(days, counted, (period) => listItemDays(db, kind, id, period))
  const { title, allViews, curve, questions, attempts, passed, rightly } = item
  const check =
    questions === null || attempts < FEWEST_COUNTED
      ? null
      : {
          attempts,
          passed,
          questions: questions.map(({ text }, place) => ({ text, right: rightly[place] ?? 0 })),
        }
  return { ...shown, kind, id, title, allViews, curve, check }
}

async function listItemDays(
  db: DbOrTx,
  kind: ItemKind,
  id: number,
  { from, to }: Period,
): Promise<FigureDay[]> {
  const { rows } = await sql<FigureDay>`
    select to_char(day, 'YYYY-MM-DD') as day, ${columns} from item_days
    where item_kind = ${kind} and item_id = ${id} and day >= ${from}::date and day <= ${to}::date
    order by item_days.day`.execute(db)
  return rows
}

async function findLesson(db: DbOrTx, id: number): Promise<Shown | null> {
  const { rows } = await sql<Shown>`
    select l.owner_id as "ownerId", lc.title, l.views as "allViews",
      case when curve.lesson_id is not null then json_build_object(
        'viewers', curve.viewers, 'length', curve.length, 'reached', curve.reached
      ) end as curve,
      case when k.size > 0 then k.questions end as questions, coalesce(k.attempts, 0) as attempts,
      coalesce(k.passes, 0) as passed, coalesce(k.rightly, '{}') as rightly
    from lessons l join lesson_contents lc on lc.lesson_id = l.id
    left join lesson_curves curve on curve.lesson_id = l.id left join lesson_checks k on k.lesson_id = l.id
    where l.id = ${id} and l.deleted_at is null`.execute(db)
  return rows[0] ?? null
}

async function findCourse(db: DbOrTx, id: number): Promise<Shown | null> {
  const { rows } = await sql<Pick<Shown, 'ownerId' | 'title'>>`
    select c.owner_id as "ownerId", cc.title from courses c join course_contents cc on cc.course_id = c.id
    where c.id = ${id} and c.deleted_at is null`.execute(db)
  const [course] = rows
  const none = { allViews: null, curve: null, questions: null, attempts: 0, passed: 0, rightly: [] }
  return course === undefined ? null : { ...course, ...none }
}
