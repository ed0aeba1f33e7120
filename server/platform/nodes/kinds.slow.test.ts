/** Tests two nodes connected by each kind of Redis, and the messages for a REDIS_URL that can't work. */
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestApp, lessonForm } from '#server/testing/app.ts'
import { startProduct } from '#server/testing/product.ts'
import { startRedisCluster, startSentinels, startTlsRedis } from '#server/testing/redis/kinds.ts'
import { connectHub } from '#server/testing/http/hub.ts'

test(
  'a server with another protocol ends the start with a message',
  { timeout: 60_000 },
  async () => {
    const other = createServer((socket) => {
      socket.on('error', () => {})
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const says = `REDIS_URL (127.0.0.1:${port}) answers, but not as Redis does.`
    await expect(startProduct({ REDIS_URL: `redis://127.0.0.1:${port}` })).rejects.toThrow(says)
    other.close()
  },
)

async function openNodes(url: string, name: string) {
  // With rate limits, calls are counted in Redis.
  const environment = { REDIS_URL: url, RATE_LIMITS: 'on' }
  const near = await createTestApp(environment)
  const far = await createTestApp(environment, null, near)
  const [ann, bob] = [await near.signUp(`ann-${name}`), await far.signUp(`bob-${name}`)]
  const { connection, heard, stop } = await connectHub(far, bob.session.accessToken)
  const hints: unknown[] = []
  connection.on('CatchUp', (within: number) => hints.push(within))
  return {
    heard,
    hints,
    /** Actions at both nodes: a call, a lesson, a login, a read of what was written. */
    actions: [near, far].flatMap((node, place) => {
      const who = [ann, bob][place] ?? ann
      const { password, session } = who
      const json = { username: session.username, password }
      return [
        () => node.call('GET', '/lesson/newest'),
        () => node.call('GET', '/message/unread', { as: who }),
        () => node.call('POST', '/identity/login', { json }),
        async () => node.call('POST', '/lesson/create', { as: who, form: await lessonForm() }),
      ]
    }),
    ready: () => fetch(`${near.url}/readyz`).then((answer) => answer.json()),
    write: (text: string) =>
      near.call('POST', '/message/create', {
        as: ann,
        json: { text, receiverUsername: bob.session.username },
      }),
    close: async () => {
      await stop()
      await far.close()
      await near.close()
    },
  }
}

test(
  'nodes hear each other by TLS, whose certificate must be trusted',
  { timeout: 60_000 },
  async () => {
    const redis = await startTlsRedis()
    await expect(createTestApp({ REDIS_URL: redis.untrusted })).rejects.toThrow(
      'is not trusted here',
    )
    const { heard, ready, write, close } = await openNodes(redis.url, 'tls')
    expect(await ready()).toEqual({ status: 'ready' })
    await write('by wire')
    await expect.poll(() => heard, { timeout: 5000 }).toEqual(['by wire'])
    await close()
    await redis.close()
  },
)

/** In ms: less than the 2 seconds of a command's timeout; a failover takes longer. */
const SOON_MS = 1900
const EVERY_MS = 250

/** Repeats calls and writes at all nodes until `end`, which returns the ms of the slowest. */
function repeat(work: readonly (() => Promise<{ status: number }>)[]) {
  const slowest: number[] = []
  const refused: number[] = []
  let isOver = false
  const run = async (action: () => Promise<{ status: number }>, place: number) => {
    while (!isOver) {
      const began = performance.now()
      const { status } = await action()
      slowest[place] = Math.max(slowest[place] ?? 0, performance.now() - began)
      if (status !== 200) refused.push(status)
      await sleep(EVERY_MS)
    }
  }
  const all = Promise.all(work.map(run))
  return async () => {
    isOver = true
    await all
    return { refused, slowest: slowest.map(Math.round) }
  }
}

test.each([
  ['Sentinels', startSentinels],
  ['Sentinels by TLS', () => startSentinels({ tls: true })],
  ['a cluster', startRedisCluster],
])(
  'nodes communicate through %s, and again after a primary was killed, and nobody waits meanwhile',
  { timeout: 90_000 },
  async (name, start) => {
    const redis = await start()
    const nodes = await openNodes(redis.url, name.replaceAll(' ', ''))
    const { heard, hints, ready, write } = nodes
    expect(await ready()).toEqual({ status: 'ready' })
    await write('before')
    await expect.poll(() => heard, { timeout: 5000 }).toEqual(['before'])
    const end = repeat(nodes.actions)
    await redis.killPrimary()
    await expect.poll(ready, { timeout: 5000 }).toMatchObject({ status: 'degraded' })
    await expect.poll(ready, { timeout: 30_000 }).toEqual({ status: 'ready' })
    await expect.poll(() => hints.length, { timeout: 10_000 }).toBeGreaterThan(0)
    const { refused, slowest } = await end()
    expect(refused).toEqual([])
    expect(slowest.filter((ms) => ms > SOON_MS)).toEqual([])
    await write('after')
    await expect.poll(() => heard, { timeout: 5000 }).toEqual(['before', 'after'])
    await nodes.close()
    await redis.close()
  },
)
