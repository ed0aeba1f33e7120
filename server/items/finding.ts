/** Which items stand on a page of a list: parts of statements that find their ids and count them. */
import { sql, type RawBuilder } from 'kysely'
import { foldTerm } from '#contract/fold.ts'
import { EXACT_TOTAL, LAST_PAGE, PAGE_SIZE } from '#contract/limits.ts'
import { bandsOf } from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.ts'
import { CUSTOM_PLAN, type Db } from '#server/db/connect.ts'
import { isShort } from '#server/db/folded-search.ts'
import { columnOf } from '#server/items/number-sources.ts'
import { conditionsOf, orderOf, type ItemQuery } from '#server/items/search.ts'
import { itemsOf } from '#server/items/tables.ts'

/** What a list says of more items than it counts. */
export const BEYOND = EXACT_TOTAL + 1
const CAP = sql.lit(EXACT_TOTAL)
const BEYOND_CAP = sql.lit(BEYOND)

/** The ids of a page in its order, and how many items the query finds in all: BEYOND at most. */
export interface FoundPage {
  readonly ids: readonly number[]
  readonly found: number
}

/** How many items stand before a page, which counts from 1. */
export function offsetOf(page: number): number {
  return (Math.min(page, LAST_PAGE + 1) - 1) * PAGE_SIZE
}

/** True where the query narrows the list by a term, an owner, a band, a language or to what is free. */
export function isFiltered(kind: ItemKind, query: ItemQuery): boolean {
  return (
    foldTerm(query.search) !== '' ||
    query.owner !== undefined ||
    query.free !== undefined ||
    query.language !== undefined ||
    bandsOf(kind).some((name) => (query[name] ?? 0) > 0)
  )
}

/** Counts all items of a kind, BEYOND at most; a scalar subselect. */
export function countPlain(kind: ItemKind): RawBuilder<number> {
  return sql`(select count(*) from (select 1 from ${itemsOf(kind)} where i.deleted_at is null limit ${BEYOND_CAP}) counted)`
}

/**
 * Finds a page of a list without any condition; a select of `id`: a walk along the sort's index. The offset stands in a
 * subselect, where the planner does not look: it would take the plan for the offset of this call to be cheaper than
 * the one for any offset, which is the same plan, and would plan the statement anew at each call.
 */
export function plainPage(
  kind: ItemKind,
  sort: ItemQuery['sort'],
  offset: number,
): RawBuilder<unknown> {
  return sql`select i.id from ${itemsOf(kind)} where i.deleted_at is null
    order by ${orderOf(sort, 'i')} limit ${sql.lit(PAGE_SIZE)} offset (select ${offset}::bigint)`
}

/**
 * Finds a page of a list with conditions, in one statement that is planned for their values. `found`: how many items the
 * query finds, BEYOND at most; undefined: they are counted too.
 */
export async function findFiltered(
  db: Db,
  kind: ItemKind,
  query: ItemQuery,
  { page, found }: { readonly page: number; readonly found: number | undefined },
): Promise<FoundPage> {
  const offset = offsetOf(page)
  if (found !== undefined) {
    // Nothing stands there.
    if (offset >= found) return { ids: [], found }
    const { rows } = await sql<{ id: number }>`${CUSTOM_PLAN}
      ${knownPage(kind, query, offset, found)}`.execute(db)
    return { ids: rows.map(({ id }) => id), found }
  }
  const ids = pageWithTotal(kind, query, offset)
  const { rows } = await sql<{ ids: number[]; found: number }>`${CUSTOM_PLAN}
    with ${ids}
    select array(select page.id from page order by ${orderOf(query.sort, 'page')}) as ids, total.found from total`.execute(
    db,
  )
  return rows[0] ?? { ids: [], found: 0 }
}

/** Where it is known how many there are: few finds of a short term are gathered by its grams, many are walked along. */
function knownPage(
  kind: ItemKind,
  query: ItemQuery,
  offset: number,
  found: number,
): RawBuilder<unknown> {
  const way = isShort(foldTerm(query.search)) && found <= EXACT_TOTAL ? 'looked up' : 'walked'
  return sql`select i.id from ${itemsOf(kind)} where ${conditionsOf(kind, query, way)}
    order by ${orderOf(query.sort, 'i')} ${slice(offset)}`
}

/** `total (found)` and `page (id, …)`, by the way that suits the conditions. */
function pageWithTotal(kind: ItemKind, query: ItemQuery, offset: number): RawBuilder<unknown> {
  const term = foldTerm(query.search)
  if (isShort(term)) return shortTermPage(kind, query, offset)
  if (term === '' && query.owner === undefined && query.free === undefined)
    return bandPage(kind, query, offset)
  return gatheredPage(kind, query, offset)
}

/** With bands or a language alone: they are counted along the index of one of them, and the page is walked along the sort's index. */
function bandPage(kind: ItemKind, query: ItemQuery, offset: number): RawBuilder<unknown> {
  const items = sql`${itemsOf(kind)} where ${conditionsOf(kind, query, 'walked')}`
  return sql`total as (select count(*) as found from (select 1 from ${items} limit ${BEYOND_CAP}) counted), page as (
      select ${found(query)} from ${items} order by ${orderOf(query.sort, 'i')} ${slice(offset)}
    )`
}

/** The finds are gathered in the order of the list, as many as are counted; the page is cut from them. */
function gatheredPage(kind: ItemKind, query: ItemQuery, offset: number): RawBuilder<unknown> {
  return sql`hits as materialized (
      select ${found(query)} from ${itemsOf(kind)} where ${conditionsOf(kind, query, 'walked')}
      order by ${orderOf(query.sort, 'i')} limit ${BEYOND_CAP}
    ), total as (select count(*) as found from hits), page as (
      select hits.* from hits order by ${orderOf(query.sort, 'hits')} ${slice(offset)}
    )`
}

/** Of so many of the newest items ... */
const PROBED = sql.lit(200)
/** ... so many have a term that is in a great part of all titles. */
const COMMON = sql.lit(40)

/**
 * Gathers what a short term finds, as many as are counted, in no order: `hits`, to stand after `with`. A term that many
 * of the newest titles have is met soon on a walk, while its list in the index of grams is read whole before the first
 * of its items; any other is looked up there. Only one of the two arms runs.
 */
export function shortTermHits(
  kind: ItemKind,
  query: ItemQuery,
  columns: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const items = itemsOf(kind)
  const term: ItemQuery = { search: query.search, sort: 'none' }
  const isCommon = sql`(select have from probe) > ${COMMON}`
  return sql`probe as materialized (
      select count(*) as have from (
        select i.title_folded, i.deleted_at from ${items} where i.deleted_at is null order by i.id desc limit ${PROBED}
      ) i where ${conditionsOf(kind, term, 'walked')}
    ), hits as materialized (
      (select ${columns} from ${items} where ${isCommon} and ${conditionsOf(kind, query, 'walked')} limit ${BEYOND_CAP})
      union all
      (select ${columns} from ${items} where not ${isCommon} and ${conditionsOf(kind, query, 'looked up')} limit ${BEYOND_CAP})
    )`
}

/**
 * With a short term: few finds are gathered, counted and sorted; where there are more than are counted, the page comes
 * from a walk along the sort's index. Only one of the two arms runs.
 */
function shortTermPage(kind: ItemKind, query: ItemQuery, offset: number): RawBuilder<unknown> {
  const items = itemsOf(kind)
  return sql`${shortTermHits(kind, query, found(query))},
    total as materialized (select count(*) as found from hits), page as (
      (select hits.* from hits where (select found from total) <= ${CAP} order by ${orderOf(query.sort, 'hits')} ${slice(offset)})
      union all
      (select ${found(query)} from ${items} where (select found from total) > ${CAP} and ${conditionsOf(kind, query, 'walked')}
       order by ${orderOf(query.sort, 'i')} ${slice(offset)})
    )`
}

/** What a find is known by: its id, and what the list is sorted by, which the index that is walked along has in it. */
function found({ sort }: ItemQuery): RawBuilder<unknown> {
  return sort === 'none' ? sql`i.id` : sql`i.id, i.${columnOf(sort)}`
}

function slice(offset: number): RawBuilder<unknown> {
  return sql`limit ${sql.lit(PAGE_SIZE)} offset ${offset}`
}
