/** Counts for filter chips: how many items each band would show, together with the other filters. */
import { sql, type RawBuilder } from 'kysely'
import type * as z from 'zod/mini'
import { foldTerm } from '#contract/fold.ts'
import { FILTER_NAMES, type BandCounts } from '#contract/items.ts'
import { BANDS, EXACT_TOTAL, type Band } from '#contract/limits.ts'
import { BAND_NAMES, bandsOf, CHIPS, type BandOf, type ChipOf } from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.ts'
import { CUSTOM_PLAN, type Db } from '#server/platform/db/connect.ts'
import type { Reads } from '#server/platform/core/reads.ts'
import { isShort } from '#server/platform/db/folded-search.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { createAnswerCache } from '#server/items/shared/caches/answer-cache.ts'
import { createCountCache } from '#server/items/shared/caches/count-cache.ts'
import { shortTermHits } from '#server/items/shared/finding.ts'
import { columnOf } from '#server/items/shared/number-sources.ts'
import {
  conditionsOf,
  inBand,
  type Bands,
  type Condition,
  type ItemQuery,
} from '#server/items/shared/search.ts'
import { itemsOf } from '#server/items/shared/tables.ts'

type BandCount = z.infer<typeof BandCounts>
export type Counts<Chip extends BandOf> = Record<Chip, BandCount>

/** With a search term, an owner or a language, chips are counted up to this number; above it they show none. */
const COUNTED = 1000
const SEARCHES = { most: 500, freshMs: 1000 }
const BAND_LIST = [0, 1, 2, 3] as const
/** The number of items in one combination of bands. */
type Cell = Bands & { readonly found: number }

export interface ChipCounts<Chip extends BandOf> {
  of(query: ItemQuery): Promise<Counts<Chip>>
  /** Returns true if cached numbers prove that the query finds far more than EXACT_TOTAL. */
  surelyMany(query: ItemQuery): boolean
  /** Call it after a write: 'items' when items were added, removed or edited, 'numbers' for their numbers only. */
  forget(what: 'items' | 'numbers'): void
}

export function createChipCounts<Kind extends ItemKind>(
  { reads, clock }: { readonly reads: Reads; readonly clock: Clock },
  kind: Kind,
): ChipCounts<ChipOf<Kind>> {
  const chips: readonly ChipOf<Kind>[] = CHIPS[kind]
  const cache = createCountCache(clock, () => countCells(reads.shared(null), kind), sum)
  const searches = createAnswerCache<Counts<ChipOf<Kind>>>(clock, SEARCHES)
  const isCached = (query: ItemQuery) =>
    foldTerm(query.search) === '' &&
    query.owner === undefined &&
    FILTER_NAMES.every((name) => query[name] === undefined)
  return {
    of: async (query) =>
      isCached(query)
        ? fromCells(await cache.get(), query, chips)
        : searches.load(filterKeyOf(query), () =>
            countLive(reads.shared(null), kind, query, chips),
          ),
    surelyMany: (query) => {
      const cells = cache.peek()
      return cells !== undefined && isCached(query) && matching(cells, query) > 2 * EXACT_TOTAL
    },
    forget: (what) => {
      // Changed numbers don't drop `cache`, whose bands of all items may be outdated up to its maximum age.
      if (what === 'items') cache.forget()
      searches.drop()
    },
  }
}

/** Returns a key for everything that filters a list. It is the same for all sort orders and pages. */
export function filterKeyOf(query: ItemQuery): string {
  const bands = BAND_NAMES.map((name) => query[name] ?? 0)
  const filters = FILTER_NAMES.map((name) => query[name] ?? null)
  return JSON.stringify([foldTerm(query.search), query.owner ?? null, ...filters, ...bands])
}

function bandCase(name: BandOf): RawBuilder<Band> {
  return sql<Band>`case ${sql.join(
    ([3, 2, 1] as const).map(
      (band) => sql`when i.${columnOf(name)} >= ${sql.lit(BANDS[band].min)} then ${sql.lit(band)}`,
    ),
    sql` `,
  )} else 0 end`
}

/**
 * Counts all items by combination of bands, in at most 64 cells for three numbers, by one scan of a covering
 * index. The time grows with the number of items, so it is cached. Without a search every chip is a sum of cells.
 */
async function countCells(db: Db, kind: ItemKind): Promise<readonly Cell[]> {
  const names = bandsOf(kind)
  const bands = names.map((name) => sql`${bandCase(name)} as ${sql.raw(name)}`)
  const { rows } = await sql<Cell>`
    select ${sql.join(bands)}, count(*) as found
    from ${itemsOf(kind)} where i.deleted_at is null
    group by ${sql.join(names.map((_, place) => sql.lit(place + 1)))}`.execute(db)
  return rows
}

const sum = (cells: readonly Cell[]) => cells.reduce((total, cell) => total + cell.found, 0)

/** Band 0 matches everything. */
function matching(cells: readonly Cell[], wanted: Bands): number {
  const fits = (cell: Cell, name: BandOf) =>
    (wanted[name] ?? 0) === 0 || cell[name] === wanted[name]
  return sum(cells.filter((cell) => BAND_NAMES.every((name) => fits(cell, name))))
}

function toCounts<Chip extends BandOf>(
  chips: readonly Chip[],
  count: (column: Chip, band: Band) => number | null,
): Counts<Chip> {
  const entries = chips.map((column) => [
    column,
    { any: count(column, 0), 1: count(column, 1), 2: count(column, 2), 3: count(column, 3) },
  ])
  return Object.fromEntries(entries) as Counts<Chip>
}

function fromCells<Chip extends BandOf>(
  cells: readonly Cell[],
  query: ItemQuery,
  chips: readonly Chip[],
): Counts<Chip> {
  return toCounts(chips, (column, band) => matching(cells, { ...query, [column]: band }))
}

/**
 * Counts the chips of a search or of one owner's items, in one statement with two steps:
 * 1. `hits` collects up to 10,001 matches of everything but the chips' bands, with the chips' columns only, by the
 *    trigram index, the grams of a short term, or the owner's index.
 * 2. If `hits` is complete, each chip and band is counted from it in memory. Otherwise each scans the table and
 *    stops after 1,001 matches; above 1,000 a chip shows no number.
 * The two ways are the arms of one `case`, of which PostgreSQL runs only one.
 */
async function countLive<Chip extends BandOf>(
  db: Db,
  kind: ItemKind,
  query: ItemQuery,
  chips: readonly Chip[],
): Promise<Counts<Chip>> {
  const base: ItemQuery = { ...query, ...Object.fromEntries(chips.map((column) => [column, 0])) }
  const chip = (column: Chip, band: Band) => {
    const bands = chips
      .map((other) => inBand(other, other === column ? band : (query[other] ?? 0)))
      .filter((condition) => condition !== null)
    const within = (list: Condition[]) =>
      list.length === 0 ? sql`true` : sql.join(list, sql` and `)
    return sql`case when (select found from total) <= ${sql.lit(EXACT_TOTAL)}
      then (select count(*) from (select 1 from hits i where ${within(bands)} limit ${sql.lit(COUNTED + 1)}) few)
      else (select count(*) from (select 1 from ${itemsOf(kind)} where ${within([conditionsOf(kind, base, 'walked'), ...bands])} limit ${sql.lit(COUNTED + 1)}) many)
      end as ${sql.raw(`${column}${band}`)}`
  }
  const columns = sql.join(chips.map((name) => sql`i.${columnOf(name)}`))
  const hits = isShort(foldTerm(query.search))
    ? shortTermHits(kind, base, columns)
    : sql`hits as materialized (
      select ${columns} from ${itemsOf(kind)} where ${conditionsOf(kind, base, 'looked up')}
      order by i.id desc limit ${sql.lit(EXACT_TOTAL + 1)}
    )`
  const { rows } = await sql<Record<string, number>>`${CUSTOM_PLAN}
    with ${hits}, total as materialized (select count(*) as found from hits)
    select ${sql.join(chips.flatMap((column) => BAND_LIST.map((band) => chip(column, band))))}`.execute(
    db,
  )
  const row = rows[0] ?? {}
  return toCounts(chips, (column, band) => {
    const found = row[`${column}${band}`] ?? 0
    return found > COUNTED ? null : found
  })
}
