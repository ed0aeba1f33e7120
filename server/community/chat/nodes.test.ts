/** Tests two nodes with one database and a real Redis. */
import { HttpTransportType } from '@microsoft/signalr'
import { Redis } from 'ioredis'
import { afterAll, expect, test } from 'vitest'
import { createTestApp } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { connectHub } from '#server/testing/http/hub.ts'
import { startRedis } from '#server/testing/redis/process.ts'

const redis = await startRedis()
const near = await createTestApp({ REDIS_URL: redis.url })
const far = await createTestApp({ REDIS_URL: redis.url }, null, near)
afterAll(async () => {
  await far.close()
  await near.close()
  await redis.close()
})

test.each([HttpTransportType.WebSockets, HttpTransportType.LongPolling])(
  'a message reaches the other node (%s)',
  async (transport) => {
    const name = `n${transport}`
    const [ann, bob] = [await near.signUp(`ann-${name}`), await far.signUp(`bob-${name}`)]
    const { heard, stop } = await connectHub(far, bob.session.accessToken, { transport })
    await near.call('POST', '/message/create', {
      as: ann,
      json: { text: 'over there', receiverUsername: `bob-${name}` },
    })
    await expect.poll(() => heard, { timeout: 5000 }).toEqual(['over there'])
    await stop()
  },
)

test.each([
  ['without its replicas, as after a fail-over,', 'min-replicas-to-write', 'NOREPLICAS'],
  ['that is full', 'maxmemory', 'OOM'],
])('a Redis %s still carries messages between nodes', async (_, setting, word) => {
  const names = [`ann-${word.toLowerCase()}`, `bob-${word.toLowerCase()}`] as const
  const [ann, bob] = [await near.signUp(names[0]), await far.signUp(names[1])]
  const ready = () => fetch(`${near.url}/readyz`).then((answer) => answer.json())
  const client = new Redis(redis.url)
  const { heard, stop } = await connectHub(far, bob.session.accessToken)
  await client.config('SET', setting, '1')
  // Each node notices by its next heartbeat.
  await expect.poll(ready, { timeout: 5000 }).toMatchObject({
    status: 'degraded',
    says: {
      redis: expect.stringMatching(`^takes no writes \\(${word}\\): .*${setting}`),
    },
  })
  await done(near, ann, 'POST /message/create', {
    text: 'all the same',
    receiverUsername: names[1],
  })
  await expect.poll(() => heard, { timeout: 5000 }).toEqual(['all the same'])
  await client.config('SET', setting, '0')
  await expect.poll(ready, { timeout: 5000 }).toEqual({ status: 'ready' })
  await stop()
  client.disconnect()
})

test('a node without its Redis stays ready and reports what does not work', async () => {
  const ready = () => fetch(`${near.url}/readyz`).then((answer) => answer.json())
  expect(await ready()).toEqual({ status: 'ready' })
  await redis.stop()
  expect(await ready()).toMatchObject({ status: 'degraded', degraded: 'redis' })
  expect((await fetch(`${near.url}/readyz`)).status).toBe(200)
  await redis.restart()
  await expect.poll(ready, { timeout: 5000 }).toEqual({ status: 'ready' })
})
