/**
 * `npm run bench -- --plans`: what PostgreSQL does for every statement that a walk through the calls sends, on seeded
 * databases of two sizes. A big table must not be read from end to end, and the rows that a statement looks at must not
 * grow with the tables.
 *
 *   --lessons 20000   of the bigger one; people, sales, likes, comments and messages in proportion
 *   --all             prints each statement, not only those that are refused
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTokens } from '#server/accounts/sessions/tokens.ts'
import { systemClock } from '#server/kernel/clock.ts'
import { personId } from '#scripts/seed/content.ts'
import { fillSeed } from '#scripts/seed/fill.ts'
import { SAMPLES, type Sample } from './call-samples.ts'
import { preparePlans, recordPlans, type Ran } from './call-plans.ts'
import { openBenchDatabase, type BenchDatabase } from './database.ts'
import type { PersonName } from './market.ts'
import { SECRET, startProductOn, type Served } from './product.ts'
import { JUSTIFIED } from './plans-justified.ts'

/** How many times as big the bigger database is. */
const GROWTH = 8
/** More rows than this many times those of the smaller database, and than LEAST, have grown with the tables. */
const TIMES = 3
const LEAST = 500
/** Of a table with fewer rows an index is no gain. */
const BIG = 1000
const SEED = 1
/** Each call so often, with other items: some statements wait for a cold cache. */
const ROUNDS = 2
const SETTLE_MS = 1500
const JOBS_MS = 60_000

/** Pages read by the same verbs as these, and need a build. */
const CALLS = SAMPLES.filter(({ call }) => call.includes(' /api/'))

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
  readonly plan: readonly string[]
  /** Of a prepared statement, what is planned without its values. */
  readonly isPrepared: boolean
}

/** What a walk found. */
export interface Walked {
  readonly statements: readonly Judged[]
  /** Calls that were answered with 401 or 5xx: nothing of them can be judged. */
  readonly failed: readonly string[]
}

interface Statement {
  readonly rows: number
  readonly plan: readonly string[]
  readonly scanned: readonly string[]
}

/** Walks through the product at `lessons` and at an eighth of them, and judges every statement of both walks. */
export async function judgePlans(lessons: number, say: (line: string) => void): Promise<Walked> {
  const small = await walkAt(Math.ceil(lessons / GROWTH), say)
  const big = await walkAt(lessons, say)
  const statements = [...big.statements].map(([text, { rows, plan, scanned }]): Judged => {
    const rowsSmall = small.statements.get(text)?.rows
    return {
      name: nameOf(text),
      text,
      scanned,
      rowsSmall: rowsSmall ?? 0,
      rows,
      // Of what the small walk did not send nothing is known.
      hasGrown: rowsSmall !== undefined && rows > LEAST && rows > rowsSmall * TIMES,
      plan,
      isPrepared: !text.startsWith('/* custom plan */'),
    }
  })
  return { statements, failed: [...small.failed, ...big.failed] }
}

/** The statements that are refused: nothing justifies what they do. */
export function refusedOf(statements: readonly Judged[]): Judged[] {
  return statements.filter(
    ({ text, scanned, hasGrown }) =>
      (scanned.length > 0 || hasGrown) &&
      !JUSTIFIED.some(({ part }) => oneLine(text).includes(part)),
  )
}

/** Prints what `--plans` asks for; the process fails when a statement is refused. */
export async function showPlans(args: readonly string[]): Promise<void> {
  const given = args.includes('--lessons') ? Number(args[args.indexOf('--lessons') + 1]) : 20_000
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const { statements, failed } = await judgePlans(given, say)
  const refused = refusedOf(statements)
  for (const each of args.includes('--all') ? statements : refused) say(describePlan(each))
  for (const call of failed) say(`Not judged, because it failed: ${call}`)
  say(`${statements.length} statements, ${refused.length} refused.`)
  process.exitCode = refused.length + failed.length === 0 ? 0 : 1
}

/** A statement in words: what it reads, its text and its plan. */
export function describePlan({ name, text, scanned, rowsSmall, rows, plan }: Judged): string {
  const scans = scanned.length === 0 ? '' : `, reads ${scanned.join(' and ')} from end to end`
  return [`${name}: ${rowsSmall} rows, then ${rows}${scans}`, oneLine(text), ...plan, ''].join('\n')
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const nameOf = (text: string) => createHash('sha1').update(text).digest('base64url').slice(0, 20)

async function walkAt(lessons: number, say: (line: string) => void) {
  const database = await openBenchDatabase()
  try {
    const { client } = database
    const users = Math.ceil(lessons / 5)
    const sizes = { lessons, users, purchases: lessons * 5, likes: lessons * 5, seed: SEED }
    const hear = () => undefined
    await fillSeed(
      { client, passwordHash: 'none', isAdded: false, hear },
      { ...sizes, comments: lessons * 3, messages: lessons * 5 },
    )
    await addSessions(database, users)
    const subject = { ...database, logFile: join(database.dataDir, 'postgres.log') }
    await preparePlans(subject)
    const product = await startProductOn(database)
    try {
      const failed: string[] = []
      const ran = await recordPlans(subject, async () => {
        failed.push(...(await walk(product, lessons, users)))
        await waitForJobs(database)
      })
      const sizesOf = await bigTables(database)
      say(`Walked at ${lessons} lessons: ${ran.length} statements ran.`)
      const statements = summarize(ran, sizesOf)
      await explainPrepared(database, statements, sizesOf)
      return { statements, failed }
    } finally {
      await product.stop()
    }
  } finally {
    await database.stop()
  }
}

/** By its text, of each statement the run that looked at most rows. Those of the queue of jobs are not ours. */
function summarize(ran: readonly Ran[], big: ReadonlySet<string>): Map<string, Statement> {
  const found = new Map<string, Statement>()
  for (const { text, rowsRead: rows, plan } of ran) {
    if (/graphile_worker|pg_catalog|pg_stat/.test(text)) continue
    const before = found.get(text)
    const scanned = [...new Set([...(before?.scanned ?? []), ...scannedIn(plan, big)])]
    found.set(
      text,
      before !== undefined && before.rows > rows ? { ...before, scanned } : { rows, plan, scanned },
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

/** A statement with a name is planned without its values after a while: that plan must not read a table either. */
async function explainPrepared(
  { client }: BenchDatabase,
  statements: Map<string, Statement>,
  big: ReadonlySet<string>,
): Promise<void> {
  for (const [text, statement] of statements) {
    if (!/\$\d/.test(text) || text.startsWith('/* custom plan */')) continue
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

/** The people who call, by number: none of them is an author of the first lessons' neighbours. */
const NUMBERS = { reader: 7, author: 1, administrator: 11 } as const
const CROWD = 50

const numberOf = (person: PersonName, n: number, users: number): number =>
  person === 'crowd'
    ? 20 + (n % Math.min(CROWD, users - 20))
    : person === 'guest'
      ? 0
      : NUMBERS[person]

async function addSessions({ client }: BenchDatabase, users: number): Promise<void> {
  const people = Array.from({ length: Math.min(users, 20 + CROWD) }, (_, place) =>
    personId(SEED, place + 1),
  )
  await client.query(
    `insert into sessions (id, user_id, expires_at)
     select id, id, now() + interval '1 day' from unnest($1::uuid[]) id`,
    [people],
  )
  await client.query(`update users set role = 'administrator' where id = $1`, [
    personId(SEED, NUMBERS.administrator),
  ])
  await client.query('analyze sessions, users')
}

/** Each call some times, and answers those that failed. */
async function walk({ port }: Served, lessons: number, users: number): Promise<string[]> {
  const tokens = createTokens({ secrets: [SECRET], accessMinutes: 60, clock: systemClock })
  const failed: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [place, sample] of CALLS.entries()) {
      const n = round * CALLS.length + place
      const id = personId(SEED, numberOf(sample.as, n, users))
      const headers: Record<string, string> = { accept: '*/*' }
      if (sample.as !== 'guest') {
        headers['authorization'] = `Bearer ${await tokens.signAccess(id, id)}`
        headers['cookie'] = `kb=${tokens.refreshToken(id, 1)}`
      }
      const { method, path, body } = fillIn(sample, n, lessons)
      if (body !== null) headers['content-type'] = 'application/json'
      const url = `http://127.0.0.1:${port}${path}`
      const answer = await fetch(url, { method, headers, body, redirect: 'manual' })
      await answer.arrayBuffer()
      if (answer.status === 401 || answer.status >= 500)
        failed.push(`${sample.call}, ${sample.as}: ${answer.status}`)
    }
  }
  return failed
}

/** What stands for items and people, in the middle of the content: the first lesson is bought by half of all. */
function fillIn({ call, body }: Sample, n: number, lessons: number) {
  const middle = Math.floor(lessons / 2)
  const fill = (text: string) =>
    text
      .replaceAll('{n}', `${middle + n}`)
      .replaceAll('{other}', `${middle + 500 + n}`)
      .replaceAll('{person}', personId(SEED, 8 + n))
      .replaceAll('author7', 'person8')
      .replaceAll('{uuid}', () => crypto.randomUUID())
  const [method = 'GET', path = '/'] = call.split(' ')
  const course = path.startsWith('/course/') || path.startsWith('/api/course/')
  return {
    method,
    // There are ten times as few courses.
    path: fill(course ? path.replaceAll('{n}', `${1 + n}`) : path),
    body: body === undefined ? null : fill(body),
  }
}

/** Until nothing that the calls caused waits in the queue. */
async function waitForJobs({ client }: BenchDatabase): Promise<void> {
  const end = performance.now() + JOBS_MS
  await sleep(SETTLE_MS)
  while (performance.now() < end) {
    const { rows } = await client.query<{ due: boolean }>(
      `select exists (
         select from graphile_worker._private_jobs where run_at <= now() and attempts < max_attempts
       ) as due`,
    )
    if (rows[0]?.due !== true) return
    await sleep(100)
  }
}
