import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test as base, type TestContext, vi } from 'vitest'
import { openPool, type PoolOptions } from '#server/platform/db/pool.ts'
import { toRefusal } from '#server/kernel/http/http-errors.ts'
import { createLog } from '#server/kernel/log.ts'
import { startTcpProxy } from '#signalr/testing/tcp-proxy.ts'
import { createTestDatabase } from '#server/testing/database.ts'

const log = createLog('silent')
// They spend most of their time waiting, so they run concurrently, each with connections of its own.
const test = base.concurrent

const settings = await createTestDatabase()

type Ending = Pick<TestContext, 'onTestFinished'>

function open(
  { onTestFinished }: Ending,
  options: Partial<PoolOptions> = {},
  where = settings,
): pg.Pool {
  const pool = openPool(where, log, { work: 'requests', size: 2, ...options })
  onTestFinished(() => pool.end())
  return pool
}

/** Opens a pool behind a proxy that can be cut. */
async function openFar(ending: Ending, options: Partial<PoolOptions>) {
  const proxy = await startTcpProxy(`${String(settings.host)}/.s.PGSQL.${String(settings.port)}`)
  ending.onTestFinished(() => proxy.close())
  const port = Number(new URL(proxy.url).port)
  return [proxy, open(ending, options, { ...settings, host: '127.0.0.1', port })] as const
}

/**
 * Retries until connected, however busy the machine is, because the test needs a connection that then goes silent.
 */
async function connected(pool: pg.Pool): Promise<pg.PoolClient> {
  for (;;) {
    const client = await pool.connect().catch(() => null)
    if (client !== null) return client
  }
}

const statusOf = (error: unknown) => toRefusal(error)?.status

test('dead connections are closed within 15 seconds, idle ones too', async (ending) => {
  const [proxy, pool] = await openFar(ending, { size: 4 })
  const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()])
  for (const client of clients) client.release()
  proxy.freeze()
  const began = performance.now()
  const error: unknown = await pool.query('select 1').catch((thrown: unknown) => thrown)
  expect(statusOf(error)).toBe(503)
  expect(performance.now() - began).toBeLessThan(15_000)
  // `expect.poll` can't find its test when several run concurrently.
  await vi.waitFor(() => expect(pool.totalCount).toBe(0), 1000)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('a dead connection of jobs is closed within 15 seconds, and a long statement continues', async (ending) => {
  const [proxy, far] = await openFar(ending, { work: 'jobs' })
  const wire = await connected(far)
  wire.release()
  proxy.freeze()
  const began = performance.now()
  const long = open(ending, { work: 'jobs' }).query('select pg_sleep(14), 1 as one')
  const error: unknown = await far.query('select 1').catch((thrown: unknown) => thrown)
  expect(statusOf(error)).toBe(503)
  expect(performance.now() - began).toBeLessThan(15_000)
  expect((await long).rows).toMatchObject([{ one: 1 }])
})

test('a server that accepts no connections ends those of jobs within 15 seconds', async (ending) => {
  const [proxy, far] = await openFar(ending, { work: 'jobs' })
  const client = await connected(far)
  ending.onTestFinished(async () => client.release(true))
  const statement = client.query('select pg_sleep(40)').catch((thrown: unknown) => thrown)
  await wait(100)
  proxy.swallow()
  const began = performance.now()
  expect(statusOf(await statement)).toBe(503)
  expect(performance.now() - began).toBeLessThan(15_000)
})
