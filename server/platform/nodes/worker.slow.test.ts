/** Tests with real processes that guests at a serving node see what a job changes in a separate worker. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { createTestApp, TEST_SECRET, type TestApp } from '#server/testing/app.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { findTestPort } from '#server/testing/port.ts'
import { startProduct } from '#server/testing/product.ts'
import { startRedis } from '#server/testing/redis/process.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { addressOf } from '#server/testing/backup/commands.ts'

const WITH_REDIS_MS = 1000
const WITHOUT_MS = 5000
/** In ms: the time for a busy machine to render the page. */
const RENDER_MS = 500
/** Items that an erasure removes before it responds; a job removes the others. */
const WITH_THE_ANSWER = 50

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** Starts a worker for the node and returns the address of its `/readyz`. */
async function startWorker(node: TestApp, environment: Record<string, string>): Promise<string> {
  const metricsPort = await findTestPort()
  const worker = await startProduct(
    {
      DATABASE_URL: addressOf(node.connection),
      AUTH_SECRETS: TEST_SECRET,
      PUBLIC_URL: node.url,
      METRICS_PORT: `${metricsPort}`,
      HOST: '127.0.0.1',
      ...environment,
    },
    { file: 'server/worker.ts' },
  )
  ends.push(() => worker.stop())
  return `http://127.0.0.1:${metricsPort}/readyz`
}

interface Report {
  readonly status: string
  readonly says?: Readonly<Record<string, string>>
}

const reportOf = async (url: string): Promise<Report> => {
  const answer = await fetch(url)
  return (await answer.json()) as Report
}

/** Measures the ms from a job's removal of a lesson until no guest sees it. */
async function measureRemoval(environment: Record<string, string>): Promise<number> {
  const node = await createTestApp(environment, await loadSourceRenderer())
  ends.push(() => node.close())
  const ann = await node.signUp('ann')
  const bob = await node.signUp('bob')
  const { id } = await node.publishLesson(ann, { title: 'The last one to go' })
  for (let number = 0; number < WITH_THE_ANSWER; number += 1) await node.publishLesson(ann)
  const page = () => fetch(`${node.url}/lesson/details/${id}`).then(({ status }) => status)
  expect(await page()).toBe(200)
  const { connection } = node
  const client = new pg.Client(connection)
  await client.connect()
  ends.push(() => client.end())
  // The job reaches this lesson and waits.
  await client.query('begin')
  await client.query('select 1 from lessons where id = $1 for update', [id])
  const erased = await node.call('POST', '/identity/erase', {
    as: ann,
    json: { password: ann.password },
  })
  expect(erased.status).toBe(204)
  await startWorker(node, environment)
  const isWaiting = async () => {
    const { rows } = await client.query<{ waits: boolean }>(
      `select exists (select from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and a.datname = current_database()) as waits`,
    )
    return rows[0]?.waits
  }
  await expect.poll(isWaiting, { timeout: 10_000 }).toBe(true)
  // Drops all caches, so that what guests see now is as fresh as possible.
  const form = formOf({ username: 'robert' })
  expect((await node.call('PATCH', '/identity/update', { as: bob, form })).status).toBe(200)
  expect(await page()).toBe(200)
  await client.query('commit')
  const began = performance.now()
  while ((await page()) === 200) {
    if (performance.now() - began > 20_000) throw new Error('the lesson is still shown')
    await sleep(20)
  }
  return performance.now() - began
}

test.each([
  ['with Redis', WITH_REDIS_MS],
  ['without Redis', WITHOUT_MS + RENDER_MS],
])('%s guests soon stop seeing what a job removed', { timeout: 60_000 }, async (how, most) => {
  const redis = how === 'with Redis' ? await startRedis() : null
  ends.push(async () => redis?.close())
  expect(await measureRemoval(redis === null ? {} : { REDIS_URL: redis.url })).toBeLessThan(most)
})

test('a worker reports unavailable parts like a node', { timeout: 60_000 }, async () => {
  const redis = await startRedis()
  ends.push(() => redis.close())
  const environment = { REDIS_URL: redis.url }
  const node = await createTestApp(environment)
  ends.push(() => node.close())
  const worker = await startWorker(node, environment)
  expect(await reportOf(worker)).toEqual({ status: 'ready' })
  await redis.stop()
  const report = { status: 'degraded', degraded: expect.stringContaining('redis') }
  await expect.poll(() => reportOf(worker), { timeout: 5000 }).toMatchObject(report)
  await expect.poll(() => reportOf(`${node.url}/readyz`), { timeout: 5000 }).toMatchObject(report)
  const redisMessageOf = async (url: string) => (await reportOf(url)).says?.['redis']
  expect(await redisMessageOf(worker)).toBe(await redisMessageOf(`${node.url}/readyz`))
})
