import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ClientConfig } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { connect, type Connection } from '#server/platform/db/connect.ts'
import { LOCK_SPACES } from '#server/platform/db/locks.ts'
import { addJobLater } from '#server/platform/jobs/queue.ts'
import { job, jobKind, NoPayload, recurringJob, type Job } from '#server/platform/jobs/job.ts'
import { runJobsOnce, startWorker, type JobWorker } from '#server/platform/jobs/worker.ts'
import { createLog } from '#server/kernel/log.ts'
import { startTcpProxy } from '#signalr/testing/tcp-proxy.ts'
import { createTestDatabase } from '#server/testing/database.ts'

const log = createLog('silent')
const ends: (() => Promise<unknown>)[] = []
let settings: ClientConfig
let database: Connection

beforeEach(async () => {
  settings = await createTestDatabase()
  database = connect(settings, log)
  const opened = database
  ends.push(() => opened.close())
})
// Runs after each test: workers hold connections, and the server of all tests has a limited number.
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end().catch(() => undefined)
})

const NOTE = jobKind('note', z.object({ id: z.number() }))
const LONG = jobKind('long', NoPayload)
const HANG = jobKind('hang', NoPayload)

async function work(
  jobs: readonly Job[],
  watch = { everySeconds: 0.3, youngSeconds: 1 },
): Promise<JobWorker> {
  const worker = await startWorker({ connection: settings, jobs, log, watch })
  ends.push(() => worker.stop())
  return worker
}

const countJobs = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from graphile_worker.jobs`.execute(database.db)
  return rows[0]?.count
}

test('a job of a failed transaction never runs', async () => {
  const seen: unknown[] = []
  await work([job(NOTE, async (payload) => seen.push(payload))])
  const failed = database.db.transaction().execute(async (tx) => {
    await addJobLater(tx, NOTE, { id: 1 })
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  await database.db.transaction().execute((tx) => addJobLater(tx, NOTE, { id: 2 }))
  await expect.poll(() => seen.length).toBeGreaterThan(0)
  expect(seen).toEqual([{ id: 2 }])
  await expect.poll(countJobs).toBe(0)
})

test('a job whose completion was not recorded runs again, without an unhandled rejection', async () => {
  const proxy = await startTcpProxy(`${String(settings.host)}/.s.PGSQL.${String(settings.port)}`)
  ends.push(() => proxy.close())
  const direct = settings
  settings = { ...direct, host: '127.0.0.1', port: Number(new URL(proxy.url).port) }
  let runs = 0
  await work([
    job(NOTE, async () => {
      runs += 1
      if (runs > 1) return
      proxy.block()
      proxy.cut()
      setTimeout(() => proxy.restore(), 1500)
    }),
  ])
  await addJobLater(database.db, NOTE, { id: 1 })
  await expect
    .poll(async () => runs === 2 && (await countJobs()) === 0, { timeout: 15_000 })
    .toBe(true)
})

test('recurring jobs run at the start, once for all processes', async () => {
  let rounds = 0
  await work([recurringJob(jobKind('round', NoPayload), async () => (rounds += 1))])
  await expect.poll(() => rounds).toBe(1)
  const { rows } = await sql<{ identifier: string }>`
    select identifier from graphile_worker._private_known_crontabs`.execute(database.db)
  expect(rows).toEqual([{ identifier: 'round' }])
})

test('jobs continue after the database closed all connections', async () => {
  const seen: unknown[] = []
  await work([job(NOTE, async (payload) => seen.push(payload))])
  await addJobLater(database.db, NOTE, { id: 1 })
  // A job whose completion wasn't recorded in the database would run once more.
  await expect.poll(async () => seen.length === 1 && (await countJobs()) === 0).toBe(true)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(database.db)
  await addJobLater(database.db, NOTE, { id: 2 })
  await expect.poll(() => seen.length).toBe(2)
  expect(seen).toEqual([{ id: 1 }, { id: 2 }])
})

/** Returns the sessions that hold the lock of a living worker. */
async function holders(): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_locks where locktype = 'advisory' and classid = ${LOCK_SPACES.workers}
      and database = (select oid from pg_database where datname = current_database())`.execute(
    database.db,
  )
  return rows.map(({ pid }) => pid)
}

test('a worker whose watch connection is cut reconnects at once', async () => {
  await work([job(NOTE, async () => undefined)], { everySeconds: 600, youngSeconds: 600 })
  await expect.poll(holders).toHaveLength(1)
  const [cut = 0] = await holders()
  await sql`select pg_terminate_backend(${cut})`.execute(database.db)
  await expect.poll(async () => (await holders()).some((pid) => pid !== cut)).toBe(true)
})

test('a worker whose connection is cut while it takes its lock retries soon', async () => {
  const proxy = await startTcpProxy(`${String(settings.host)}/.s.PGSQL.${String(settings.port)}`)
  ends.push(() => proxy.close())
  settings = { ...settings, host: '127.0.0.1', port: Number(new URL(proxy.url).port) }
  const asked = proxy.hush('pg_try_advisory_lock')
  await work([job(NOTE, async () => undefined)], { everySeconds: 600, youngSeconds: 600 })
  await asked
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(database.db)
  await expect.poll(holders).toHaveLength(1)
})

test('yielding jobs run after all others', async () => {
  const seen: unknown[] = []
  for (let id = 1; id <= 6; id += 1)
    await addJobLater(database.db, NOTE, { id }, { yields: id <= 3 })
  await runJobsOnce(database.pool, [job(NOTE, async (payload) => seen.push(payload))], log)
  expect(seen).toEqual([4, 5, 6, 1, 2, 3].map((id) => ({ id })))
})

test('a killed worker loses its job, a living one keeps it', async () => {
  let running = 0
  let release: () => void = () => undefined
  const open = new Promise<void>((resolve) => {
    release = resolve
  })
  ends.push(async () => release())
  const seen: unknown[] = []
  await work([
    job(LONG, async () => {
      running += 1
      await open
    }),
    job(NOTE, async (payload) => seen.push(payload)),
  ])
  await addJobLater(database.db, LONG, {})
  await expect.poll(() => running).toBe(1)
  await addJobLater(database.db, NOTE, { id: 1 }, { runAt: new Date(Date.now() + 60_000) })
  // This is the state left by a process killed in the middle of the job.
  await sql`
    update graphile_worker._private_jobs j set locked_at = now() - interval '2 seconds', locked_by = 'pool-gone', run_at = now()
    from graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = 'note'`.execute(
    database.db,
  )
  await expect.poll(() => seen.length).toBe(1)
  // The running job was left alone, although it took longer than the watch's limit.
  await wait(500)
  expect([running, await countJobs()]).toEqual([1, 1])
  release()
  await expect.poll(countJobs).toBe(0)
})

test('stopping waits for a running job', async () => {
  let done = false
  let begun = false
  const worker = await work([
    job(LONG, async () => {
      begun = true
      await wait(300)
      done = true
    }),
  ])
  await addJobLater(database.db, LONG, {})
  await expect.poll(() => begun).toBe(true)
  await worker.stop()
  expect([done, await countJobs()]).toEqual([true, 0])
})

test('a job that ignores the stop is aborted, then given back, and another worker takes it', async () => {
  let wasTold = false
  let hasBegun = false
  const leaving = await work([
    job(HANG, (_payload, { signal }) => {
      hasBegun = true
      signal.addEventListener('abort', () => {
        wasTold = true
      })
      return new Promise(() => {})
    }),
  ])
  await addJobLater(database.db, HANG, {})
  await expect.poll(() => hasBegun).toBe(true)
  const begin = performance.now()
  await leaving.stop()
  expect(wasTold).toBe(true)
  expect(performance.now() - begin).toBeLessThan(6000)
  let wasTaken = false
  await work(
    [
      job(HANG, async () => {
        wasTaken = true
      }),
    ],
    // The watch over dead workers isn't what frees it.
    { everySeconds: 60, youngSeconds: 60 },
  )
  await expect.poll(() => wasTaken).toBe(true)
})

test('an invalid payload never reaches the handler', async () => {
  const seen: unknown[] = []
  const strict = job(NOTE, async (payload) => seen.push(payload))
  await work([strict])
  await sql`
    select graphile_worker.add_job('note', payload := '{"id": "seven"}'::json)`.execute(database.db)
  await expect
    .poll(async () => {
      const { rows } = await sql<{ last_error: string | null }>`
      select last_error from graphile_worker.jobs`.execute(database.db)
      return rows[0]?.last_error?.includes('"id"') === true
    })
    .toBe(true)
  expect(seen).toEqual([])
})
