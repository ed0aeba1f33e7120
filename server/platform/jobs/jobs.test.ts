import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { jobs } from '#contract/jobs.ts'
import { CLEAR_SIGN_INS } from '#server/people/accounts/clearing.ts'
import { setRole } from '#server/people/accounts/store.ts'
import type { JobKind, JobPayload } from '#server/platform/jobs/job.ts'
import { addJobLater } from '#server/platform/jobs/queue.ts'
import { CONTINUE_REMOVALS } from '#server/operate/removal/unfinished.ts'
import type { Person } from '#server/testing/app.ts'
import { listJobs } from '#server/work.ts'
import { openTestApp } from '#server/testing/setup.ts'

type Queue = AnswerOf<typeof jobs.list>

const app = await openTestApp()
const admin = await app.signUp('admin')
await setRole(app.app.database.db, 'admin', 'administrator')
beforeEach(async () => {
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`.execute(
    app.app.database.db,
  )
})

const read = async () => (await app.call<Queue>('GET', '/admin/jobs', { as: admin })).body
const post = (what: string, ids: unknown, as?: Person) =>
  app.call('POST', `/admin/jobs/${what}`, { as, json: { ids } })

/** Creates a job that has used all its attempts. */
async function createFailedJob({ name }: JobKind<JobPayload>): Promise<number> {
  const { db } = app.app.database
  await sql`select graphile_worker.add_job(${name}, payload := '{"id":7}'::json)`.execute(db)
  const { rows } = await sql<{ id: number }>`
    select id from graphile_worker.permanently_fail_jobs(
      array(select id from graphile_worker.jobs where attempts = 0), 'it broke'
    )`.execute(db)
  return rows[0]?.id ?? 0
}

test('the queue counts its jobs by state', async () => {
  const { db } = app.app.database
  const id = await createFailedJob(CONTINUE_REMOVALS)
  await addJobLater(db, CLEAR_SIGN_INS, {})
  await addJobLater(db, CLEAR_SIGN_INS, {}, { runAt: new Date(Date.now() + 60_000) })
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
      running: false,
      next: null,
    },
  ])
})

test('a retried job runs, and the log says who did it', async () => {
  const id = await createFailedJob(CONTINUE_REMOVALS)
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

test('only failed jobs can be dropped', async () => {
  const { db } = app.app.database
  const id = await createFailedJob(CONTINUE_REMOVALS)
  await addJobLater(db, CLEAR_SIGN_INS, {})
  const { rows } = await sql<{ id: number }>`
    select id from graphile_worker.jobs where id <> ${id}`.execute(db)
  const healthyId = rows[0]?.id ?? 0
  expect((await post('drop', [id, healthyId], admin)).status).toBe(204)
  expect((await post('retry', [id], admin)).status).toBe(204)
  const left = await sql<{ id: number }>`select id from graphile_worker.jobs`.execute(db)
  expect(left.rows).toEqual([{ id: healthyId }])
})

test('a failed job that is running again is dropped once it ends', async () => {
  const { db } = app.app.database
  const id = await createFailedJob(CONTINUE_REMOVALS)
  const setLocked = (locked: boolean) =>
    sql`update graphile_worker._private_jobs
      set locked_at = ${locked ? sql`now()` : null}, locked_by = ${locked ? 'worker' : null} where id = ${id}`.execute(
      db,
    )
  await setLocked(true)
  expect((await read()).failed).toMatchObject([{ id, running: true }])
  const dropping = post('drop', [id], admin)
  await new Promise((resolve) => setTimeout(resolve, 300))
  await setLocked(false)
  expect((await dropping).status).toBe(204)
  const left = await sql`select id from graphile_worker.jobs where id = ${id}`.execute(db)
  expect(left.rows).toEqual([])
})

test('jobs queued by the previous version still run', async () => {
  const { db } = app.app.database
  const nobody = '00000000-0000-7000-8000-000000000000'
  const queued = {
    sendMail: { id: 0 },
    mailReset: { id: nobody },
    judgeComments: { from: 0, to: 0 },
    vanishComments: { lessonId: 0 },
    judgeRatings: { from: 0, to: 0 },
    withdrawRatings: { kind: 'lesson', id: 0 },
    eraseRest: { userId: nobody },
    lookAtPicture: { pictureId: 0 },
    makeAvif: { pictureId: 0 },
    continueRemovals: {},
    countEconomy: {},
    countFigures: {},
    clearUnattached: {},
    sweepPictures: {},
    clearSignIns: { _cron: { ts: '2031-01-01T00:00:00Z', backfilled: false } },
    sweepComments: {},
    sweepRatings: {},
    rankItems: {},
    clearLetterAttempts: {},
    queueWaitingMails: {},
    forgetMails: {},
    auditStep: {},
    clearDrafts: {},
    clearSettled: {},
    indexWords: {},
    dailyBackup: {},
    clearExports: {},
    makeExport: { userId: nobody, id: nobody },
    deliverWebhook: { id: 0 },
    clearWebhooks: {},
    dispatchEvents: {},
    tellFollowers: { kind: 'lesson', id: 0, at: '2031-01-01T00:00:00.000Z' },
    sendDigests: {},
    clearNotices: {},
    checkVideos: {},
    fingerprintLessons: {},
    payTrustedShares: {},
  }
  for (const [name, payload] of Object.entries(queued))
    await sql`
      select graphile_worker.add_job(${name}, payload := ${JSON.stringify(payload)}::json)`.execute(
      db,
    )
  await app.runJobs()
  const { rows } = await sql`select task_identifier, last_error from graphile_worker.jobs`.execute(
    db,
  )
  expect(rows).toEqual([])
  const all = listJobs(app.app.core).map(({ name }) => name)
  expect(all.toSorted()).toEqual(Object.keys(queued).toSorted())
})
