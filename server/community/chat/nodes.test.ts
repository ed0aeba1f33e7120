/** Tests two nodes with one database and a real Redis. */
import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { done } from '#server/testing/http/answers.ts'
import { connectHub } from '#server/testing/http/hub.ts'
import { openTestNodes } from '#server/testing/setup.ts'

const { redis, near, far } = await openTestNodes()
const ready = () => fetch(`${near.url}/readyz`).then((answer) => answer.json())

test.each([
  ['without its replicas, as after a fail-over,', 'min-replicas-to-write', 'NOREPLICAS'],
  ['that is full', 'maxmemory', 'OOM'],
])('a Redis %s still carries messages between nodes', async (_, setting, word) => {
  const names = [`ann-${word.toLowerCase()}`, `bob-${word.toLowerCase()}`] as const
  const [ann, bob] = [await near.signUp(names[0]), await far.signUp(names[1])]
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
  expect(await ready()).toEqual({ status: 'ready' })
  await redis.stop()
  expect(await ready()).toMatchObject({ status: 'degraded', degraded: 'redis' })
  expect((await fetch(`${near.url}/readyz`)).status).toBe(200)
  await redis.restart()
  await expect.poll(ready, { timeout: 5000 }).toEqual({ status: 'ready' })
})
