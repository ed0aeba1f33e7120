/** Two nodes of the product at one database, meeting in a real Redis. */
import { HubConnectionBuilder, HttpTransportType, LogLevel } from '@microsoft/signalr'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#server/testing/app.ts'
import { startRedis, type RedisProcess } from '#server/testing/redis-process.ts'

let redis: RedisProcess
let near: TestApp
let far: TestApp
beforeAll(async () => {
  redis = await startRedis()
  near = await createTestApp({ REDIS_URL: redis.url })
  far = await createTestApp({ REDIS_URL: redis.url }, null, near)
})
afterAll(async () => {
  await far.close()
  await near.close()
  await redis.close()
})

test.each([HttpTransportType.WebSockets, HttpTransportType.LongPolling])(
  'a message crosses from one node to the other (%s)',
  async (transport) => {
    const name = `n${transport}`
    const [ann, bob] = [await near.signUp(`ann-${name}`), await far.signUp(`bob-${name}`)]
    const heard: string[] = []
    const connection = new HubConnectionBuilder()
      .withUrl(`${far.url}/chatHub`, {
        transport,
        accessTokenFactory: () => bob.session.accessToken,
      })
      .configureLogging(LogLevel.None)
      .build()
    connection.on('ReceiveMessage', (text: string) => heard.push(text))
    await connection.start()
    await near.call('POST', '/message/create', {
      as: ann,
      json: { text: 'over there', receiverUsername: `bob-${name}` },
    })
    await expect.poll(() => heard, { timeout: 5000 }).toEqual(['over there'])
    await connection.stop()
  },
)

test('a node without its Redis stays ready and says what it lacks', async () => {
  const ready = () => fetch(`${near.url}/readyz`).then((answer) => answer.json())
  expect(await ready()).toEqual({ status: 'ready' })
  await redis.stop()
  expect(await ready()).toMatchObject({ status: 'degraded', degraded: 'redis' })
  expect((await fetch(`${near.url}/readyz`)).status).toBe(200)
  await redis.restart()
  await expect.poll(ready, { timeout: 5000 }).toEqual({ status: 'ready' })
})
