/** Search terms, bands and sort orders as SQL on `i`, the listed lessons or courses. */
import { sql, type RawBuilder } from 'kysely'
import { foldTerm } from '#contract/fold.ts'
import { FILTER_NAMES, type FilterName, type Filters, type Sort } from '#contract/items.ts'
import { BANDS, type Band } from '#contract/limits.ts'
import { BAND_NAMES, type BandOf } from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.ts'
import { columnOf } from '#server/items/shared/number-sources.ts'
import { contains, type Way } from '#server/platform/db/folded-search.ts'
import { isFreePreview } from '#server/items/shared/entitlement.ts'
import { isInLanguage } from '#server/items/shared/languages.ts'

export type Condition = RawBuilder<boolean>

/** The requested bands; bands of numbers that the kind lacks are ignored. */
export type Bands = Readonly<Partial<Record<BandOf, Band>>>

export interface ItemQuery extends Bands, Filters {
  readonly search: string
  readonly sort: Sort
  readonly owner?: string | undefined
}

const FILTERED: Readonly<
  Record<FilterName, (kind: ItemKind, query: ItemQuery) => Condition | null>
> = {
  free: (_, { free }) => (free === undefined ? null : isFreePreview('i')),
  // Courses have no such filter.
  captions: (kind, { captions }) =>
    captions === undefined || kind === 'course'
      ? null
      : sql<boolean>`exists (
          select from lesson_captions k where k.lesson_id = i.id and k.language = ${captions}
        )`,
  language: (kind, { language }) => (language === undefined ? null : isInLanguage(kind, language)),
}

/** Returns null for band 0. The bounds are literals, so that the statement is planned for them. */
export function inBand(name: BandOf, band: Band): Condition | null {
  if (band === 0) return null
  const { min, max } = BANDS[band]
  const column = columnOf(name)
  const from = sql<boolean>`i.${column} >= ${sql.lit(min)}`
  return max === null ? from : sql<boolean>`${from} and i.${column} <= ${sql.lit(max)}`
}

/** The conditions of a query, which always include that the item is not deleted. */
export function conditionsOf(kind: ItemKind, query: ItemQuery, way: Way): Condition {
  const term = foldTerm(query.search)
  const list: (Condition | null)[] = [
    sql<boolean>`i.deleted_at is null`,
    term === '' ? null : contains('i.title_folded', term, way),
    query.owner === undefined ? null : sql<boolean>`i.owner_id = ${query.owner}`,
    ...FILTER_NAMES.map((name) => FILTERED[name](kind, query)),
    ...BAND_NAMES.map((name) => inBand(name, query[name] ?? 0)),
  ]
  return sql.join(
    list.filter((condition) => condition !== null),
    sql` and `,
  )
}

/** Sorts in descending order; ties and `none` by age, newest first. */
export function orderOf(sort: Sort, table: 'i' | 'hits' | 'page' | 'cards'): RawBuilder<unknown> {
  const id = sql.raw(`${table}.id desc`)
  return sort === 'none' ? id : sql`${sql.raw(table)}.${columnOf(sort)} desc, ${id}`
}
