/** Lists, searches and bands in the database: our own compiled statements, each timed on one connection. */
import type { Sort } from '#contract/items.ts'
import { LessonQuery } from '#contract/lessons.ts'
import type { Db } from '#server/db/connect.ts'
import { systemClock } from '#server/kernel/clock.ts'
import { createChipCounts } from '#server/lessons/counts.ts'
import { lessonCards, listLessons } from '#server/lessons/list.ts'
import type { BenchDatabase } from './database.ts'
import { ABSENT, COMMON, RARE } from './fill.ts'
import { quantile, type Settings } from './rounds.ts'
import { createRecorder, type Recorder, type Statement } from './statements.ts'
import { judged, type Section } from './table.ts'

const SORTS: readonly Sort[] = ['none', 'likes', 'views', 'comments']
const PAGES = [1, 1000]
const COUNTED = ['views', 'likes', 'comments'] as const

interface Asked {
  readonly group: string
  readonly what: string
  readonly query: Record<string, string>
  readonly goal: number
}

interface Timed extends Asked {
  readonly p50: number
  readonly p95: number
  readonly found: number
}

/** What a person may ask for, in groups that stand in one row. */
function questions(): Asked[] {
  const asked: Asked[] = []
  const ask = (group: string, goal: number, filters: Record<string, string>) => {
    for (const sort of SORTS) {
      for (const page of PAGES) {
        const what = `${sort}, page ${page}`
        asked.push({ group, what, goal, query: { ...filters, sort, page: String(page) } })
      }
    }
  }
  ask('no filter', 30, {})
  for (const column of COUNTED) {
    for (const band of ['1', '2', '3']) ask(`band ${band} of ${column}`, 30, { [column]: band })
  }
  ask('three bands at once', 30, { views: '3', likes: '3', comments: '1' })
  for (const letters of [1, 2, 3, 6]) {
    const goal = letters < 3 ? 100 : 30
    const many = COMMON.slice(0, letters)
    const few = RARE.slice(0, letters)
    const size = letters === 1 ? '1 letter' : letters === 6 ? '6 letters' : `${letters} letters`
    ask(`${size}, no hit`, goal, { search: ABSENT[Math.min(3, letters - 1)] ?? '' })
    ask(`${size}, few hits`, goal, { search: few })
    ask(`${size}, half of all`, goal, { search: many })
    ask(`${size}, half of all, band 3`, goal, { search: many, views: '3' })
    ask(`${size}, few hits, band 1`, goal, { search: few, likes: '1' })
  }
  return asked
}

/** Page 1 without a filter, by sort: to be laid beside the same at a thousand. */
export async function timePlainPage(database: BenchDatabase, settings: Settings): Promise<number> {
  const recorder = createRecorder(database.connection)
  const times = await Promise.all(SORTS.map((sort) => record(recorder, { sort, page: '1' }, true)))
  const timed: number[] = []
  for (const statements of times) timed.push((await time(database, statements, settings)).p50)
  await recorder.close()
  return Math.max(...timed)
}

function record(
  recorder: Recorder,
  query: Record<string, string>,
  surelyMany: boolean,
): Promise<Statement[]> {
  const parsed = LessonQuery.parse(query)
  return recorder.record((db) => listLessons(db, parsed, null, parsed.page ?? 1, surelyMany))
}

function chipCounts(db: Db) {
  return createChipCounts({ db, clock: systemClock }, lessonCards, ['views', 'likes'])
}

export async function benchSearch(
  database: BenchDatabase,
  lessons: number,
  settings: Settings,
): Promise<Section[]> {
  const recorder = createRecorder(database.connection)
  const lists: Timed[] = []
  for (const asked of questions()) {
    // As the product knows from its kept numbers; only without a filter it changes the statement.
    const statements = await record(recorder, asked.query, true)
    lists.push({ ...asked, ...(await time(database, statements, settings)) })
  }
  const chips: Timed[] = []
  for (const asked of questions().filter(
    ({ query }) =>
      query['page'] === '1' && query['sort'] === 'none' && query['search'] !== undefined,
  )) {
    const query = LessonQuery.parse(asked.query)
    const statements = await recorder.record((db) => chipCounts(db).of(query))
    chips.push({ ...asked, what: 'numbers', ...(await time(database, statements, settings)) })
  }
  const cells = await recorder.record((db) => chipCounts(db).of(LessonQuery.parse({})))
  const kept = await time(database, cells, settings)
  await recorder.close()
  const amount = lessons.toLocaleString('en')
  return [
    section(`Lists and searches at ${amount} lessons, in the database`, lists, []),
    section(`Numbers on the filter chips at ${amount} lessons, in the database`, chips, [
      `Without a search they are counted at most twice a minute, behind the kept ones: ${kept.p50.toFixed(0)} ms.`,
    ]),
  ]
}

/** One row a group: the middle of its sorts and pages, and the worst with its name. */
function section(title: string, timed: readonly Timed[], notes: readonly string[]): Section {
  const groups = [...new Set(timed.map((entry) => entry.group))].map((group) => {
    const members = timed.filter((entry) => entry.group === group)
    const worst = members.reduce((a, b) => (b.p95 > a.p95 ? b : a))
    const middle = members.map((entry) => entry.p50).toSorted((a, b) => a - b)
    return [
      group,
      members.reduce((most, { found }) => Math.max(most, found), 0).toLocaleString('en'),
      `${quantile(middle, 0.5).toFixed(1)} ms`,
      `${worst.p50.toFixed(1)} ms`,
      `${worst.p95.toFixed(1)} ms`,
      worst.what,
      judged(`< ${worst.goal} ms`, worst.p95 < worst.goal),
    ]
  })
  return {
    title,
    columns: ['what', 'found', 'median p50', 'worst p50', 'worst p95', 'worst is', 'goal'],
    rows: groups,
    notes,
    raw: timed,
  }
}

/** p50 and p95 of one question; `found` is what its first row says. */
async function time(database: BenchDatabase, statements: readonly Statement[], settings: Settings) {
  const times: number[] = []
  let found = 0
  const runs = settings.quick ? 6 : 16
  for (let run = -2; run < runs; run += 1) {
    const begin = performance.now()
    for (const { name, text, values } of statements) {
      const query = { text, values: [...values] }
      const { rows } = await database.client.query<{ found?: unknown }>(
        name === null ? query : { ...query, name },
      )
      if (rows[0]?.found !== undefined) found = Number(rows[0].found)
    }
    if (run >= 0) times.push(performance.now() - begin)
  }
  const sorted = times.toSorted((a, b) => a - b)
  return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), found }
}
