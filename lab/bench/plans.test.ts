import { expect, test, vi } from 'vitest'
import type { Ran } from './call-plans.ts'
import { openBenchDatabase, type BenchDatabase } from './database.ts'
import { walkThrough } from './plan-walk.ts'

// The test fills a database and starts the product, possibly on a busy machine.
vi.setConfig({ testTimeout: 400_000 })

/** More than 10,001, up to which the product counts search results. */
const LESSONS = 20_000
/** An index doesn't help for tables with fewer rows. */
const BIG = 5000
/** Share of a table's rows. A scan that stops at a limit reads fewer. */
const NEARLY_ALL = 0.9

/** Statements that may scan these tables completely, by how they begin. */
const EXCEPTIONS: readonly { begins: string; tables: readonly string[]; why: string }[] = [
  {
    begins: 'with wrong as materialized',
    tables: ['point_balances', 'point_entries', 'lesson_purchases', 'course_purchases'],
    why: 'the audit proves every row',
  },
  {
    begins: 'with bounds as (',
    tables: ['point_entries', 'users'],
    why: 'counts a day of the economy from the whole ledger, once a day',
  },
  {
    begins: 'with entry as materialized (',
    tables: ['point_entries', 'lesson_purchases', 'lessons', 'users'],
    why: 'looks once a day for unusual accounts in the last 30 days',
  },
  {
    begins: '/* custom plan */ with hits as materialized (select m.id, m.prediction from comments',
    tables: ['comments'],
    why: 'the desk counts all that a word finds, and the seeded word is in every comment',
  },
  {
    begins: 'delete from search_due',
    tables: ['search_due'],
    why: 'takes 500 rows of a queue, which is long only after seeding',
  },
  {
    begins: '/* custom plan */ select u.id, u.username, u.username_folded',
    tables: ['users'],
    why: 'joins a page of 500 people, and a scan of 10,000 is the better join',
  },
  {
    begins: 'with change as ( select * from unnest(',
    tables: ['point_balances'],
    why: 'changes 1,000 balances at once, likewise',
  },
]

async function bigTables({ client }: BenchDatabase): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ name: string; count: number }>(
    `select relname as name, reltuples::int as count from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= ${BIG}`,
  )
  return new Map(rows.map(({ name, count }) => [name, count]))
}

/** Returns the big tables that a plan scans completely. */
function scannedBy(plan: readonly string[], big: ReadonlyMap<string, number>): string[] {
  return plan.flatMap((line) => {
    const [, table = '', rows = '0', dropped = '0'] =
      /Seq Scan (\w+) \((\d+)(?:\.\d+)? rows(?: × \d+)?(?:, (\d+) dropped)?/.exec(line) ?? []
    const size = big.get(table)
    return size !== undefined && Number(rows) + Number(dropped) >= size * NEARLY_ALL ? [table] : []
  })
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

function isException(text: string, scanned: readonly string[]): boolean {
  return EXCEPTIONS.some(
    ({ begins, tables }) =>
      oneLine(text).startsWith(begins) && scanned.every((table) => tables.includes(table)),
  )
}

/** Returns each statement that scans a big table completely, with its plan. */
function findScans(ran: readonly Ran[], big: ReadonlyMap<string, number>): string[] {
  const found = ran.filter(({ text, plan }) => {
    const scanned = scannedBy(plan, big)
    return scanned.length > 0 && !isException(text, scanned)
  })
  const byText = new Map(found.map(({ text, plan }) => [text, plan]))
  return [...byText].map(([text, plan]) => [oneLine(text), ...plan, ''].join('\n'))
}

test('a plan that scans a big table completely is detected', () => {
  const big = new Map([['lessons', 11_000]])
  expect(
    scannedBy(['Limit', '  Seq Scan lessons (3 rows, 10997 dropped, 9 buffers)'], big),
  ).toEqual(['lessons'])
  expect(scannedBy(['Limit', '  Seq Scan lessons (5000 rows, 9 buffers, 1 ms)'], big)).toEqual([])
  expect(scannedBy(['Seq Scan lessons (never run)', 'Seq Scan users (9 rows, 1 ms)'], big)).toEqual(
    [],
  )
})

test('no statement scans a big table completely', async () => {
  const database = await openBenchDatabase()
  try {
    const { ran, failed } = await walkThrough(database, LESSONS)
    expect(failed).toEqual([])
    const ours = ran.filter(({ text }) => !/graphile_worker|pg_catalog|pg_stat/.test(text))
    expect(new Set(ours.map(({ text }) => text)).size).toBeGreaterThan(150)
    const big = await bigTables(database)
    expect([...big.keys()]).toEqual(expect.arrayContaining(['lessons', 'comments', 'messages']))
    expect(findScans(ours, big)).toEqual([])
  } finally {
    await database.stop()
  }
})
