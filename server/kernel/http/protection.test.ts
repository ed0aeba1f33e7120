import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { answerError } from '#server/kernel/http/http.ts'
import { protect } from '#server/kernel/http/protection.ts'
import { registerHealth } from '#server/kernel/process/health.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ RATE_LIMITS: 'on' })

const SPELLINGS = ['/api/lesson/newest', '/%61pi/lesson/newest', '/API/lesson/newest/']

test('every spelling of a call meets the rate limit', async () => {
  let counted = 0
  // A busy machine answers some with 503, which don't count.
  for (let sent = 0; sent < 3000 && counted < 1200; sent += 100) {
    const calls = Array.from({ length: 100 }, () => fetch(`${app.url}/api/lesson/newest`))
    const answers = await Promise.all(calls)
    counted += answers.filter((answer) => answer.status === 200).length
    await Promise.all(answers.map((answer) => answer.arrayBuffer()))
  }
  expect(counted).toBe(1200)
  for (const path of SPELLINGS) {
    const answer = await fetch(`${app.url}${path}`)
    expect([path, answer.status]).toEqual([path, 429])
    expect(Number(answer?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await answer.json()).toMatchObject({ status: 429 })
  }
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
