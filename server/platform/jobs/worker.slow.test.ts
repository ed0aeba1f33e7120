import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { connect } from '#server/platform/db/connect.ts'
import { job, jobKind } from '#server/platform/jobs/job.ts'
import { addJobLater } from '#server/platform/jobs/queue.ts'
import { startWorker } from '#server/platform/jobs/worker.ts'
import { createLog } from '#server/kernel/log.ts'
import { startTcpProxy } from '#signalr/testing/tcp-proxy.ts'
import { createTestDatabase } from '#server/testing/database.ts'

const log = createLog('silent')
const NOTE = jobKind('note', z.object({ id: z.number() }))

test('a queue with dead connections listens again within 15 seconds', async () => {
  const settings = await createTestDatabase()
  const database = connect(settings, log)
  const proxy = await startTcpProxy(`${String(settings.host)}/.s.PGSQL.${String(settings.port)}`)
  const seen = { listening: new Set<number>(), watching: new Set<number>() }
  /** Recognizes each connection by its first statement, before its first keepalive query. */
  const look = async () => {
    const { rows } = await sql<{ pid: number; watches: boolean }>`
      select pid, query not like 'LISTEN%' as watches from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and (query like 'LISTEN "jobs:insert"%' or query like '%pg_try_advisory_lock%'
          or query like '%j.locked_by as worker%')`.execute(database.db)
    for (const { pid, watches } of rows) seen[watches ? 'watching' : 'listening'].add(pid)
    return Math.min(seen.listening.size, seen.watching.size)
  }
  let runs = 0
  const worker = await startWorker({
    connection: { ...settings, host: '127.0.0.1', port: Number(new URL(proxy.url).port) },
    jobs: [job(NOTE, async () => (runs += 1))],
    log,
    watch: { everySeconds: 600, youngSeconds: 600 },
  })
  onTestFinished(async () => {
    await worker.stop()
    await proxy.close()
    await database.close()
  })
  await expect.poll(async () => (await look()) === 1).toBe(true)
  // The connections' first statements have completed.
  await wait(3500)
  proxy.freeze()
  const began = performance.now()
  await addJobLater(database.db, NOTE, { id: 1 })
  await expect.poll(async () => (await look()) > 1, { timeout: 25_000 }).toBe(true)
  expect(performance.now() - began).toBeLessThan(15_000)
  await expect.poll(() => runs === 1, { timeout: 15_000 }).toBe(true)
}, 60_000)
