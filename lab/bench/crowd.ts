/**
 * One lesson and very many people: liked by as many as can at once, and deleted when 100,000 have bought it. Beside it
 * others read, at a fixed rate; afterwards everything is counted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { createTokens } from '#server/accounts/sessions/tokens.ts'
import { systemClock } from '#server/kernel/clock.ts'
import { openBenchDatabase, waitForJobs, type BenchDatabase } from './database.ts'
import { authorId, fillBuyers, fillLessons, fillPeople, type Buyer } from './fill.ts'
import type { Load, LoadResult } from './load.ts'
import { cpuOf, runJob } from './process.ts'
import { SECRET, startProductOn, type Served } from './product.ts'
import type { RateLoad, RateResult } from './rate.ts'
import type { Settings } from './rounds.ts'
import type { Section } from './table.ts'

const LESSONS = 1000
const LIKED = 7
const DELETED = 11
const CONNECTIONS = 64
/** Readers of others' pages, a second. */
const READS = 50
const BUYERS = { quick: 10_000, full: 100_000 }
/** More than can like it in the time. */
const LIKERS = 50_000
const LIKED_SECONDS = 5
const LONGEST_MS = 5 * 60_000

/** Measures both on a database of its own. */
export async function benchCrowd(settings: Settings): Promise<Section[]> {
  const database = await openBenchDatabase()
  try {
    await fillPeople(database.client)
    await fillLessons(database.client, 1, LESSONS)
    const product = await startProductOn(database)
    try {
      const quiet = await readBeside(product, 5)
      const likes = await likeTogether(database, product)
      const removal = await removeBought(database, product, settings)
      return [
        {
          title: `One lesson and many people, beside ${READS} reads a second`,
          columns: ['what', 'how long', 'a second', 'reads beside it: p50, p99', 'afterwards'],
          rows: [['nothing', '', '', waits(quiet), ''], likes, removal],
          notes: [],
          raw: { likes, removal, quiet },
        },
      ]
    } finally {
      await product.stop()
    }
  } finally {
    await database.stop()
  }
}

/** Everybody likes the same lesson, each once, as fast as it goes. */
async function likeTogether(database: BenchDatabase, product: Served): Promise<string[]> {
  const people = await fillBuyers(database.client, LIKERS, 'liker')
  await database.client.query('update lessons set likes = 0 where id = $1', [LIKED])
  const before = cpuOf(product.pid)
  const seconds = LIKED_SECONDS
  const [result, beside] = await Promise.all([
    runJob(
      join(import.meta.dirname, 'load.ts'),
      {
        port: product.port,
        method: 'POST',
        paths: [`/api/lesson/like/${LIKED}`],
        authorizations: await bearersOf(people),
        headers: { accept: 'application/json' },
        from: 0,
        seconds,
        connections: CONNECTIONS,
        expect: { status: 200, bytes: 10, exact: false, field: '"likes":' },
      } satisfies Load,
      LONGEST_MS,
    ) as Promise<LoadResult>,
    readBeside(product, seconds),
  ])
  const cpu = (cpuOf(product.pid) - before) / result.answers
  const { rows } = await database.client.query<{ likes: number; stored: number }>(
    `select likes, (select count(*)::int from lesson_likes where lesson_id = $1) as stored from lessons where id = $1`,
    [LIKED],
  )
  const { likes = 0, stored = 0 } = rows[0] ?? {}
  const isExact = likes === stored && stored >= result.answers && result.wrong === 0
  return [
    `a lesson is liked over ${CONNECTIONS} connections`,
    `${result.seconds.toFixed(1)} s`,
    (result.answers / result.seconds).toFixed(0),
    waits(beside),
    `${isExact ? 'exact' : `WRONG: ${result.wrong} ${result.firstWrong}`}: ${stored} likes, the lesson says ${likes}; ${cpu.toFixed(2)} ms of the node's processor each`,
  ]
}

/** A lesson that very many have bought is deleted; the refunds that one transaction does not hold come by a job. */
async function removeBought(
  database: BenchDatabase,
  product: Served,
  { quick }: Settings,
): Promise<string[]> {
  const { client } = database
  const count = quick ? BUYERS.quick : BUYERS.full
  await fillBuyers(client, count, 'reader')
  await buyForAll(database, count)
  const { rows: owners } = await client.query<{ owner_id: string }>(
    'select owner_id from lessons where id = $1',
    [DELETED],
  )
  const ownerId = owners[0]?.owner_id ?? authorId(1)
  const session = await client.query<{ id: string }>(
    `insert into sessions (id, user_id, expires_at) values (gen_random_uuid(), $1, now() + interval '1 day') returning id`,
    [ownerId],
  )
  const owner = { userId: ownerId, sessionId: session.rows[0]?.id ?? '' }
  const [authorization = ''] = await bearersOf([owner])
  const began = performance.now()
  const answer = await fetch(`http://127.0.0.1:${product.port}/api/lesson/${DELETED}`, {
    method: 'DELETE',
    headers: { authorization },
  })
  const answered = performance.now() - began
  const [seconds, beside] = await Promise.all([
    waitForRefunds(client, began),
    readBeside(product, quick ? 5 : 30),
  ])
  await waitForJobs(database)
  const { rows } = await client.query<{ refunded: number; left: number; wrong: number }>(
    `select count(*) filter (where reason = 'refunded')::int as refunded,
       (select count(*)::int from lesson_purchases where lesson_id = $1) as left,
       (select count(*)::int from point_balances b join users u on u.id = b.user_id
        where u.username like 'reader%' and b.net <> 100) as wrong
     from point_entries where item_kind = 'lesson' and item_id = $1`,
    [DELETED],
  )
  const { refunded = 0, left = 0, wrong = 0 } = rows[0] ?? {}
  const isExact = answer.ok && refunded === count && left === 0 && wrong === 0
  return [
    `a lesson with ${count} buyers is deleted: answered after ${answered.toFixed(0)} ms, all refunded`,
    `${seconds.toFixed(1)} s`,
    (count / seconds).toFixed(0),
    waits(beside),
    `${isExact ? 'exact' : 'WRONG'}: ${refunded} refunds, ${left} purchases left, ${wrong} wrong balances; ${await proveBooks(database)}`,
  ]
}

/** As if each had earned 100 points and spent them on the lesson. */
async function buyForAll({ client }: BenchDatabase, count: number): Promise<void> {
  await client.query(
    `insert into point_entries (user_id, amount, reason, item_kind, item_id, item_title, net_after)
     select md5('reader' || n)::uuid, 100, 'welcome', null, null, null, 100 from generate_series(1, $1::int) n`,
    [count],
  )
  await client.query(
    `insert into point_entries (user_id, amount, reason, item_kind, item_id, item_title, net_after)
     select md5('reader' || n)::uuid, -100, 'bought', 'lesson', $2::bigint, c.title, 0
     from generate_series(1, $1::int) n, lesson_contents c where c.lesson_id = $2`,
    [count, DELETED],
  )
  await client.query(
    `update point_balances set net = 0 where user_id in (select md5('reader' || n)::uuid from generate_series(1, $1::int) n)`,
    [count],
  )
  await client.query(
    `insert into lesson_purchases (user_id, lesson_id, price)
     select md5('reader' || n)::uuid, $2, 100 from generate_series(1, $1::int) n`,
    [count, DELETED],
  )
  await client.query('vacuum (analyze) point_entries, point_balances, lesson_purchases')
}

/** Seconds until no refund is due any more. */
async function waitForRefunds(client: BenchDatabase['client'], began: number): Promise<number> {
  while (performance.now() - began < LONGEST_MS) {
    const { rows } = await client.query<{ due: boolean }>(
      'select refunds_due as due from lessons where id = $1',
      [DELETED],
    )
    if (rows[0]?.due !== true) break
    await sleep(100)
  }
  return (performance.now() - began) / 1000
}

/** Whether each balance is the sum of its entries. */
async function proveBooks({ client }: BenchDatabase): Promise<string> {
  const { rows } = await client.query<{ broken: number }>(
    `select count(*)::int as broken from point_balances b join users u on u.id = b.user_id
     where u.username like 'reader%'
       and b.net <> (select coalesce(sum(amount), 0) from point_entries e where e.user_id = b.user_id)`,
  )
  return `${rows[0]?.broken ?? 0} people whose balance is not the sum of their entries`
}

const waits = ({ p50, p99, wrong }: RateResult): string =>
  `${p50.toFixed(1)}, ${p99.toFixed(1)} ms${wrong > 0 ? ` (${wrong} wrong)` : ''}`

/** Others' lessons, read by guests at a fixed rate. */
async function readBeside({ port }: Served, seconds: number): Promise<RateResult> {
  const paths = Array.from({ length: 500 }, (_, place) => `/api/lesson/${100 + place}`)
  const load: RateLoad = { port, seconds, connections: 16, rate: READS, paths, headers: {} }
  const answer = await runJob(join(import.meta.dirname, 'rate.ts'), load, seconds * 1000 + 30_000)
  return answer as RateResult
}

async function bearersOf(people: readonly Buyer[]): Promise<string[]> {
  const tokens = createTokens({ secrets: [SECRET], accessMinutes: 600, clock: systemClock })
  return Promise.all(
    people.map(
      async ({ userId, sessionId }) => `Bearer ${await tokens.signAccess(userId, sessionId)}`,
    ),
  )
}
