/** Measures lists, searches and bands in the database: our own compiled statements on one connection. */
import type { Sort } from '#contract/items.ts'
import { CourseQuery } from '#contract/courses.ts'
import { LessonQuery } from '#contract/lessons.ts'
import { bandsOf, sortsOf, type BandOf } from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.ts'
import { courseCards } from '#server/items/courses/list.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { systemClock } from '#server/kernel/clock.ts'
import { readAlways } from '#server/platform/core/reads.ts'
import { createChipCounts } from '#server/items/shared/counts.ts'
import { BEYOND, isFiltered } from '#server/items/shared/finding.ts'
import { createPageReader } from '#server/items/shared/listing.ts'
import type { ItemQuery } from '#server/items/shared/search.ts'
import { lessonCards } from '#server/items/lessons/list.ts'
import { suggest } from '#server/items/search/suggestions.ts'
import { RARE, type Market } from './market.ts'
import { quantile, type Settings } from './rounds.ts'
import { createRecorder, type Statement } from './statements.ts'
import { judged, type Section } from './table.ts'

const PAGES = [1, 1000]
/** A tenth of all seeded titles end with this. */
const COMMON = 'basics'
/** In no title: 1, 2, 3 and more letters. */
const ABSENT = ['q', 'qx', 'qxw', 'qxwvu'] as const

/** A kind of items with its list, chips and queries. */
interface Listable {
  readonly kind: ItemKind
  readonly sorts: readonly Sort[]
  readonly counted: readonly BandOf[]
  readonly list: (db: Db, query: Record<string, string>) => Promise<unknown>
  readonly countChips: (db: Db, query: Record<string, string>) => Promise<unknown>
}

function listableOf(
  kind: ItemKind,
  read: ReturnType<typeof createPageReader>,
  parse: (given: Record<string, string>) => ItemQuery & { page?: number | undefined },
): Listable {
  return {
    kind,
    sorts: ['none', ...sortsOf(kind)],
    counted: bandsOf(kind),
    list: (db, given) => {
      const query = parse(given)
      // Without a filter, the product's cached numbers say that there are more than it counts.
      const found = isFiltered(kind, query) ? undefined : BEYOND
      return read(db, query, null, { page: query.page ?? 1, found })
    },
    countChips: (db, given) =>
      createChipCounts({ reads: readAlways(db), clock: systemClock }, kind).of(parse(given)),
  }
}

const LISTABLES = [
  listableOf('lesson', createPageReader(lessonCards), (given) => LessonQuery.parse(given)),
  listableOf('course', createPageReader(courseCards), (given) => CourseQuery.parse(given)),
]

interface Asked {
  readonly group: string
  readonly what: string
  readonly goal: number
}

interface Question extends Asked {
  readonly query: Record<string, string>
}

interface Timed extends Asked {
  readonly p50: number
  readonly p95: number
  readonly found: number
}

/** Typical queries. Each group is a row of the table. */
function questions({ sorts, counted }: Listable): Question[] {
  const asked: Question[] = []
  const ask = (group: string, goal: number, filters: Record<string, string>) => {
    for (const sort of sorts) {
      for (const page of PAGES) {
        const what = `${sort}, page ${page}`
        asked.push({ group, what, goal, query: { ...filters, sort, page: String(page) } })
      }
    }
  }
  ask('no filter', 30, {})
  for (const column of counted) {
    for (const band of ['1', '2', '3']) ask(`band ${band} of ${column}`, 30, { [column]: band })
  }
  const all = Object.fromEntries(
    counted.map((column) => [column, column === 'comments' ? '1' : '3']),
  )
  ask('all bands at once', 30, all)
  const [first = 'likes'] = counted
  for (const letters of [1, 2, 3, 6]) {
    const goal = letters < 3 ? 100 : 30
    const many = COMMON.slice(0, letters)
    const size = letters === 1 ? '1 letter' : `${letters} letters`
    ask(`${size}, no hit`, goal, { search: ABSENT[Math.min(3, letters - 1)] ?? '' })
    ask(`${size}, few hits`, goal, { search: RARE.slice(0, letters) })
    ask(`${size}, a tenth of all`, goal, { search: many })
    ask(`${size}, a tenth of all, band 3`, goal, { search: many, [first]: '3' })
    ask(`${size}, few hits, band 1`, goal, { search: RARE.slice(0, letters), likes: '1' })
  }
  return asked
}

const TYPED = [
  ...ABSENT,
  ...[1, 2, 3, 6].flatMap((letters) =>
    [RARE, COMMON, 'guitar'].map((word) => word.slice(0, letters)),
  ),
]

export async function benchSearch(market: Market, settings: Settings): Promise<Section[]> {
  const recorder = createRecorder(market.connection)
  const sections: Section[] = []
  const typed: Timed[] = []
  for (const listable of LISTABLES) {
    const { kind } = listable
    const amount = `${(kind === 'lesson' ? market.lessons : market.courses).toLocaleString('en')} ${kind}s`
    const ask = async (asked: Question, work: (db: Db) => Promise<unknown>): Promise<Timed> => ({
      ...asked,
      ...(await time(market, await recorder.record(work), settings)),
    })
    const lists: Timed[] = []
    const chips: Timed[] = []
    for (const asked of questions(listable)) {
      lists.push(await ask(asked, (db) => listable.list(db, asked.query)))
      const { page, sort, search } = asked.query
      if (page === '1' && sort === 'none' && search !== undefined)
        chips.push(
          await ask({ ...asked, what: 'numbers' }, (db) => listable.countChips(db, asked.query)),
        )
    }
    const cells = await recorder.record((db) => listable.countChips(db, {}))
    const unfiltered = await time(market, cells, settings)
    sections.push(
      section(`Lists and searches at ${amount}, in the database`, lists, []),
      section(`Numbers on the filter chips at ${amount}, in the database`, chips, [
        `Without a search the numbers are cached and counted at most twice a minute: ${unfiltered.p50.toFixed(0)} ms.`,
      ]),
    )
    for (const text of TYPED) {
      const statements = await recorder.record((db) => suggest(db, null, { kind, q: text }))
      const letters = text.length < 3 ? '1 or 2 letters' : '3 letters and more'
      typed.push({
        group: `${kind}s, ${letters}`,
        what: text,
        goal: text.length < 3 ? 100 : 30,
        ...(await time(market, statements, settings)),
      })
    }
  }
  await recorder.close()
  return [...sections, section('Suggestions while typing, in the database', typed, [])]
}

/** A row for each group: the median of its queries, and the slowest one. */
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

/** Returns p50 and p95 of one query. `found` is the total of the first row, or else the number of rows. */
async function time({ client }: Market, statements: readonly Statement[], settings: Settings) {
  const times: number[] = []
  let found = 0
  const runs = settings.quick ? 6 : 16
  // PostgreSQL plans a prepared statement with its values five times before it may use a generic plan.
  for (let run = -6; run < runs; run += 1) {
    const begin = performance.now()
    let most = 0
    for (const { name, text, values } of statements) {
      const query = { text, values: [...values] }
      const { rows } = await client.query<{ found?: unknown }>(
        name === null ? query : { ...query, name },
      )
      most = Math.max(most, Number(rows[0]?.found ?? rows.length))
    }
    if (run >= 0) times.push(performance.now() - begin)
    found = most
  }
  const sorted = times.toSorted((a, b) => a - b)
  return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), found }
}
