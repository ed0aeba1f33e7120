/** Tests that the processes share one audit per night, continue it step by step, and show it to administrators. */
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { AuditRun } from '#contract/audit.ts'
import { auditStep } from '#server/operate/audit/nightly.ts'
import { liveThrough } from '#server/testing/lived-in.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann } = await liveThrough(app)
const admin = await app.signUp('admin')

const pool = () => app.app.database.pool
const signal = new AbortController().signal

interface Result {
  readonly last: AuditRun | null
  readonly underWay: AuditRun | null
}
const result = async () => (await app.call<Result>('GET', '/admin/audit', { as: admin })).body

/** Runs the nightly audit to its end in two concurrent processes. */
async function finish(): Promise<void> {
  await expect
    .poll(
      async () => {
        await Promise.all([app, other].map((each) => auditStep(each.app.core, { signal }, 1)))
        return (await result()).underWay
      },
      { timeout: 60_000 },
    )
    .toBeNull()
}

await pool().query(`update users set role = 'administrator' where username = 'admin'`)
const other = await openTestApp({ DATA_DIR: app.dataDir }, null, app)

test('before the first audit there is no result', async () => {
  expect(await result()).toEqual({ last: null, underWay: null, version: '1.0.0' })
})

test('two processes finish one audit together, without findings', async () => {
  await finish()
  const { last } = await result()
  expect(last).toMatchObject({ findings: [], unproved: [], finished: expect.any(String) })
  expect(last?.steps).toBeGreaterThan(50)
  const { rows } = await pool().query('select night, done from audit_runs')
  expect(rows).toHaveLength(1)
  const done: string[] = rows[0]?.done ?? []
  expect(new Set(done).size).toBe(done.length)
})

test('an audit starts once per night; the next one finds what was broken', async () => {
  await auditStep(app.app.core, { signal })
  expect((await result()).underWay).toBeNull()
  await pool().query('update audit_runs set night = night - 1')
  await pool().query(`update point_balances set net = net + 1 where user_id = '${ann.session._id}'`)
  await finish()
  const { last } = await result()
  expect(last?.findings).toEqual([
    {
      rule: 'balanceNotSum',
      what: expect.stringContaining('not the sum of its entries'),
      count: 1,
      ids: [`person ${ann.session._id}`],
    },
  ])
  await pool().query(`update point_balances set net = net - 1 where user_id = '${ann.session._id}'`)
})

/** Repeats the job as the queue does. A call that meets a slow step runs only that one. */
async function workUntil(stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    await auditStep(app.app.core, { signal: stopped })
    await setTimeout(20)
  }
}

/**
 * Starts the audit of another night and stops in the middle, as a process does that exits. Returns the number of
 * finished steps.
 */
async function beginNight(): Promise<number> {
  await pool().query('delete from audit_runs')
  const stopping = new AbortController()
  const working = workUntil(stopping.signal)
  await expect
    .poll(async () => (await result()).underWay?.steps ?? 0, { timeout: 60_000 })
    .toBeGreaterThan(2)
  stopping.abort()
  await working
  return (await result()).underWay?.steps ?? 0
}

test('after a step it pauses nineteen times as long', async () => {
  const steps = await beginNight()
  const { rows } = await pool().query<{ rested: number; spent: number }>(
    `select extract(epoch from due_at - began_at)::float8 * 1000 as rested, spent_ms as spent
     from audit_runs where finished_at is null`,
  )
  const [run = { rested: 0, spent: 0 }] = rows
  expect(run.spent).toBeGreaterThan(0)
  // The duration of each step is rounded to ms.
  expect(run.rested).toBeGreaterThanOrEqual(19 * (run.spent - steps))
  await finish()
})

test('another process repeats the step of a dead one', async () => {
  const steps = await beginNight()
  const claim = (ends: string) =>
    pool().query(
      `update audit_runs set claimed_until = now() + $1::interval, due_at = now() where finished_at is null`,
      [ends],
    )
  await claim('4 minutes')
  await auditStep(other.app.core, { signal })
  expect((await result()).underWay?.steps).toBe(steps)
  await claim('-1 second')
  await finish()
  expect((await result()).last).toMatchObject({ findings: [], unproved: [] })
})

test('a result is known for 90 days', async () => {
  await auditStep(app.app.core, { signal })
  await pool().query(
    `insert into audit_runs (night, began_at, due_at, finished_at)
     select newest.night - ago, now(), now(), now()
     from (select max(night) as night from audit_runs) newest, unnest(array[89, 90, 91]) ago`,
  )
  await auditStep(app.app.core, { signal })
  const { rows } = await pool().query<{ ago: number }>(
    `select (select max(night) from audit_runs) - night as ago from audit_runs order by 1 desc limit 2`,
  )
  expect(rows.map(({ ago }) => ago)).toEqual([90, 89])
})
