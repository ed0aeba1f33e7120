/** Search terms, bands and sorts as SQL conditions on `l` (lessons). */
import { sql, type RawBuilder } from 'kysely'
import { lengthOf } from '#contract/fields.ts'
import type { LessonQuery, Sort } from '#contract/lessons.ts'
import { BANDS, type Band } from '#contract/limits.ts'
import { foldText } from '#server/kernel/fold.ts'

/** Columns that bands filter and sorts order by. */
export type Counted = 'views' | 'likes' | 'comments'
export type Condition = RawBuilder<boolean>

/** What is searched for, as titles are stored; empty for no search. */
export function foldTerm(search: string): string {
  return foldText(search.replaceAll('\0', '')).replaceAll(/\s+/g, ' ').trim()
}

/** The title as it is searched. */
export function foldTitle(title: string): string {
  return foldText(title).replaceAll(/\s+/g, ' ').trim()
}

/**
 * Titles that contain the folded term. A trigram index answers terms with three letters or digits in a row;
 * all others, `c++` included, are looked up by their one- and two-character grams.
 */
export function contains(term: string): Condition {
  const pattern = `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const like = sql<boolean>`l.title_folded like ${pattern}`
  if (/[\p{L}\p{N}]{3}/u.test(term)) return like
  const grams = sql<boolean>`short_grams(l.title_folded) @> short_grams(${term}::text)`
  // Up to two characters are a gram themselves: nothing is left to compare.
  return lengthOf(term) <= 2
    ? sql<boolean>`short_grams(l.title_folded) @> array[${term}::text]`
    : sql<boolean>`${grams} and ${like}`
}

/** Null for band 0. The bounds are literals, so that the statement is planned for them. */
export function inBand(column: Counted, band: Band): Condition | null {
  if (band === 0) return null
  const { min, max } = BANDS[band]
  const from = sql<boolean>`l.${sql.raw(column)} >= ${sql.lit(min)}`
  return max === null ? from : sql<boolean>`${from} and l.${sql.raw(column)} <= ${sql.lit(max)}`
}

/** The conditions of a query, without the band of `except`; always at least that the lesson is there. */
export function conditionsOf(query: LessonQuery, except?: Counted): Condition {
  const term = foldTerm(query.search)
  const list: (Condition | null)[] = [
    sql<boolean>`l.deleted_at is null`,
    term === '' ? null : contains(term),
    query.owner === undefined ? null : sql<boolean>`l.owner_id = ${query.owner}`,
    ...(['views', 'likes', 'comments'] as const).map((column) =>
      column === except ? null : inBand(column, query[column]),
    ),
  ]
  return sql.join(
    list.filter((condition) => condition !== null),
    sql` and `,
  )
}

/** Descending; ties and `none`: newest first. */
export function orderOf(sort: Sort, table: 'l' | 'h'): RawBuilder<unknown> {
  const id = sql.raw(`${table}.id desc`)
  return sort === 'none' ? id : sql`${sql.raw(`${table}.${sort} desc`)}, ${id}`
}
