/** Lists of lessons: pages with totals, done by the database, one round trip each. */
import { sql, type RawBuilder } from 'kysely'
import type { LessonCard, LessonQuery } from '#contract/lessons.ts'
import { CAROUSEL_ITEMS, EXACT_TOTAL, LAST_PAGE, PAGE_SIZE } from '#contract/limits.ts'
import type { Db } from '#server/db/connect.ts'
import { PLANNED_AFRESH } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { cardColumns, cardJoins, toCard, type CardRow } from '#server/lessons/cards.ts'
import { conditionsOf, foldTerm, isShort, orderOf } from '#server/lessons/search.ts'

/** One page, and how many there are in all. */
export interface Listed {
  readonly items: LessonCard[]
  /** Exact to 10,000; above, `more` is true and this is 10,000. */
  readonly total: number
  readonly more: boolean
}

type PageRow = CardRow & { found: number }
/** Where nothing is on the page, one row of nulls carries the total. */
type ListRow = PageRow | { id: null; found: number }

const CAP = sql.lit(EXACT_TOTAL)
const BEYOND_CAP = sql.lit(EXACT_TOTAL + 1)

function toListed(rows: readonly ListRow[], viewer: Viewer | null): Listed {
  const found = rows[0]?.found ?? 0
  return {
    items: rows.filter((row): row is PageRow => row.id !== null).map((row) => toCard(row, viewer)),
    total: Math.min(found, EXACT_TOTAL),
    more: found > EXACT_TOTAL,
  }
}

/** The pages there are, at least one, at most LAST_PAGE. */
export function pagesOf(total: number): number {
  return Math.min(LAST_PAGE, Math.max(1, Math.ceil(total / PAGE_SIZE)))
}

/**
 * One page of what a query finds. `page` counts from 1; beyond the last it has no items, only the total.
 * `surelyMany` spares the counting where it is known that there are more than EXACT_TOTAL.
 */
export async function listLessons(
  db: Db,
  query: LessonQuery,
  viewer: Viewer | null,
  page: number,
  surelyMany = false,
): Promise<Listed> {
  const offset = (Math.min(page, LAST_PAGE + 1) - 1) * PAGE_SIZE
  const filtered =
    foldTerm(query.search) !== '' ||
    query.owner !== undefined ||
    [query.views, query.likes, query.comments].some((band) => band > 0)
  const ids = filtered ? filteredPage(query, offset) : plainPage(query, offset, surelyMany)
  const { rows } = await sql<ListRow>`${filtered ? PLANNED_AFRESH : sql``}
    with ${ids}
    select cards.*, total.found from total left join (
      select ${cardColumns} from page join lessons l on l.id = page.id ${cardJoins(viewer?.id ?? null)}
    ) cards on true
    order by ${query.sort === 'none' ? sql`cards.id desc` : sql`${sql.raw(`cards.${query.sort}`)} desc, cards.id desc`}`.execute(
    db,
  )
  return page > LAST_PAGE ? { ...toListed(rows, viewer), items: [] } : toListed(rows, viewer)
}

/** Without any condition: a walk along the sort's index. */
function plainPage(query: LessonQuery, offset: number, surelyMany: boolean): RawBuilder<unknown> {
  const found = surelyMany
    ? BEYOND_CAP
    : sql`(select count(*) from (select 1 from lessons l where l.deleted_at is null limit ${BEYOND_CAP}) counted)`
  return sql`total as (select ${found} as found), page as (
    select l.id from lessons l where l.deleted_at is null
    order by ${orderOf(query.sort, 'l')} limit ${sql.lit(PAGE_SIZE)} offset ${offset}
  )`
}

/** With conditions: the finds are gathered in the order of the list, as many as are counted; the page is cut from them. */
function filteredPage(query: LessonQuery, offset: number): RawBuilder<unknown> {
  if (isShort(query.search)) return shortTermPage(query, offset)
  return sql`hits as materialized (
      select l.id, l.likes, l.views, l.comments from lessons l where ${conditionsOf(query, 'walked')}
      order by ${orderOf(query.sort, 'l')} limit ${BEYOND_CAP}
    ), total as (select count(*) as found from hits), page as (
      select h.id from hits h order by ${orderOf(query.sort, 'h')} ${slice(offset)}
    )`
}

/**
 * With a short term: few finds are gathered by their grams, counted and sorted; where there are more than are
 * counted, the page comes from a walk along the sort's index. Only one of the two arms runs.
 */
function shortTermPage(query: LessonQuery, offset: number): RawBuilder<unknown> {
  return sql`hits as materialized (
      select l.id, l.likes, l.views, l.comments from lessons l where ${conditionsOf(query, 'looked up')} limit ${BEYOND_CAP}
    ), total as materialized (select count(*) as found from hits), page as (
      (select h.id from hits h where (select found from total) <= ${CAP} order by ${orderOf(query.sort, 'h')} ${slice(offset)})
      union all
      (select l.id from lessons l where (select found from total) > ${CAP} and ${conditionsOf(query, 'walked')}
       order by ${orderOf(query.sort, 'l')} ${slice(offset)})
    )`
}

function slice(offset: number): RawBuilder<unknown> {
  return sql`limit ${sql.lit(PAGE_SIZE)} offset ${offset}`
}

/** The 8 most viewed. */
export async function listPopular(db: Db, viewer: Viewer | null): Promise<LessonCard[]> {
  const { rows } = await sql<CardRow>`
    with page as (
      select l.id from lessons l where l.deleted_at is null order by l.views desc, l.id desc limit ${sql.lit(CAROUSEL_ITEMS)}
    )
    select ${cardColumns} from page join lessons l on l.id = page.id ${cardJoins(viewer?.id ?? null)}
    order by l.views desc, l.id desc`.execute(db)
  return rows.map((row) => toCard(row, viewer))
}

/** As many as stand on the shelf of the home page. */
const SHELF = 34

export async function listNewest(db: Db): Promise<{ id: number; title: string }[]> {
  const { rows } = await sql<{ id: number; title: string }>`
    select l.id, c.title from (
      select id from lessons where deleted_at is null order by id desc limit ${sql.lit(SHELF)}
    ) l join lesson_contents c on c.lesson_id = l.id order by l.id desc`.execute(db)
  return rows
}

/** What the viewer bought, newest purchase first. */
export function listBought(db: Db, viewer: Viewer, page: number): Promise<Listed> {
  return listHeld(
    db,
    viewer,
    page,
    sql`
    select p.lesson_id as id, p.created_at as at from lesson_purchases p
    join lessons l on l.id = p.lesson_id where p.user_id = ${viewer.id} and l.deleted_at is null`,
  )
}

/** What the viewer made, newest first. */
export function listOwn(db: Db, viewer: Viewer, page: number): Promise<Listed> {
  return listHeld(
    db,
    viewer,
    page,
    sql`
    select l.id, l.created_at as at from lessons l where l.owner_id = ${viewer.id} and l.deleted_at is null`,
  )
}

async function listHeld(
  db: Db,
  viewer: Viewer,
  page: number,
  held: RawBuilder<unknown>,
): Promise<Listed> {
  const offset = (Math.min(page, LAST_PAGE + 1) - 1) * PAGE_SIZE
  const { rows } = await sql<ListRow>`
    with held as (${held}),
    total as (select count(*) as found from (select 1 from held limit ${BEYOND_CAP}) counted),
    page as (select id, at from held order by at desc, id desc limit ${sql.lit(PAGE_SIZE)} offset ${offset})
    select cards.*, total.found from total left join (
      select page.at, ${cardColumns} from page join lessons l on l.id = page.id ${cardJoins(viewer.id)}
    ) cards on true
    order by cards.at desc, cards.id desc`.execute(db)
  return toListed(rows, viewer)
}
