/** The numbers on filter chips: how many items each band would show, given the other filters. */
import { sql, type RawBuilder } from 'kysely'
import type * as z from 'zod/mini'
import type { BandCounts } from '#contract/items.schemas.ts'
import { BANDS, EXACT_TOTAL, type Band } from '#contract/limits.ts'
import { PLANNED_AFRESH, type Db } from '#server/db/connect.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { createCountCache } from '#server/items/count-cache.ts'
import type { CardSource, ItemRow } from '#server/items/listing.ts'
import {
  conditionsOf,
  foldTerm,
  inBand,
  isShort,
  type Condition,
  type Counted,
  type ItemQuery,
} from '#server/items/search.ts'

type BandCount = z.infer<typeof BandCounts>
type Counts<Chip extends Counted> = Record<Chip, BandCount>

/** With a term or an owner each chip is counted up to here; above, it has no number. */
const COUNTED = 1000
const BAND_LIST = [0, 1, 2, 3] as const
/** How many items stand in one combination of bands. */
type Cell = Partial<Record<Counted, Band>> & { readonly found: number }

type Source = Pick<CardSource<ItemRow, unknown>, 'table' | 'counted'>

export interface ChipCounts<Chip extends Counted> {
  of(query: ItemQuery): Promise<Counts<Chip>>
  /** True when it is known, without asking, that the query finds far more than EXACT_TOTAL. */
  surelyMany(query: ItemQuery): boolean
  /** After a write. */
  forget(): void
}

/** `chips`: the columns that the list page has chips for. */
export function createChipCounts<Chip extends Counted>(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  source: Source,
  chips: readonly Chip[],
): ChipCounts<Chip> {
  const cache = createCountCache(clock, () => countCells(db, source), sum)
  const isCached = (query: ItemQuery) => foldTerm(query.search) === '' && query.owner === undefined
  return {
    of: async (query) =>
      isCached(query)
        ? fromCells(await cache.get(), query, chips)
        : countLive(db, source, query, chips),
    surelyMany: (query) => {
      const cells = cache.peek()
      return cells !== undefined && isCached(query) && matching(cells, query) > 2 * EXACT_TOTAL
    },
    forget: () => cache.forget(),
  }
}

function bandCase(column: Counted): RawBuilder<Band> {
  return sql<Band>`case ${sql.join(
    ([3, 2, 1] as const).map(
      (band) => sql`when i.${sql.raw(column)} >= ${sql.lit(BANDS[band].min)} then ${sql.lit(band)}`,
    ),
    sql` `,
  )} else 0 end`
}

async function countCells(db: Db, { table, counted }: Source): Promise<readonly Cell[]> {
  const bands = counted.map((column) => sql`${bandCase(column)} as ${sql.raw(column)}`)
  const { rows } = await sql<Cell>`
    select ${sql.join(bands)}, count(*) as found
    from ${sql.raw(table)} i where i.deleted_at is null
    group by ${sql.join(counted.map((_, place) => sql.lit(place + 1)))}`.execute(db)
  return rows
}

const sum = (cells: readonly Cell[]) => cells.reduce((total, cell) => total + cell.found, 0)

/** Band 0 filters nothing. */
function matching(cells: readonly Cell[], wanted: Partial<Record<Counted, Band>>): number {
  const fits = (cell: Cell, column: Counted) =>
    (wanted[column] ?? 0) === 0 || cell[column] === wanted[column]
  return sum(
    cells.filter((cell) =>
      (['views', 'likes', 'comments'] as const).every((column) => fits(cell, column)),
    ),
  )
}

/** Four numbers for each chip column. */
function toCounts<Chip extends Counted>(
  chips: readonly Chip[],
  count: (column: Chip, band: Band) => number | null,
): Counts<Chip> {
  const entries = chips.map((column) => [
    column,
    { any: count(column, 0), 1: count(column, 1), 2: count(column, 2), 3: count(column, 3) },
  ])
  return Object.fromEntries(entries) as Counts<Chip>
}

function fromCells<Chip extends Counted>(
  cells: readonly Cell[],
  query: ItemQuery,
  chips: readonly Chip[],
): Counts<Chip> {
  return toCounts(chips, (column, band) => matching(cells, { ...query, [column]: band }))
}

/** One statement: few finds are gathered once and counted; of many, each chip counts for itself up to its limit. */
async function countLive<Chip extends Counted>(
  db: Db,
  { table }: Source,
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
    return sql`case when (select count(*) from hits) <= ${sql.lit(EXACT_TOTAL)}
      then (select count(*) from (select 1 from hits i where ${within(bands)} limit ${sql.lit(COUNTED + 1)}) few)
      else (select count(*) from (select 1 from ${sql.raw(table)} i where ${within([conditionsOf(base, 'walked'), ...bands])} limit ${sql.lit(COUNTED + 1)}) many)
      end as ${sql.raw(`${column}${band}`)}`
  }
  const columns = sql.join(chips.map((column) => sql`i.${sql.raw(column)}`))
  const { rows } = await sql<Record<string, number>>`${PLANNED_AFRESH}
    with hits as materialized (
      select ${columns} from ${sql.raw(table)} i where ${conditionsOf(base, 'looked up')}
      ${isShort(query.search) ? sql`` : sql`order by i.id desc`} limit ${sql.lit(EXACT_TOTAL + 1)}
    )
    select ${sql.join(chips.flatMap((column) => BAND_LIST.map((band) => chip(column, band))))}`.execute(
    db,
  )
  const row = rows[0] ?? {}
  return toCounts(chips, (column, band) => {
    const found = row[`${column}${band}`] ?? 0
    return found > COUNTED ? null : found
  })
}
