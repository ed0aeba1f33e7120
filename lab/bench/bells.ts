/**
 * How soon open pages hear that something was published, and how soon all who follow its author are told: a thousand
 * pages with a connection to the hub each, of as many people, among ten thousand followers. Each shows the number that
 * the hub tells it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { createTokens } from '#server/accounts/sessions/tokens.ts'
import { systemClock } from '#server/kernel/clock.ts'
import { lessonForm } from '#server/testing/app.ts'
import { openBenchDatabase, type BenchDatabase } from './database.ts'
import { authorId, fillBuyers, fillLessons, fillPeople, type Buyer } from './fill.ts'
import { SECRET, startProductOn, type Served } from './product.ts'
import { quantile, type Settings } from './rounds.ts'
import { judged, type Section } from './table.ts'

const FOLLOWERS = 10_000
const PAGES = 1000
const LESSONS = 1000
const AUTHOR = authorId(1)
const LATEST_MS = 60_000
const END = '\u001e'

/** Measures both on a database of its own. */
export async function benchBells({ quick }: Settings): Promise<Section[]> {
  const database = await openBenchDatabase()
  try {
    await fillPeople(database.client)
    await fillLessons(database.client, 1, LESSONS)
    const followers = await fillBuyers(database.client, FOLLOWERS, 'follower')
    await database.client.query(
      `insert into follows (follower_id, author_id, created_at) select unnest($1::uuid[]), $2, now()`,
      [followers.map(({ userId }) => userId), AUTHOR],
    )
    const product = await startProductOn(database)
    try {
      return [await publishRounds(database, product, followers, quick ? 1 : 3)]
    } finally {
      await product.stop()
    }
  } finally {
    await database.stop()
  }
}

async function publishRounds(
  database: BenchDatabase,
  product: Served,
  followers: readonly Buyer[],
  rounds: number,
): Promise<Section> {
  const readers = followers.filter((_, place) => place % (FOLLOWERS / PAGES) === 0)
  const tokens = createTokens({ secrets: [SECRET], accessMinutes: 600, clock: systemClock })
  const signed = await Promise.all(
    readers.map(({ userId, sessionId }) => tokens.signAccess(userId, sessionId)),
  )
  const author = await sessionOfAuthor(database, tokens)
  const bells = await openAll(product.port, signed)
  const rows: string[][] = []
  for (let round = 1; round <= rounds; round += 1) {
    const began = performance.now()
    const published = await fetch(`http://127.0.0.1:${product.port}/api/lesson/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${author}` },
      body: await lessonForm({ title: `Bells, round ${round}` }),
    })
    if (!published.ok) throw new Error(`publishing answered ${published.status}`)
    const { id } = (await published.json()) as { id: number }
    const answered = performance.now()
    const told = waitUntilTold(database, id)
    const late = await Promise.all(bells.map((bell) => bell.shows(round)))
    const all = (await told) - answered
    const most = Math.max(...late) - answered
    rows.push([
      String(round),
      `${(answered - began).toFixed(0)} ms`,
      `${(quantile(late, 0.5) - answered).toFixed(0)} ms`,
      `${most.toFixed(0)} ms`,
      judged('≤ 2 s', most <= 2000),
      `${all.toFixed(0)} ms`,
      judged('≤ 10 s', all <= 10_000),
    ])
  }
  for (const bell of bells) bell.close()
  return {
    title: `Something is published: ${PAGES} open pages among ${FOLLOWERS} followers`,
    columns: [
      'round',
      'published in',
      'bells: p50',
      'the last bell',
      'goal',
      'all are told',
      'goal',
    ],
    rows,
    notes: ['From the answer to who published until the page has its new number.'],
    raw: rows,
  }
}

async function sessionOfAuthor(
  { client }: BenchDatabase,
  tokens: ReturnType<typeof createTokens>,
): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into sessions (id, user_id, expires_at) values (gen_random_uuid(), $1, now() + interval '1 day') returning id`,
    [AUTHOR],
  )
  return tokens.signAccess(AUTHOR, rows[0]?.id ?? '')
}

async function waitUntilTold({ client }: BenchDatabase, lessonId: number): Promise<number> {
  const end = performance.now() + LATEST_MS
  for (;;) {
    const { rows } = await client.query<{ told: number }>(
      `select count(*)::int as told from notices where kind = 'published' and item_id = $1`,
      [lessonId],
    )
    if ((rows[0]?.told ?? 0) >= FOLLOWERS) return performance.now()
    if (performance.now() > end) throw new Error(`only ${rows[0]?.told} followers were told`)
    await sleep(50)
  }
}

interface Bell {
  /** When its number was this, by the clock of performance.now(). */
  shows(unread: number): Promise<number>
  close(): void
}

async function openAll(port: number, tokens: readonly string[]): Promise<Bell[]> {
  const bells: Bell[] = []
  // As many at once as a listening socket's queue takes.
  for (let from = 0; from < tokens.length; from += 50)
    bells.push(
      ...(await Promise.all(tokens.slice(from, from + 50).map((token) => openBell(port, token)))),
    )
  return bells
}

async function openBell(port: number, token: string): Promise<Bell> {
  const authorization = `Bearer ${token}`
  const origin = `http://127.0.0.1:${port}`
  const negotiated = await fetch(`${origin}/chatHub/negotiate?negotiateVersion=1`, {
    method: 'POST',
    headers: { authorization },
  })
  const { connectionToken } = (await negotiated.json()) as { connectionToken: string }
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/chatHub?id=${connectionToken}`, {
    headers: { authorization },
    perMessageDeflate: false,
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('open', () => socket.send(`{"protocol":"json","version":1}${END}`))
    socket.once('message', () => resolve())
  })
  let number = -1
  let at = 0
  let wake = () => {}
  socket.on('message', (data: Buffer) => {
    const told = /"target":"Noticed","arguments":\[(\d+)\]/.exec(data.toString())?.[1]
    if (told === undefined) return
    number = Number(told)
    at = performance.now()
    wake()
  })
  return {
    shows: async (unread) => {
      const end = AbortSignal.timeout(LATEST_MS)
      while (number < unread) {
        end.throwIfAborted()
        await new Promise<void>((resolve) => {
          wake = resolve
          end.addEventListener('abort', () => resolve(), { once: true })
        })
      }
      return at
    },
    close: () => socket.close(),
  }
}
