/** JSON of a list page and of a lesson, against node:http and bare pg that run the same statements. */
import type { Sort } from '#contract/items.ts'
import { LessonQuery } from '#contract/lessons.ts'
import { listLessons } from '#server/lessons/list.ts'
import { findDiscussedLesson } from '#server/lessons/store.ts'
import type { BenchDatabase } from './database.ts'
import { latencySection, measureLatency } from './latency.ts'
import { startReference, type Served } from './product.ts'
import { compare, medianOf, type Settings, type Side } from './rounds.ts'
import { createRecorder, type Statement } from './statements.ts'
import { COMPARISON_COLUMNS, comparisonRow, wrongNotes, type Section } from './table.ts'

const STEP = { step: 0.5, goal: 0.6 }
const SORTS: readonly Sort[] = ['none', 'likes', 'views', 'comments']
const PAGES = 50

interface Case {
  readonly path: string
  readonly statements: Statement[]
}

export async function benchApi(
  { product, database, lessons }: { product: Served; database: BenchDatabase; lessons: number },
  settings: Settings,
): Promise<Section[]> {
  const recorder = createRecorder(database.connection)
  const lists: Case[] = []
  const single: Case[] = []
  for (const sort of SORTS) {
    for (let page = 1; page <= PAGES; page += 1) {
      // The product knows from its kept numbers that there are more lessons than it counts.
      const work = LessonQuery.parse({ sort, page: String(page) })
      const statements = await recorder.record((db) =>
        listLessons(db, work, null, page, lessons > 20_000),
      )
      lists.push({ path: `/api/lesson/browse?sort=${sort}&page=${page}`, statements })
    }
  }
  for (let id = 1; id <= 1000; id += 1) {
    single.push({
      path: `/api/lesson/${id}`,
      statements: await recorder.record((db) => findDiscussedLesson(db, id, null)),
    })
  }
  await recorder.close()
  const results = [
    await benchCases(settings, product, database, 'JSON of a list page', lists),
    await benchCases(settings, product, database, 'JSON of a lesson', single),
  ]
  return [
    {
      title: 'JSON, against node:http + pg with the same prepared statements + JSON.stringify',
      columns: COMPARISON_COLUMNS,
      rows: results.map((result) => result.row),
      notes: results.flatMap((result) => result.notes),
      raw: results.map((result) => result.raw),
    },
    latencySection(
      'Latency of JSON at a fixed rate below half of the most',
      results.map((result) => result.latency),
    ),
  ]
}

async function benchCases(
  settings: Settings,
  product: Served,
  database: BenchDatabase,
  what: string,
  cases: readonly Case[],
) {
  const reference = await startReference({
    kind: 'statements',
    connection: database.connection,
    cases: cases.map((entry) => entry.statements),
  })
  try {
    const load: Side['load'] = {
      port: product.port,
      method: 'GET',
      paths: cases.map((entry) => entry.path),
      authorizations: [],
      headers: { accept: 'application/json' },
      expect: { status: 200, bytes: 300, exact: false, field: '"title"' },
    }
    const found = await compare(
      settings,
      { pid: product.pid, load },
      {
        pid: reference.pid,
        load: { ...load, port: reference.port, paths: cases.map((_, place) => `/${place}`) },
      },
    )
    const latency = await measureLatency(
      what,
      { pid: product.pid, load },
      medianOf(found.ours, 'perSecond'),
      settings,
    )
    return {
      row: comparisonRow(what, found, STEP),
      latency,
      notes: wrongNotes(what, found),
      raw: { what, ...found },
    }
  } finally {
    await reference.stop()
  }
}
