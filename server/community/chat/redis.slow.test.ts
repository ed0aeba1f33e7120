/** Tests two nodes that lose their Redis in different ways and get it back. */
import { expect, test as base, type TestContext } from 'vitest'
import type { Message } from '#contract/chat.ts'
import { buildConnection } from '#server/testing/http/hub.ts'
import { startRedis, type RedisProcess } from '#server/testing/redis/process.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'

/** In ms: nothing may wait for Redis longer than a second; the rest is room for a busy machine. */
const SOON_MS = 4000
/** In ms after its return: 5 seconds, and the time of the Redis process to start. */
const BACK_MS = 7000

// They spend most of their time waiting, so they run concurrently, each with a Redis and nodes of its own.
const test = base.concurrent

type Ending = Pick<TestContext, 'onTestFinished'>

async function openNodes(
  { onTestFinished }: Ending,
  redis: RedisProcess,
): Promise<[TestApp, TestApp]> {
  onTestFinished(redis.close)
  const near = await createTestApp({ REDIS_URL: redis.url })
  onTestFinished(() => near.close())
  const far = await createTestApp({ REDIS_URL: redis.url }, null, near)
  onTestFinished(() => far.close())
  return [near, far]
}

/** Connects the official client and records what it receives. */
async function connectClient({ onTestFinished }: Ending, node: TestApp, person: Person) {
  const heard: string[] = []
  const hints: number[] = []
  const connection = buildConnection(node, person.session.accessToken)
  connection.on('ReceiveMessage', (text: string) => heard.push(text))
  connection.on('CatchUp', () => hints.push(performance.now()))
  onTestFinished(() => connection.stop())
  await connection.start()
  return { connection, heard, hints }
}

async function timed<Result>(work: Promise<Result>): Promise<[number, Result]> {
  const began = performance.now()
  const result = await work
  return [performance.now() - began, result]
}

const FAULTS = {
  'is killed': {
    cut: (redis: RedisProcess) => redis.stop(),
    mend: (redis: RedisProcess) => redis.restart(),
  },
  'is frozen': {
    cut: (redis: RedisProcess) => Promise.resolve(redis.freeze()),
    mend: (redis: RedisProcess) => Promise.resolve(redis.thaw()),
  },
}

const write = (node: TestApp, from: Person, to: Person, text: string) =>
  node.call<Message>('POST', '/message/create', {
    as: from,
    json: { text, receiverUsername: to.session.username },
  })

/** Loads what the page's catch-up loads when it is told to. */
async function history(node: TestApp, reader: Person, other: Person): Promise<string[]> {
  const { body } = await node.call<Message[]>('GET', `/message/all/${other.session.username}`, {
    as: reader,
  })
  return body.map(({ text }) => text)
}

async function readyOf({ url }: TestApp) {
  const answer = await fetch(`${url}/readyz`)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const DEGRADED = {
  status: 200,
  body: {
    status: 'degraded',
    degraded: 'redis',
    says: { redis: expect.stringContaining('chat messages cross between the nodes') },
  },
}

test(
  'nodes start without Redis, and connect when it comes',
  { timeout: 40_000 },
  async (ending) => {
    const redis = await startRedis({ absent: true })
    const [near, far] = await openNodes(ending, redis)
    expect(await readyOf(near)).toEqual(DEGRADED)
    const [ann, bob] = [await near.signUp('ann-absent'), await far.signUp('bob-absent')]
    const [startMs, { heard, hints, connection }] = await timed(connectClient(ending, far, bob))
    expect(startMs).toBeLessThan(SOON_MS)
    const [createMs, { status }] = await timed(write(near, ann, bob, 'before'))
    expect([status, createMs < SOON_MS]).toEqual([200, true])
    // Meanwhile the node delivers to its own connections.
    expect((await write(far, ann, bob, 'from here')).status).toBe(200)
    await ending.expect.poll(() => heard, { timeout: 6000 }).toEqual(['from here'])
    await redis.restart()
    await ending.expect.poll(() => hints.length, { timeout: BACK_MS }).toBeGreaterThan(0)
    expect(await history(far, bob, ann)).toEqual(['before', 'from here'])
    await write(near, ann, bob, 'after')
    await ending.expect.poll(() => heard, { timeout: 6000 }).toEqual(['from here', 'after'])
    expect(connection.state).toBe('Connected')
  },
)

test.for(Object.entries(FAULTS))(
  'when Redis %s nobody waits for it, and all catch up when it is back',
  { timeout: 40_000 },
  async ([name, { cut, mend }], ending) => {
    const redis = await startRedis()
    const [near, far] = await openNodes(ending, redis)
    const kind = name.replaceAll(' ', '-')
    const [ann, bob] = [await near.signUp(`ann-${kind}`), await far.signUp(`bob-${kind}`)]
    const { heard, hints, connection } = await connectClient(ending, far, bob)
    await write(near, ann, bob, 'before')
    await ending.expect.poll(() => heard, { timeout: 6000 }).toEqual(['before'])
    expect(hints).toEqual([])
    await cut(redis)
    expect(await readyOf(near)).toEqual(DEGRADED)
    const [newMs] = await timed(connectClient(ending, far, ann))
    const [createMs] = await timed(write(near, ann, bob, 'meanwhile'))
    const speaker = await connectClient(ending, near, ann)
    const [speakMs] = await timed(
      speaker.connection.invoke('SendMessageToGroup', bob.session.username, 'spoken', ''),
    )
    expect([newMs, createMs, speakMs].filter((ms) => ms > SOON_MS)).toEqual([])
    // Longer than a short pause of Redis, after which everything would still arrive.
    await new Promise((resolve) => setTimeout(resolve, 5000))
    const hintsBefore = hints.length
    await mend(redis)
    await ending.expect.poll(() => hints.length, { timeout: BACK_MS }).toBeGreaterThan(hintsBefore)
    expect(await history(far, bob, ann)).toEqual(['before', 'meanwhile', 'spoken'])
    await ending.expect
      .poll(() => readyOf(near), { timeout: BACK_MS })
      .toMatchObject({ status: 200, body: { status: 'ready' } })
    await write(near, ann, bob, 'after')
    await ending.expect.poll(() => heard, { timeout: 6000 }).toContain('after')
    expect(connection.state).toBe('Connected')
  },
)
