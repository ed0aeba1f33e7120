/** Parts of statements that find the ids on a page of a list, and count the matches. */
import { sql, type RawBuilder } from 'kysely'
import { foldTerm } from '#contract/fold.ts'
import { FILTER_NAMES } from '#contract/items.ts'
import { EXACT_TOTAL, LAST_PAGE, PAGE_SIZE } from '#contract/limits.ts'
import { bandsOf } from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.ts'
import { CUSTOM_PLAN, type Db } from '#server/platform/db/connect.ts'
import { isShort } from '#server/platform/db/folded-search.ts'
import { columnOf } from '#server/items/shared/number-sources.ts'
import { conditionsOf, orderOf, type ItemQuery } from '#server/items/shared/search.ts'
import { itemsOf } from '#server/items/shared/tables.ts'

/** The count of a list with more items than are counted. */
export const BEYOND = EXACT_TOTAL + 1
const CAP = sql.lit(EXACT_TOTAL)
const BEYOND_CAP = sql.lit(BEYOND)

/** The ids of a page in their order, and the number of all matches, at most BEYOND. */
export interface FoundPage {
  readonly ids: readonly number[]
  readonly found: number
}

/** Pages count from 1. */
export function offsetOf(page: number): number {
  return (Math.min(page, LAST_PAGE + 1) - 1) * PAGE_SIZE
}

/** True if the query has a term, an owner, a band or another filter. */
export function isFiltered(kind: ItemKind, query: ItemQuery): boolean {
  return (
    foldTerm(query.search) !== '' ||
    query.owner !== undefined ||
    FILTER_NAMES.some((name) => query[name] !== undefined) ||
    bandsOf(kind).some((name) => (query[name] ?? 0) > 0)
  )
}

/** A scalar subselect that counts all items of a kind, up to BEYOND. */
export function countPlain(kind: ItemKind): RawBuilder<number> {
  return sql`(select count(*) from (select 1 from ${itemsOf(kind)} where i.deleted_at is null limit ${BEYOND_CAP}) counted)`
}

/**
 * Selects the `id`s of a page without filters by walking the sort's index. The offset is in a subselect to hide it
 * from the planner. Otherwise a custom plan for the actual offset would look cheaper than the generic plan,
 * although they are the same, and every call would be planned again.
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
 * Finds a page with filters in one statement that is planned for its values. `found` is the number of matches, at
 * most BEYOND; if undefined, they are counted too.
 */
export async function findFiltered(
  db: Db,
  kind: ItemKind,
  query: ItemQuery,
  { page, found }: { readonly page: number; readonly found: number | undefined },
): Promise<FoundPage> {
  const offset = offsetOf(page)
  if (found !== undefined) {
    // The page is beyond the last match.
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

/**
 * If the number of matches is known: few matches of a short term are looked up by its grams; many are found by
 * walking the sort's index.
 */
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

/** The CTEs `total (found)` and `page (id, …)`, in the way that suits the filters. */
function pageWithTotal(kind: ItemKind, query: ItemQuery, offset: number): RawBuilder<unknown> {
  const term = foldTerm(query.search)
  if (isShort(term)) return shortTermPage(kind, query, offset)
  if (term === '' && query.owner === undefined && query.free === undefined)
    return bandPage(kind, query, offset)
  return gatheredPage(kind, query, offset)
}

/**
 * With bands or a language only, matches are counted along one of their indexes; the page uses the sort's index.
 */
function bandPage(kind: ItemKind, query: ItemQuery, offset: number): RawBuilder<unknown> {
  const items = sql`${itemsOf(kind)} where ${conditionsOf(kind, query, 'walked')}`
  return sql`total as (select count(*) as found from (select 1 from ${items} limit ${BEYOND_CAP}) counted), page as (
      select ${found(query)} from ${items} order by ${orderOf(query.sort, 'i')} ${slice(offset)}
    )`
}

/** Collects the matches in the list's order, as many as are counted, and takes the page from them. */
function gatheredPage(kind: ItemKind, query: ItemQuery, offset: number): RawBuilder<unknown> {
  return sql`hits as materialized (
      select ${found(query)} from ${itemsOf(kind)} where ${conditionsOf(kind, query, 'walked')}
      order by ${orderOf(query.sort, 'i')} limit ${BEYOND_CAP}
    ), total as (select count(*) as found from hits), page as (
      select hits.* from hits order by ${orderOf(query.sort, 'hits')} ${slice(offset)}
    )`
}

/** A term is common if more than COMMON of the PROBED newest items have it in their titles. */
const PROBED = sql.lit(200)
const COMMON = sql.lit(40)

/**
 * The CTE `hits` with the matches of a short term, as many as are counted, unordered. A walk soon meets a common
 * term, whereas its posting list in the index of grams would be read completely before the first match. Any other
 * term is looked up in that index. Only one of the two arms runs.
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
 * For a short term: few matches are collected, counted and sorted; if there are more than are counted, the page
 * comes from a walk along the sort's index. Only one of the two arms runs.
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

/** The id of a match and its sort column, both of which the sort's index contains. */
function found({ sort }: ItemQuery): RawBuilder<unknown> {
  return sort === 'none' ? sql`i.id` : sql`i.id, i.${columnOf(sort)}`
}

function slice(offset: number): RawBuilder<unknown> {
  return sql`limit ${sql.lit(PAGE_SIZE)} offset ${offset}`
}
