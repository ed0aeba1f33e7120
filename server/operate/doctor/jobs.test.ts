import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { examineJobs } from '#server/operate/doctor/jobs.ts'
import { scheduleJobs } from '#server/platform/jobs/schedule.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp()

const names = ['one', 'two', 'three', 'four', 'five']
const report = async (): Promise<unknown> => (await fetch(`${app.url}/readyz`)).json()

test('the doctor and /readyz report overdue jobs', async () => {
  const { db, pool } = app.app.database
  expect(await examineJobs(db)).toMatchObject({ state: 'note' })
  await scheduleJobs(pool, names)
  expect(await examineJobs(db)).toMatchObject({ part: 'jobs', state: 'ok' })
  expect(await report()).toEqual({ status: 'ready' })

  await sql`
    update graphile_worker._private_known_crontabs set last_execution = now() + interval '1 year'`.execute(
    db,
  )
  const says = expect.stringContaining('(five, four, one and 2 more)')
  expect(await examineJobs(db)).toEqual({ part: 'jobs', state: 'wrong', says })
  expect(await report()).toEqual({ status: 'degraded', degraded: 'jobs', says: { jobs: says } })

  await sql`delete from nodes`.execute(db)
  expect(await examineJobs(db)).toMatchObject({ state: 'note' })
})
