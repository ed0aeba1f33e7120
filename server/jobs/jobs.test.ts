import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { jobs } from '#contract/jobs.ts'
import { setRole } from '#server/accounts/store.ts'
import { addJobLater } from '#server/jobs/queue.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'

type Queue = AnswerOf<typeof jobs.list>

let app: TestApp
let ann: Person
let admin: Person

beforeAll(async () => {
  app = await createTestApp()
  ann = await app.signUp('ann')
  admin = await app.signUp('admin')
  await setRole(app.app.database.db, 'admin', 'administrator')
})
afterAll(() => app.close())
beforeEach(async () => {
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`.execute(
    app.app.database.db,
  )
})

const read = async () => (await app.call<Queue>('GET', '/admin/jobs', { as: admin })).body
const post = (what: string, ids: unknown, as?: Person) =>
  app.call('POST', `/admin/jobs/${what}`, { as, json: { ids } })

/** A job that has been given up. */
async function fail(name: string): Promise<number> {
  const { db } = app.app.database
  await addJobLater(db, name, { id: 7 })
  const { rows } = await sql<{ id: number }>`
    select id from graphile_worker.permanently_fail_jobs(
      array(select id from graphile_worker.jobs where attempts = 0), 'it broke'
    )`.execute(db)
  return rows[0]?.id ?? 0
}

test('guests and people neither see the queue nor touch it', async () => {
  const id = await fail('continueRemovals')
  for (const [person, status] of [
    [undefined, 401],
    [ann, 403],
  ] as const) {
    expect((await app.call('GET', '/admin/jobs', { as: person })).status).toBe(status)
    expect((await post('retry', [id], person)).status).toBe(status)
    expect((await post('drop', [id], person)).status).toBe(status)
  }
  expect((await read()).failed).toMatchObject([{ id, next: null }])
})

test('ids that are none, too many or words are refused', async () => {
  for (const ids of [
    undefined,
    [],
    ['x'],
    [0],
    'x',
    Array.from({ length: 101 }, (_, at) => at + 1),
  ])
    expect((await post('retry', ids, admin)).status).toBe(400)
})

test('the queue tells its jobs by state', async () => {
  const { db } = app.app.database
  const id = await fail('continueRemovals')
  await addJobLater(db, 'clearSignIns', {})
  await addJobLater(db, 'clearSignIns', {}, { runAt: new Date(Date.now() + 60_000) })
  const { counts, failed, waiting, workers } = await read()
  const of = (name: string) => counts.find((count) => count.name === name)
  expect(of('continueRemovals')).toMatchObject({ ready: 0, later: 0, running: 0, failed: 1 })
  expect(of('clearSignIns')).toMatchObject({ ready: 1, later: 1, running: 0, failed: 0 })
  expect([waiting >= 0, workers]).toEqual([true, 0])
  expect(failed).toEqual([
    {
      id,
      name: 'continueRemovals',
      payload: '{"id":7}',
      attempts: 25,
      maxAttempts: 25,
      lastError: 'it broke',
      created: failed[0]?.created,
      date: failed[0]?.date,
      next: null,
    },
  ])
})

test('a job that is tried again runs, and the log says who did it', async () => {
  const id = await fail('continueRemovals')
  expect((await post('retry', [id, 999_999], admin)).status).toBe(204)
  await app.runJobs()
  expect((await read()).failed).toEqual([])
  const log = await app.app.database.db
    .selectFrom('moderation_log')
    .select(['actor_id', 'action', 'subject'])
    .execute()
  expect(log).toEqual([
    { actor_id: admin.session._id, action: 'jobsRetried', subject: 'continueRemovals' },
  ])
})

test('only failed jobs are dropped, and are gone then', async () => {
  const { db } = app.app.database
  const id = await fail('continueRemovals')
  await addJobLater(db, 'clearSignIns', {})
  const { rows } = await sql<{ id: number }>`
    select id from graphile_worker.jobs where id <> ${id}`.execute(db)
  const well = rows[0]?.id ?? 0
  expect((await post('drop', [id, well], admin)).status).toBe(204)
  expect((await post('retry', [id], admin)).status).toBe(204)
  const left = await sql<{ id: number }>`select id from graphile_worker.jobs`.execute(db)
  expect(left.rows).toEqual([{ id: well }])
})
