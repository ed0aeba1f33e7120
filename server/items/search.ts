/** Search terms, bands and sorts as SQL conditions on `i`, the items that are listed: lessons or courses. */
import { sql, type RawBuilder } from 'kysely'
import { lengthOf } from '#contract/measure.ts'
import type { Sort } from '#contract/items.schemas.ts'
import { BANDS, type Band } from '#contract/limits.ts'
import { BAND_NAMES, type BandOf } from '#contract/numbers.ts'
import { columnOf } from '#server/items/number-sources.ts'
import { foldText } from '#server/kernel/text/fold.ts'

export type Condition = RawBuilder<boolean>

/** The bands that are asked for; of a number that the kind lacks, none. */
export type Bands = Readonly<Partial<Record<BandOf, Band>>>

/** What is asked of a list. */
export interface ItemQuery extends Bands {
  readonly search: string
  readonly sort: Sort
  readonly owner?: string | undefined
}

/** What is searched for, as titles are stored; empty for no search. */
export function foldTerm(search: string): string {
  return foldText(search.replaceAll('\0', '')).replaceAll(/\s+/g, ' ').trim()
}

/** The title as it is searched. */
export function foldTitle(title: string): string {
  return foldText(title).replaceAll(/\s+/g, ' ').trim()
}

/** How a condition is meant to be met: through an index of the titles, or row by row along another index. */
type Way = 'looked up' | 'walked'

/** True for a search that no trigram answers: it lacks three letters or digits in a row. */
export function isShort(search: string): boolean {
  const term = foldTerm(search)
  return term !== '' && !/[\p{L}\p{N}]{3}/u.test(term)
}

/**
 * Titles that contain the folded term. A trigram index answers terms with three letters or digits in a row; all
 * others, `c++` included, are looked up by their one- and two-character grams.
 */
function contains(term: string, way: Way): Condition {
  const like = sql<boolean>`i.title_folded like ${`%${toPattern(term)}%`}`
  // Making the grams of a row costs more than comparing its title.
  if (way === 'walked' || !isShort(term)) return like
  // Up to two characters are one gram, and the gram says it all. A LIKE beside it would tempt the planner into
  // reading the whole trigram index, which knows nothing of short terms.
  if (lengthOf(term) <= 2) return sql<boolean>`short_grams(i.title_folded) @> array[${term}::text]`
  return sql<boolean>`short_grams(i.title_folded) @> short_grams(${term}::text) and strpos(i.title_folded, ${term}) > 0`
}

/** Titles that begin with the folded term. */
export function beginsWith(term: string): Condition {
  return sql<boolean>`i.title_folded like ${`${toPattern(term)}%`}`
}

/** For LIKE: a term's wildcards are letters like others. */
function toPattern(term: string): string {
  return term.replaceAll(/[\\%_]/g, String.raw`\$&`)
}

/** Null for band 0. The bounds are literals, so that the statement is planned for them. */
export function inBand(name: BandOf, band: Band): Condition | null {
  if (band === 0) return null
  const { min, max } = BANDS[band]
  const column = columnOf(name)
  const from = sql<boolean>`i.${column} >= ${sql.lit(min)}`
  return max === null ? from : sql<boolean>`${from} and i.${column} <= ${sql.lit(max)}`
}

/** The conditions of a query; always at least that the item is there. */
export function conditionsOf(query: ItemQuery, way: Way): Condition {
  const term = foldTerm(query.search)
  const list: (Condition | null)[] = [
    sql<boolean>`i.deleted_at is null`,
    term === '' ? null : contains(term, way),
    query.owner === undefined ? null : sql<boolean>`i.owner_id = ${query.owner}`,
    ...BAND_NAMES.map((name) => inBand(name, query[name] ?? 0)),
  ]
  return sql.join(
    list.filter((condition) => condition !== null),
    sql` and `,
  )
}

/** Descending; ties and `none`: newest first. */
export function orderOf(sort: Sort, table: 'i' | 'hits' | 'cards'): RawBuilder<unknown> {
  const id = sql.raw(`${table}.id desc`)
  return sort === 'none' ? id : sql`${sql.raw(table)}.${columnOf(sort)} desc, ${id}`
}
