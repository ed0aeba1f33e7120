/**
 * `npm run bench -- --plans`: what PostgreSQL does for every statement that a walk through the product sends, on seeded
 * databases of two sizes. A big table must not be read from end to end, and the rows that a statement looks at must not
 * grow with the tables. A place in the sources that sends a statement, and that the walk did not come past, is named.
 *
 *   --lessons 20000   of the bigger one; people, sales, likes, comments and messages in proportion
 *   --data-dir FOLDER the bigger database, seeded by npm run seed with so many lessons and a fifth as many people; it is
 *                     changed by the walk
 *   --slowest 20      prints the statements that took longest on the bigger one
 *   --all             prints each statement, not only those that are refused
 */
import { createHash } from 'node:crypto'
import type { Ran } from './call-plans.ts'
import { openBenchDatabase, type BenchDatabase } from './database.ts'
import { walkThrough } from './plan-walk.ts'
import { buildPages } from './product.ts'
import { JUSTIFIED } from './plans-justified.ts'
import { UNWALKED } from './plans-unwalked.ts'
import { findUnreached, type Site } from './statement-sites.ts'

/** How many times as big the bigger database is. */
const GROWTH = 8
const MOST_SMALL = 2500
/** More rows than this many times those of the smaller database, and than LEAST, have grown with the tables. */
const TIMES = 3
const LEAST = 500
/** Of a table with fewer rows an index is no gain. */
const BIG = 1000

/** A statement with what it did at both sizes. */
export interface Judged {
  /** By which it is justified. */
  readonly name: string
  readonly text: string
  /** Big tables that were read from end to end. */
  readonly scanned: readonly string[]
  readonly rowsSmall: number
  readonly rows: number
  readonly hasGrown: boolean
  /** Milliseconds of its longest run on the bigger database. */
  readonly took: number
  readonly plan: readonly string[]
  /** Of a prepared statement, what is planned without its values. */
  readonly isPrepared: boolean
}

/** What a walk found. */
export interface Walked {
  readonly statements: readonly Judged[]
  /** Requests that were refused, or failed: nothing of them can be judged. */
  readonly failed: readonly string[]
  /** Places that send a statement and that neither walk came past. */
  readonly unreached: readonly Site[]
}

interface Statement {
  readonly rows: number
  readonly took: number
  readonly plan: readonly string[]
  readonly scanned: readonly string[]
}

/** Walks through the product at `lessons` and at an eighth of them, and judges every statement of both walks. */
export async function judgePlans(
  lessons: number,
  say: (line: string) => void,
  folder?: string,
): Promise<Walked> {
  const small = await walkAt(Math.min(MOST_SMALL, Math.ceil(lessons / GROWTH)), say)
  const big = await walkAt(lessons, say, folder)
  const statements = [...big.statements].map(([text, { rows, plan, scanned, took }]): Judged => {
    const rowsSmall = small.statements.get(text)?.rows
    return {
      name: nameOf(text),
      text,
      scanned,
      rowsSmall: rowsSmall ?? 0,
      rows,
      // Of what the small walk did not send nothing is known.
      hasGrown: rowsSmall !== undefined && rows > LEAST && rows > rowsSmall * TIMES,
      took,
      plan,
      isPrepared: !text.startsWith('/* custom plan */'),
    }
  })
  const isAlike = (one: Site, other: Site) => one.file === other.file && one.line === other.line
  const unreached = small.unreached.filter((site) =>
    big.unreached.some((other) => isAlike(site, other)),
  )
  return { statements, failed: [...small.failed, ...big.failed], unreached }
}

/** The statements that are refused: nothing justifies what they do. */
export function refusedOf(statements: readonly Judged[]): Judged[] {
  return statements.filter(
    ({ text, scanned, hasGrown }) =>
      (scanned.length > 0 || hasGrown) &&
      !JUSTIFIED.some(({ part }) => oneLine(text).includes(part)),
  )
}

/** The places that were not walked, and whose reason is not written down. */
export function unexplainedOf(unreached: readonly Site[]): Site[] {
  return unreached.filter(
    ({ file, text }) =>
      !UNWALKED.some(({ in: place, part = '' }) => file.startsWith(place) && text.includes(part)),
  )
}

/** A place in words. */
export const describeSite = ({ file, line, text }: Site): string => `${file}:${line}: ${text}`

/** Prints what `--plans` asks for; the process fails when a statement is refused. */
export async function showPlans(args: readonly string[]): Promise<void> {
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const valueOf = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)
  await buildPages()
  const lessons = Number(valueOf('--lessons') ?? 20_000)
  const { statements, failed, unreached } = await judgePlans(lessons, say, valueOf('--data-dir'))
  const slowest = statements.toSorted((one, other) => other.took - one.took)
  for (const { name, text, took, rows } of slowest.slice(0, Number(valueOf('--slowest') ?? 0)))
    say(`${took.toFixed(1)} ms, ${rows} rows, ${name}: ${oneLine(text).slice(0, 160)}`)
  const refused = refusedOf(statements)
  for (const each of args.includes('--all') ? statements : refused) say(describePlan(each))
  for (const call of failed) say(`Not judged, because it failed: ${call}`)
  const unwalked = unexplainedOf(unreached)
  for (const site of unwalked) say(`Not walked: ${describeSite(site)}`)
  say(`${statements.length} statements, ${refused.length} refused.`)
  process.exitCode = refused.length + failed.length + unwalked.length === 0 ? 0 : 1
}

/** A statement in words: what it reads, its text and its plan. */
export function describePlan({ name, text, scanned, rowsSmall, rows, plan }: Judged): string {
  const scans = scanned.length === 0 ? '' : `, reads ${scanned.join(' and ')} from end to end`
  return [`${name}: ${rowsSmall} rows, then ${rows}${scans}`, oneLine(text), ...plan, ''].join('\n')
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const nameOf = (text: string) => createHash('sha1').update(text).digest('base64url').slice(0, 20)

async function walkAt(lessons: number, say: (line: string) => void, folder?: string) {
  const database = await openBenchDatabase(folder)
  try {
    const { failed, ran, coverage } = await walkThrough(database, lessons)
    const big = await bigTables(database)
    say(`Walked at ${lessons} lessons: ${ran.length} statements ran.`)
    const statements = summarize(ran, big)
    await explainPrepared(database, statements, big)
    return { statements, failed, unreached: findUnreached([coverage]) }
  } finally {
    await database.stop()
  }
}

/** By its text, of each statement the run that looked at most rows. Those of the queue of jobs are not ours. */
function summarize(ran: readonly Ran[], big: ReadonlySet<string>): Map<string, Statement> {
  const found = new Map<string, Statement>()
  for (const { text, rowsRead: rows, plan, took: tookNow } of ran) {
    if (/graphile_worker|pg_catalog|pg_stat/.test(text)) continue
    const before = found.get(text)
    const scanned = [...new Set([...(before?.scanned ?? []), ...scannedIn(plan, big)])]
    const took = Math.max(tookNow, before?.took ?? 0)
    found.set(
      text,
      before !== undefined && before.rows > rows
        ? { ...before, scanned, took }
        : { rows, plan, scanned, took },
    )
  }
  return found
}

function scannedIn(plan: readonly string[], big: ReadonlySet<string>): string[] {
  return plan.flatMap((line) => {
    const [, table = ''] = /Seq Scan (?:on )?(\w+)/.exec(line) ?? []
    return big.has(table) && !line.includes('(never run)') ? [table] : []
  })
}

/** The audit's temporary table is its own connection's: no other can plan a statement with it. */
const OF_ONE_CONNECTION = /\baudit_listing\b/

/** A statement with a name is planned without its values after a while: that plan must not read a table either. */
async function explainPrepared(
  { client }: BenchDatabase,
  statements: Map<string, Statement>,
  big: ReadonlySet<string>,
): Promise<void> {
  for (const [text, statement] of statements) {
    if (!/\$\d/.test(text) || text.startsWith('/* custom plan */')) continue
    if (OF_ONE_CONNECTION.test(text)) continue
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain (generic_plan, costs off) ${text}`,
    )
    const plan = rows.map((row) => row['QUERY PLAN'])
    const scanned = scannedIn(plan, big)
    if (scanned.length === 0) continue
    statements.set(text, {
      ...statement,
      plan,
      scanned: [...new Set([...statement.scanned, ...scanned])],
    })
  }
}

async function bigTables({ client }: BenchDatabase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= ${BIG}`,
  )
  return new Set(rows.map(({ name }) => name))
}
