import { afterAll, expect, test } from 'vitest'
import type pg from 'pg'
import { migrateQueue } from '#server/platform/jobs/queue.ts'
import { findOverdueJobs, scheduleJobs } from '#server/platform/jobs/schedule.ts'
import { connect } from '#server/platform/db/connect.ts'
import { openDatabaseClock } from '#server/platform/db/clock.ts'
import { createLog } from '#server/kernel/log.ts'
import { repairFutureTimes } from '#server/operate/upgrade/future-times.ts'
import { createTestDatabase } from '#server/testing/database.ts'

const log = createLog('silent')
const NAMES = ['clearThings', 'sweepThings']
const settings = await createTestDatabase()
const connection = connect(settings, log, { size: 2 })
const pool = connection.pool
await migrateQueue(pool, log)
afterAll(() => connection.close())

const query = async (text: string) => (await pool.query<Record<string, unknown>>(text)).rows
const jobs = () =>
  query(`select key, run_at <= now() as due from graphile_worker._private_jobs order by key`)

test('recurring jobs are scheduled once a minute over all processes', async () => {
  const rest = await scheduleJobs(pool, NAMES)
  expect(rest).toBeGreaterThan(0)
  expect(rest).toBeLessThanOrEqual(60_100)
  await query('delete from graphile_worker._private_jobs')
  await query(
    `update graphile_worker._private_known_crontabs set last_execution = date_trunc('minute', now() + interval '30 seconds')`,
  )
  await query(
    `update graphile_worker._private_known_crontabs set last_execution = date_trunc('minute', now())`,
  )
  await scheduleJobs(pool, NAMES)
  expect((await jobs()).length).toBeLessThanOrEqual(2)
})

test('a schedule dated a month ahead continues at once, and is reported until then', async () => {
  await scheduleJobs(pool, NAMES, { all: true })
  expect((await findOverdueJobs(connection.db)).names).toEqual([])
  await query(
    `update graphile_worker._private_known_crontabs set last_execution = now() + interval '30 days'
     where identifier = 'clearThings'`,
  )
  await query(
    `update graphile_worker._private_jobs set run_at = now() + interval '30 days' where key = 'sweepThings'`,
  )
  expect((await findOverdueJobs(connection.db)).names).toEqual(NAMES)
  await query(
    `update graphile_worker._private_known_crontabs set last_execution = now() - interval '2 minutes'
     where identifier = 'sweepThings'`,
  )
  await scheduleJobs(pool, NAMES)
  expect((await findOverdueJobs(connection.db)).names).toEqual([])
  expect(await jobs()).toEqual(NAMES.map((key) => ({ key, due: true })))
})

test('a waiting job keeps its position, and is reported after five minutes', async () => {
  await query(
    `update graphile_worker._private_jobs set run_at = now() - interval '6 minutes' where key = 'clearThings'`,
  )
  await scheduleJobs(pool, NAMES, { all: true })
  expect((await findOverdueJobs(connection.db)).names).toEqual(['clearThings'])
})

test('jobs that no process has scheduled for five minutes are reported', async () => {
  await query(
    `update graphile_worker._private_known_crontabs set last_execution = now() - interval '6 minutes'`,
  )
  expect(await findOverdueJobs(connection.db)).toEqual({ names: NAMES, isNew: false })
})

/** Adds a row to each table whose time blocks something, a year ahead. */
const AHEAD: Readonly<Record<string, string>> = {
  'login_failures.last_at': `insert into login_failures (subject, failures, last_at) values ('address:x', 9, now() + interval '1 year')`,
  'letter_attempts.at': `insert into letter_attempts (subject, at) values ('address:x', now() + interval '1 year')`,
  'backup_runs.began_at': `insert into backup_runs (began_at, daily, place, name) values (now() + interval '1 year', true, 'x', 'x')`,
  'audit_runs.night': `insert into audit_runs (night, began_at, due_at) values (current_date + 365, now(), now())`,
  'nodes.seen_at': `insert into nodes (node, role, url, version, public_url, signing_marks, seen_at)
    values (gen_random_uuid(), 'serves', 'x', 'x', 'x', '{}', now() + interval '1 year')`,
  'jobs.run_at': `update graphile_worker._private_jobs set created_at = now() + interval '1 year', run_at = now() + interval '1 year'`,
  'crontabs.last_execution': `update graphile_worker._private_known_crontabs set last_execution = now() + interval '1 year'`,
}

test.each(Object.entries(AHEAD))('a start repairs %s in the future', async (what, statement) => {
  expect(await repairFutureTimes(pool, log)).toBe(0)
  await query(statement)
  const said: unknown[] = []
  expect(await repairFutureTimes(pool, { warn: (facts: unknown) => said.push(facts) })).not.toBe(0)
  expect(said).toEqual([expect.objectContaining({ what })])
  expect(await repairFutureTimes(pool, log)).toBe(0)
})

test('a letter for a later day keeps its day', async () => {
  await query(`insert into mails (message_id, kind, address, subject, text, send_after)
    values ('x', 'letter', 'a@b.test', 'x', 'x', now() + interval '5 days')`)
  expect(await repairFutureTimes(pool, log)).toBe(0)
})

test('the time of a process is that of the database, whatever its own clock says', async () => {
  const offset = 3_600_000
  const ahead = { query: async () => ({ rows: [{ now: new Date(Date.now() + offset) }] }) }
  const clock = await openDatabaseClock(ahead as unknown as pg.Pool, log)
  expect(Math.abs(clock.now().getTime() - Date.now() - offset)).toBeLessThan(1000)
  const real = await openDatabaseClock(pool, log)
  expect(Math.abs(real.now().getTime() - Date.now())).toBeLessThan(1000)
})
