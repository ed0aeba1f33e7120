/** How soon bells hear of it: on this node, on another one, with Redis and without. */
import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settleNotices } from '#server/notices/settling.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'
import { startRedis, type RedisProcess } from '#server/testing/redis-process.ts'

/** Of the promise, and without a bus; a busy machine's own seconds are added. */
const LIVE_MS = 2000
const WITHOUT_BUS_MS = 5000
const BUSY_MS = 2000

/** Connects as a page does; answers how often its bell was called, and how it leaves. */
async function listen(node: TestApp, person: Person, transport = HttpTransportType.WebSockets) {
  let calls = 0
  const connection = new HubConnectionBuilder()
    .withUrl(`${node.url}/chatHub`, {
      transport,
      accessTokenFactory: () => person.session.accessToken,
    })
    .configureLogging(LogLevel.None)
    .build()
  connection.on('Noticed', () => {
    calls += 1
  })
  await connection.start()
  return { calls: () => calls, leave: () => connection.stop() }
}

async function soldTo(node: TestApp, owner: Person, buyer: Person): Promise<void> {
  const { id } = await node.publishLesson(owner)
  expect((await node.call('POST', `/lesson/buy/${id}`, { as: buyer })).status).toBe(200)
}

describe('one node', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ WELCOME_POINTS: '5000' })
  })
  afterAll(() => app.close())

  test.each([
    HttpTransportType.WebSockets,
    HttpTransportType.ServerSentEvents,
    HttpTransportType.LongPolling,
  ])(
    'a bell hears of a sale within two seconds, and nobody else’s does (%s)',
    async (transport) => {
      const [ann, bob] = [await app.signUp(`ann${transport}`), await app.signUp(`bob${transport}`)]
      const [hers, his] = [await listen(app, ann, transport), await listen(app, bob, transport)]
      await soldTo(app, ann, bob)
      await expect.poll(hers.calls, { timeout: LIVE_MS + BUSY_MS }).toBeGreaterThan(0)
      const { body } = await app.call<{ unread: number }>('GET', '/notice/count', { as: ann })
      expect(body.unread).toBe(1)
      const before = hers.calls()
      await app.call('PUT', '/notice/read', { as: ann, json: {} })
      await expect.poll(hers.calls, { timeout: LIVE_MS }).toBeGreaterThan(before)
      expect(his.calls()).toBe(0)
      await Promise.all([hers.leave(), his.leave()])
    },
  )
})

describe('two nodes with Redis', () => {
  let redis: RedisProcess
  let near: TestApp
  let far: TestApp
  beforeAll(async () => {
    redis = await startRedis()
    near = await createTestApp({ REDIS_URL: redis.url, WELCOME_POINTS: '5000' })
    far = await createTestApp({ REDIS_URL: redis.url }, null, near)
  })
  afterAll(async () => {
    await far.close()
    await near.close()
    await redis.close()
  })
  test('whichever settles, the bell at the other hears of it once', async () => {
    const [ann, bob] = [await near.signUp('ann'), await near.signUp('bob')]
    const bell = await listen(far, ann)
    await soldTo(near, ann, bob)
    await expect.poll(bell.calls, { timeout: LIVE_MS + BUSY_MS }).toBe(1)
    await bell.leave()
  })
})

describe('two nodes without Redis', () => {
  let near: TestApp
  let far: TestApp
  beforeAll(async () => {
    near = await createTestApp({ WELCOME_POINTS: '5000' })
    far = await createTestApp({}, null, near)
  })
  afterAll(async () => {
    await far.close()
    await near.close()
  })
  test('the bell at the other hears of it within five seconds', async () => {
    const [ann, bob] = [await near.signUp('ann'), await near.signUp('bob')]
    const bell = await listen(far, ann)
    await soldTo(near, ann, bob)
    // The near one may have been quicker anyway.
    await settleNotices(near.app.core)
    await expect.poll(bell.calls, { timeout: WITHOUT_BUS_MS + BUSY_MS }).toBeGreaterThan(0)
    await bell.leave()
  })
})
