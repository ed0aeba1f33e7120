/** The numbers on filter chips: how many items each band would show, given the other filters. */
import { sql, type RawBuilder } from 'kysely'
import type { LessonPage, LessonQuery } from '#contract/lessons.ts'
import { BANDS, EXACT_TOTAL, type Band } from '#contract/limits.ts'
import { PLANNED_AFRESH, type Db } from '#server/db/connect.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { keep } from '#server/lessons/kept.ts'
import {
  conditionsOf,
  foldTerm,
  inBand,
  isShort,
  type Condition,
  type Counted,
} from '#server/lessons/search.ts'

type Counts = LessonPage['counts']
type BandCount = Counts['views']

/** With a term or an owner each chip is counted up to here; above, it has no number. */
const COUNTED = 1000
/** How many lessons stand in one combination of bands. */
interface Cell {
  readonly views: Band
  readonly likes: Band
  readonly comments: Band
  readonly found: number
}

export interface ChipCounts {
  of(query: LessonQuery): Promise<Counts>
  /** True when it is known, without asking, that the query finds far more than EXACT_TOTAL. */
  surelyMany(query: LessonQuery): boolean
  /** After a write. */
  forget(): void
}

export function createChipCounts(db: Db, clock: Clock): ChipCounts {
  const kept = keep(clock, () => countCells(db), sum)
  return {
    of: async (query) =>
      foldTerm(query.search) === '' && query.owner === undefined
        ? fromCells(await kept.get(), query)
        : countLive(db, query),
    surelyMany: (query) => {
      const cells = kept.peek()
      return (
        cells !== undefined &&
        foldTerm(query.search) === '' &&
        query.owner === undefined &&
        matching(cells, query) > 2 * EXACT_TOTAL
      )
    },
    forget: () => kept.forget(),
  }
}

function bandCase(column: Counted): RawBuilder<Band> {
  return sql<Band>`case ${sql.join(
    ([3, 2, 1] as const).map(
      (band) => sql`when l.${sql.raw(column)} >= ${sql.lit(BANDS[band].min)} then ${sql.lit(band)}`,
    ),
    sql` `,
  )} else 0 end`
}

async function countCells(db: Db): Promise<readonly Cell[]> {
  const { rows } = await sql<Cell>`
    select ${bandCase('views')} as views, ${bandCase('likes')} as likes, ${bandCase('comments')} as comments, count(*) as found
    from lessons l where l.deleted_at is null group by 1, 2, 3`.execute(db)
  return rows
}

const sum = (cells: readonly Cell[]) => cells.reduce((total, cell) => total + cell.found, 0)

/** Band 0 filters nothing. */
function matching(cells: readonly Cell[], bands: Pick<LessonQuery, Counted>): number {
  const fits = (band: Band, wanted: Band) => wanted === 0 || band === wanted
  return sum(
    cells.filter(
      (cell) =>
        fits(cell.views, bands.views) &&
        fits(cell.likes, bands.likes) &&
        fits(cell.comments, bands.comments),
    ),
  )
}

function fromCells(cells: readonly Cell[], query: LessonQuery): Counts {
  const count = (column: 'views' | 'likes', band: Band) =>
    matching(cells, { ...query, [column]: band })
  const counts = (column: 'views' | 'likes'): BandCount => ({
    any: count(column, 0),
    1: count(column, 1),
    2: count(column, 2),
    3: count(column, 3),
  })
  return { views: counts('views'), likes: counts('likes') }
}

/** One statement: few finds are gathered once and counted; of many, each chip counts for itself up to its limit. */
async function countLive(db: Db, query: LessonQuery): Promise<Counts> {
  const base = { ...query, views: 0, likes: 0 } as const
  const chip = (column: 'views' | 'likes', band: Band) => {
    const other = column === 'views' ? inBand('likes', query.likes) : inBand('views', query.views)
    const bands = [inBand(column, band), other].filter((condition) => condition !== null)
    const within = (list: Condition[]) =>
      list.length === 0 ? sql`true` : sql.join(list, sql` and `)
    return sql`case when (select count(*) from hits) <= ${sql.lit(EXACT_TOTAL)}
      then (select count(*) from (select 1 from hits l where ${within(bands)} limit ${sql.lit(COUNTED + 1)}) few)
      else (select count(*) from (select 1 from lessons l where ${within([conditionsOf(base, 'walked'), ...bands])} limit ${sql.lit(COUNTED + 1)}) many)
      end as ${sql.raw(`${column}${band}`)}`
  }
  const bands = [0, 1, 2, 3] as const
  const { rows } = await sql<Record<string, number>>`${PLANNED_AFRESH}
    with hits as materialized (
      select l.views, l.likes from lessons l where ${conditionsOf(base, 'looked up')}
      ${isShort(query.search) ? sql`` : sql`order by l.id desc`} limit ${sql.lit(EXACT_TOTAL + 1)}
    )
    select ${sql.join([...bands.map((band) => chip('views', band)), ...bands.map((band) => chip('likes', band))])}`.execute(
    db,
  )
  const row = rows[0] ?? {}
  const count = (name: string) => {
    const found = row[name] ?? 0
    return found > COUNTED ? null : found
  }
  const counts = (column: 'views' | 'likes'): BandCount => ({
    any: count(`${column}0`),
    1: count(`${column}1`),
    2: count(`${column}2`),
    3: count(`${column}3`),
  })
  return { views: counts('views'), likes: counts('likes') }
}
