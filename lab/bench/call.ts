/**
 * What one call or page costs: `npm run bench -- --call "GET /api/lesson/all?page=7"` for a guest and a signed-in
 * person, `--calls` for all of `call-samples.ts`, dearest first.
 *
 *   --as reader,author     who calls, of guest, reader, author, crowd, administrator; crowd: many people in turn
 *   --body '{"text":"…"}'  what is sent as JSON
 *   --status 204           what it is answered, 200 unless given
 *   --lessons 100000       size of the market, 10,000 unless given
 *   --seconds 2            of load
 *   --connections 8        that send it
 *   --brief                without plans
 *
 * In paths and bodies `{n}` stands for the ids 1 to 500, `{other}` for all lessons' ids above, `{person}` for the id of
 * an author and `{uuid}` for a new one: each request takes the next.
 */
import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { READ } from './api.ts'
import { openMarket, PERSONS, type Market, type Credentials } from './market.ts'
import { preparePlans, recordPlans } from './call-plans.ts'
import { waitForJobs } from './database.ts'
import { describeBudget, headOf, tableOf, type Budget, type Statement } from './call-print.ts'
import { SAMPLES, type Sample } from './call-samples.ts'
import { authorId } from './fill.ts'
import type { Load, LoadResult } from './load.ts'
import type { Sent, Used } from './probe.ts'
import { cpuOfTree, runJob } from './process.ts'
import { buildPages, startProductOn, type Served } from './product.ts'

const LESSONS = 10_000
/** Of its purchases and likes, beside those of a big market. */
const SHARE = 0.2
const CONNECTIONS = 8
/** Different requests that are sent in turn. */
const VARIANTS = 5000
const LOAD = join(import.meta.dirname, 'load.ts')
/** After a single request: what it causes in the background has begun by then. */
const SETTLE_MS = 300

interface Subject {
  readonly product: Served
  readonly database: Market
  readonly seconds: number
  readonly connections: number
}

/** Measures what the words after `--call` or `--calls` ask for, and prints it. */
export async function showCalls(args: readonly string[]): Promise<void> {
  const valueOf = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)
  const persons = PERSONS.filter((name) => valueOf('--as')?.split(',').includes(name))
  const [method = 'GET', path = '/'] = (valueOf('--call') ?? '').split(' ')
  const body = valueOf('--body')
  const status = valueOf('--status')
  const areAll = args.includes('--calls')
  const samples: readonly Sample[] = areAll
    ? SAMPLES
    : (persons.length > 0 ? persons : (['guest', 'reader'] as const)).map((as) => ({
        call: `${method} ${path}`,
        as,
        ...(body !== undefined && { body }),
        ...(status !== undefined && { status: Number(status) }),
      }))
  await buildPages()
  const lessons = Number(valueOf('--lessons') ?? LESSONS)
  const found = await measureCalls(samples, {
    lessons,
    seconds: Number(valueOf('--seconds') ?? 2),
    connections: Number(valueOf('--connections') ?? CONNECTIONS),
    hear: (budget) => {
      if (areAll) process.stderr.write(`${headOf(budget)}\n`)
      else say(describeBudget(budget, args.includes('--brief')))
    },
  })
  if (areAll) say(tableOf(found.budgets, found.unsampled))
}

export interface CallSettings {
  /** Size of the market. */
  readonly lessons: number
  readonly seconds: number
  readonly connections: number
  /** Where markets are stored, unless where the bench stores its own. */
  readonly folder?: string
  /** Called with what each call costs, as soon as that is known. */
  readonly hear?: (budget: Budget) => void
}

/**
 * Measures calls and pages of the product as it was built last, on a copy of a market. Gives what each costs, and the
 * calls of the contract that no sample calls.
 */
export async function measureCalls(
  samples: readonly Sample[],
  { lessons, seconds, connections, folder, hear }: CallSettings,
): Promise<{ budgets: Budget[]; unsampled: string[] }> {
  const courses = Math.ceil(lessons / 10)
  const database = await openMarket({ lessons, courses, share: SHARE }, folder)
  try {
    await preparePlans(database)
    const product = await startProductOn(database, { probed: true })
    try {
      // A market that was just filled has jobs of its own, which would take what the first call is measured by.
      await waitForJobs(database, SETTLE_MS)
      const subject = { product, database, seconds, connections }
      for (const kind of ['lesson', 'course'])
        await fetch(`http://127.0.0.1:${product.port}/api/${kind}/browse`)
      const budgets: Budget[] = []
      for (const sample of samples) {
        const budget = await measure(subject, sample)
        budgets.push(budget)
        hear?.(budget)
      }
      return { budgets, unsampled: await findUnsampled(product) }
    } finally {
      await product.stop()
    }
  } finally {
    await database.stop()
  }
}

async function measure(subject: Subject, sample: Sample): Promise<Budget> {
  const { product, database, seconds } = subject
  const load = await loadOf(subject, sample)
  const warm = await sendLoad({ ...load, seconds: Math.max(0.5, seconds / 3), from: 0 })
  await waitForJobs(database)
  const before = { used: await ask<Used>(product, 'used'), database: cpuOfTree(database.pid) }
  const sent = await sendLoad({ ...load, from: warm.answers })
  await waitForJobs(database)
  const after = { used: await ask<Used>(product, 'used'), database: cpuOfTree(database.pid) }
  const single = await recordOne(subject, load, warm.answers + sent.answers)
  const { answers } = sent
  return {
    call: sample.call,
    person: sample.as,
    status: single.status,
    perSecond: answers / sent.seconds,
    bytes: sent.bytes / answers,
    node: (after.used.cpu - before.used.cpu) / answers,
    database: (after.database - before.database) / answers,
    allocated: (after.used.allocated - before.used.allocated) / answers,
    statements: single.statements,
    load: loadavg()[0] ?? 0,
    wrong: sent.wrong === 0 ? '' : `${sent.wrong} of ${answers} wrong: ${sent.firstWrong}`,
  }
}

async function loadOf(
  { product, database, seconds, connections }: Subject,
  { call, as, body, status }: Sample,
): Promise<Omit<Load, 'from'>> {
  const [method = 'GET', path = '/'] = call.split(' ')
  const isCall = path.startsWith('/api/')
  const known = await database.credentialsOf(as)
  const pick = (field: keyof Credentials) => known.map((each) => each[field])
  const vary = (text: string) =>
    /\{(?:n|other|person|uuid)\}/.test(text)
      ? Array.from({ length: VARIANTS }, (_, n) => variant(text, n, database.lessons))
      : [text]
  return {
    port: product.port,
    seconds,
    connections,
    method,
    paths: vary(path),
    authorizations: isCall ? pick('bearer') : [],
    cookies: isCall ? [] : pick('cookie'),
    bodies: body === undefined ? [] : vary(body),
    headers: {
      accept: isCall ? 'application/json' : 'text/html',
      ...(!isCall && { 'accept-encoding': 'br' }),
      'accept-language': 'en',
    },
    expect: { status: status ?? 200, bytes: 0, exact: false, field: '' },
  }
}

function variant(text: string, n: number, lessons: number): string {
  return text
    .replaceAll('{n}', `${1 + (n % READ)}`)
    .replaceAll('{other}', `${READ + 1 + ((n * 7919) % (lessons - READ))}`)
    .replaceAll('{person}', authorId(1 + (n % READ)))
    .replaceAll('{uuid}', () => randomUUID())
}

// The answer is what our own load.ts prints.
const sendLoad = async (load: Load) =>
  (await runJob(LOAD, load, load.seconds * 1000 + 60_000)) as LoadResult

// The answers are what our own probe.ts sends.
const ask = async <Answer>(product: Served, question: string) =>
  (await product.ask(question)) as Answer

/** One request alone: its statements with what the database did for them, also those that it caused after its answer. */
async function recordOne(
  { product, database }: Subject,
  load: Omit<Load, 'from'>,
  n: number,
): Promise<{ status: number; statements: Statement[] }> {
  const at = (values: readonly string[] = []) => values[n % values.length]
  const [authorization, cookie, body] = [at(load.authorizations), at(load.cookies), at(load.bodies)]
  let status = 0
  let answeredAt = 0
  let sent: Sent[] = []
  const ran = await recordPlans(database, async () => {
    await product.ask('record')
    const begin = performance.now()
    const answer = await fetch(`http://127.0.0.1:${product.port}${at(load.paths) ?? '/'}`, {
      method: load.method,
      headers: {
        ...load.headers,
        ...(authorization !== undefined && { authorization }),
        ...(cookie !== undefined && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body ?? null,
      redirect: 'manual',
    })
    await answer.arrayBuffer()
    status = answer.status
    answeredAt = performance.now() - begin
    await sleep(SETTLE_MS)
    await waitForJobs(database)
    sent = await ask<Sent[]>(product, 'recorded')
  })
  const left = [...ran]
  // Without what the queue of jobs asks at any time, whether it was called or not.
  const own = sent.filter(
    ({ text, at: sentAt }) =>
      !text.includes('still listening') &&
      (sentAt <= answeredAt || load.method !== 'GET' || !text.includes('graphile_worker')),
  )
  const statements = own.map((each) => {
    const place = left.findIndex(({ text }) => text === each.text)
    const [found = null] = place < 0 ? [] : left.splice(place, 1)
    return { ...each, isAfterAnswer: each.at > answeredAt, ran: found }
  })
  return { status, statements }
}

/** Calls of the contract without a sample. */
async function findUnsampled(product: Served): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${product.port}/api/openapi.json`)
  // As our own description of the calls has it.
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, unknown>> }
  const calls = Object.entries(paths).flatMap(([path, methods]) => {
    const [method = ''] = Object.keys(methods)
    const full = path.startsWith('/api') ? path : `/api${path}`
    return [{ name: `${method.toUpperCase()} ${full}`, path: full, method: method.toUpperCase() }]
  })
  const isSampled = ({ path, method }: { path: string; method: string }) => {
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    return SAMPLES.some(({ call }) => {
      const [asked = '', address = ''] = call.split(' ')
      return asked === method && pattern.test(address.replace(/\?.*/, ''))
    })
  }
  return calls.filter((call) => !isSampled(call)).map(({ name }) => name)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
