import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { API_CALLS_A_MINUTE } from '#contract/limits.ts'
import { answerError } from '#server/kernel/http/http.ts'
import { protect } from '#server/kernel/http/protection.ts'
import { registerHealth } from '#server/kernel/process/health.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ RATE_LIMITS: 'on' })

const SPELLINGS = ['/api/lesson/newest', '/%61pi/lesson/newest', '/API/lesson/newest/']

/** Returns the number of calls that were admitted before the first refusal. */
async function callUntilRefused(path: string): Promise<number> {
  for (let admitted = 0; ;) {
    const calls = Array.from({ length: 100 }, () => fetch(`${app.url}${path}`))
    const answers = await Promise.all(calls)
    // A busy machine answers some with 503, which don't count.
    admitted += answers.filter((answer) => answer.status === 200).length
    const bodies = await Promise.all(answers.map((answer) => answer.json()))
    const refused = answers.findIndex((answer) => answer.status === 429)
    if (refused < 0) continue
    expect(answers[refused]?.headers.get('retry-after')).toBe('1')
    expect(bodies[refused]).toMatchObject({ status: 429 })
    return admitted
  }
}

test('every spelling of a call meets the rate limit', async () => {
  const began = performance.now()
  const admitted = await callUntilRefused('/api/lesson/newest')
  expect(admitted).toBeGreaterThanOrEqual(API_CALLS_A_MINUTE)
  // A call is regained every 50 ms.
  expect(admitted).toBeLessThanOrEqual(API_CALLS_A_MINUTE + (performance.now() - began) / 50)
  for (const path of SPELLINGS)
    expect(await callUntilRefused(path)).toBeLessThan(API_CALLS_A_MINUTE)
}, 30_000)

test('files and health are not limited', async () => {
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
})

const LAG_LIMIT = { most: 500, sample: 500 }

/** Blocks the event loop for a whole sample of its lag. */
async function blockLoop(): Promise<void> {
  const nobody = new Int32Array(new SharedArrayBuffer(4))
  for (let times = 0; times < 3; times += 1) {
    Atomics.wait(nobody, 0, 0, 1.2 * LAG_LIMIT.most)
    await setImmediate()
  }
}

test('calls during overload are refused, but not because of a slow start', async () => {
  const server = Fastify()
  server.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  await protect(server, { CORS_ORIGINS: [], RATE_LIMITS: 'on' }, { lagLimit: LAG_LIMIT })
  server.get('/', () => 'served')
  registerHealth(server, [])
  await blockLoop()
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  expect((await fetch(url)).status).toBe(200)
  await sleep(2 * LAG_LIMIT.sample)
  const ask = () => Promise.all(['/healthz', '/readyz', '/'].map((path) => fetch(url + path)))
  let answers: Response[] = []
  // On a busy machine a sample with less lag may come first.
  await expect
    .poll(
      async () => {
        await blockLoop()
        answers = await ask()
        return answers.map(({ status }) => status)
      },
      { timeout: 30_000 },
    )
    // The process is alive, but a load balancer should use another one.
    .toEqual([200, 503, 503])
  const answer = answers[2]
  expect(answer?.headers.get('retry-after')).toBe('5')
  expect(await answer?.json()).toMatchObject({ status: 503 })
  await expect.poll(async () => (await fetch(url)).status).toBe(200)
  await server.close()
}, 40_000)
