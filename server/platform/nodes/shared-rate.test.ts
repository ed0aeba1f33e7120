/** Tests that rate limits hold for two nodes together; without Redis each counts for itself. */
import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { API_CALLS_A_MINUTE } from '#contract/limits.ts'
import type { TestApp } from '#server/testing/app.ts'
import { openTestNodes } from '#server/testing/setup.ts'

/**
 * Few, because this process is both client and server: while it is busy Redis seems too slow, and each node counts
 * for itself.
 */
const AT_ONCE = 10

const { redis, near, far } = await openTestNodes({ RATE_LIMITS: 'on' })

const call = ({ url }: TestApp) => fetch(`${url}/api/lesson/newest`).then(({ status }) => status)

/** Returns the statuses of that many calls, without those that a busy server refused. */
async function send(node: TestApp, calls: number): Promise<number[]> {
  const statuses: number[] = []
  while (statuses.length < calls) {
    const some = await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, calls - statuses.length) }, () => call(node)),
    )
    statuses.push(...some.filter((status) => status !== 503))
  }
  return statuses
}

test('waits after wrong passwords apply at every node', async () => {
  await near.signUp('guessed')
  const guess = (node: TestApp, password: string) =>
    node.call('POST', '/identity/login', { json: { username: 'guessed', password } })
  const statuses: number[] = []
  // The wait doubles with each failure, so a slow machine needs a few more to reach it.
  for (let number = 0; number < 14 && !statuses.includes(429); number += 1)
    statuses.push((await guess(number % 2 === 0 ? near : far, `wrong number ${number}`)).status)
  expect(statuses.slice(0, 5)).not.toContain(429)
  expect(statuses).toContain(429)
})

test('counts in Redis expire within a minute', async () => {
  expect(await call(near)).toBe(200)
  const client = new Redis(redis.url)
  onTestFinished(async () => {
    client.disconnect()
  })
  const keys = await client.keys('*:rate:*')
  expect(keys).not.toEqual([])
  for (const key of keys) {
    // The key is gone or has an expiry.
    const left = await client.pttl(key)
    expect(left).not.toBe(-1)
    expect(left).toBeLessThanOrEqual(60_000)
  }
})

test(
  'calls are counted for all nodes together, and locally while Redis is unavailable',
  { timeout: 60_000 },
  async () => {
    const first = await send(near, API_CALLS_A_MINUTE)
    expect(first.filter((status) => status === 429).length).toBeLessThan(100)
    // If Redis was slow, some calls were counted locally, and the other node doesn't know of them.
    await expect.poll(() => send(near, AT_ONCE)).toContain(429)
    const began = performance.now()
    const admitted = (await send(far, 100)).filter((status) => status === 200).length
    // A call is regained every 50 ms.
    expect(admitted).toBeLessThanOrEqual(AT_ONCE + (performance.now() - began) / 50)
    await redis.stop()
    await expect
      .poll(() => fetch(`${far.url}/readyz`).then((answer) => answer.json()), { timeout: 5000 })
      .toMatchObject({
        degraded: 'redis',
        says: { redis: expect.stringContaining('each node counts rates for itself') },
      })
    expect(await send(far, 100)).not.toContain(429)
  },
)
