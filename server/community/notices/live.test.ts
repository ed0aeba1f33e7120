/** Tests how soon the bell updates, on the same and on another node, with and without Redis. */
import { HttpTransportType } from '@microsoft/signalr'
import { afterAll, expect, test } from 'vitest'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { buildConnection } from '#server/testing/http/hub.ts'
import { settleAll } from '#server/testing/learning/notices.ts'
import { signUpAll } from '#server/testing/people.ts'
import { startRedis } from '#server/testing/redis/process.ts'

/** The promised limits with and without a bus. Tests add time for a busy machine. */
const LIVE_MS = 2000
const WITHOUT_BUS_MS = 5000
const BUSY_MS = 2000

/** Connects as a page does. Returns how often its bell was updated, and a function that disconnects. */
async function listen(node: TestApp, person: Person, transport = HttpTransportType.WebSockets) {
  let calls = 0
  const connection = buildConnection(node, person.session.accessToken, { transport })
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

const app = await createTestApp({ WELCOME_POINTS: '5000' })
afterAll(() => app.close())

test.each([
  HttpTransportType.WebSockets,
  HttpTransportType.ServerSentEvents,
  HttpTransportType.LongPolling,
])('a bell shows a sale within two seconds, and other bells do not (%s)', async (transport) => {
  const [ann, bob] = [await app.signUp(`ann${transport}`), await app.signUp(`bob${transport}`)]
  const [hers, his] = [await listen(app, ann, transport), await listen(app, bob, transport)]
  await soldTo(app, ann, bob)
  await expect.poll(hers.calls, { timeout: LIVE_MS + BUSY_MS }).toBeGreaterThan(0)
  const { body } = await app.call<{ unread: number }>('GET', '/notice/count', { as: ann })
  expect(body.unread).toBe(1)
  const before = hers.calls()
  await done(app, ann, 'PUT /notice/read', {})
  await expect.poll(hers.calls, { timeout: LIVE_MS }).toBeGreaterThan(before)
  expect(his.calls()).toBe(0)
  await Promise.all([hers.leave(), his.leave()])
})

test('with Redis the bell on the other of two nodes updates once, whichever settles', async ({
  onTestFinished,
}) => {
  const redis = await startRedis()
  onTestFinished(() => redis.close())
  const near = await createTestApp({ REDIS_URL: redis.url, WELCOME_POINTS: '5000' })
  onTestFinished(() => near.close())
  const far = await createTestApp({ REDIS_URL: redis.url }, null, near)
  onTestFinished(() => far.close())
  const { ann, bob } = await signUpAll(near, 'ann', 'bob')
  const bell = await listen(far, ann)
  await soldTo(near, ann, bob)
  await expect.poll(bell.calls, { timeout: LIVE_MS + BUSY_MS }).toBe(1)
  await bell.leave()
})

test('without Redis the bell on the other of two nodes updates within five seconds', async ({
  onTestFinished,
}) => {
  const near = await createTestApp({ WELCOME_POINTS: '5000' })
  onTestFinished(() => near.close())
  const far = await createTestApp({}, null, near)
  onTestFinished(() => far.close())
  const { ann, bob } = await signUpAll(near, 'ann', 'bob')
  const bell = await listen(far, ann)
  await soldTo(near, ann, bob)
  // The other node may have settled them first.
  await settleAll(near)
  await expect.poll(bell.calls, { timeout: WITHOUT_BUS_MS + BUSY_MS }).toBeGreaterThan(0)
  await bell.leave()
})
