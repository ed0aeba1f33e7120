import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test as base, type TestContext } from 'vitest'
import { openPool, type PoolOptions } from '#server/platform/db/pool.ts'
import { toRefusal } from '#server/kernel/http/http-errors.ts'
import { createLog } from '#server/kernel/log.ts'
import { createTestDatabase } from '#server/testing/database.ts'

const log = createLog('silent')
// They spend most of their time waiting, so they run concurrently, each with connections of its own.
const test = base.concurrent

const settings = await createTestDatabase()

type Ending = Pick<TestContext, 'onTestFinished'>

function open({ onTestFinished }: Ending, options: Partial<PoolOptions> = {}): pg.Pool {
  const pool = openPool(settings, log, { work: 'requests', size: 2, ...options })
  onTestFinished(() => pool.end())
  return pool
}

const statusOf = (error: unknown) => toRefusal(error)?.status

test('only its user gets the error of a lost connection', async (ending) => {
  const pool = open(ending)
  const client = await pool.connect()
  const {
    rows: [own],
  } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  await pool.query('select pg_terminate_backend($1)', [own?.pid])
  // Without a listener, the error of a client between two statements would end the process, here the test run.
  await wait(100)
  const error: unknown = await client.query('select 1').catch((thrown: unknown) => thrown)
  expect(statusOf(error)).toBe(503)
  client.release()
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('requests wait 10 seconds for a statement and 3 for a lock, jobs longer, migrations forever', async (ending) => {
  const ask = async (work: PoolOptions['work']) => {
    const { rows } = await open(ending, { work }).query<Record<string, string>>(
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`,
    )
    return rows[0]
  }
  expect(await ask('requests')).toEqual({ statement: '10s', lock: '3s' })
  expect(await ask('jobs')).toEqual({ statement: '1min', lock: '10s' })
  expect(await ask('migrations')).toEqual({ statement: '0', lock: '0' })
})

test('behind a pooler the session settings do not change', async (ending) => {
  const { rows } = await open(ending, { pooled: true }).query<{ statement: string }>(
    `select current_setting('statement_timeout') as statement`,
  )
  expect(rows[0]).toEqual({ statement: '0' })
})

test('a lock that is not released gives 503 after 3 seconds', async (ending) => {
  const pool = open(ending)
  await pool.query('create table locked (id int)')
  const holder = await pool.connect()
  await holder.query('begin; lock table locked')
  const began = performance.now()
  const error: unknown = await pool.query('select * from locked').catch((thrown: unknown) => thrown)
  expect([statusOf(error), Math.floor((performance.now() - began) / 2500)]).toEqual([503, 1])
  await holder.query('rollback')
  holder.release()
})

test('a pool without a free connection gives 503 after 3 seconds', async (ending) => {
  const pool = open(ending, { size: 1 })
  const client = await pool.connect()
  const began = performance.now()
  const error: unknown = await pool.query('select 1').catch((thrown: unknown) => thrown)
  expect([statusOf(error), Math.floor((performance.now() - began) / 2500)]).toEqual([503, 1])
  client.release()
})
