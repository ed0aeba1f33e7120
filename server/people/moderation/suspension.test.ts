/** The access table tests every call as a suspended person; these tests cover the rest. */
import { HttpTransportType } from '@microsoft/signalr'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import type { Problem } from '#contract/errors.ts'
import type { LogEntry } from '#contract/moderation.ts'
import type { Profile } from '#contract/profiles.ts'
import { setRole } from '#server/people/accounts/store.ts'
import type { Person } from '#server/testing/app.ts'
import { done, refusalOf } from '#server/testing/http/answers.ts'
import { buildConnection } from '#server/testing/http/hub.ts'
import { mailsTo } from '#server/testing/links.ts'
import { signUpAll } from '#server/testing/people.ts'
import { openTestApp } from '#server/testing/setup.ts'

const REASON = 'Insults in many comments'

const app = await openTestApp()
const { ann, admin, other, ...people } = await signUpAll(app, 'ann', 'bob', 'admin', 'other')
let { bob } = people
for (const name of ['admin', 'other']) await setRole(app.app.database.db, name, 'administrator')
beforeEach(() => app.app.database.db.updateTable('users').set({ suspended_at: null }).execute())

const suspend = (id: string, as: Person | undefined, reason: unknown = REASON) =>
  app.call<Problem>('POST', `/admin/suspend/${id}`, { as, json: { reason } })
const lift = (id: string, as: Person | undefined, reason: unknown = 'Said sorry') =>
  app.call<Problem>('POST', `/admin/unsuspend/${id}`, { as, json: { reason } })
const log = () => done<LogEntry[]>(app, admin, 'GET /admin/log')

describe('a suspension is refused', () => {
  test('of oneself, of administrators and of unknown people', async () => {
    for (const [id, status, title] of [
      [admin.session._id, 409, 'You can’t suspend yourself.'],
      [other.session._id, 409, 'An administrator can’t be suspended.'],
      ['00000000-0000-7000-8000-000000000000', 404, 'There is no such person.'],
      ['x', 400, null],
    ] as const) {
      const answer = await suspend(id, admin)
      expect(answer.status).toBe(status)
      if (status === 409) expect(answer.body.title).toBe(title)
    }
    expect((await lift(ann.session._id, admin)).body.title).toBe('ann isn’t suspended.')
  })
  test('without a reason, and so is lifting it', async () => {
    for (const reason of [undefined, '', 'no', 'x'.repeat(201), 5])
      expect((await suspend(ann.session._id, admin, reason ?? null)).status).toBe(400)
    expect((await app.call('POST', '/message/create', { as: ann, json: {} })).status).toBe(400)
    for (const reason of [null, '', 'no', 'x'.repeat(201)])
      expect((await lift(ann.session._id, admin, reason)).status).toBe(400)
  })
})

test('one of several concurrent suspensions counts and is notified', async () => {
  const before = { log: (await log()).length, mails: (await mailsTo(app, ann)).length }
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => suspend(ann.session._id, admin)),
  )
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
  expect((await lift(ann.session._id, admin)).status).toBe(204)
  const lines = await log()
  expect(lines).toHaveLength(before.log + 2)
  expect(lines.slice(0, 2)).toMatchObject([
    { action: 'unsuspended', person: { userName: 'ann' }, reason: 'Said sorry', subjectId: null },
    {
      action: 'suspended',
      actor: { userName: 'admin' },
      person: { userName: 'ann' },
      reason: REASON,
    },
  ])
  const mails = (await mailsTo(app, ann)).slice(before.mails)
  expect(mails.map(({ subject }) => subject)).toEqual([
    'mailSuspendedSubject',
    'mailUnsuspendedSubject',
  ])
})

describe('a suspended person', () => {
  test('takes their data along and keeps their account safe', async () => {
    await suspend(bob.session._id, admin)
    await done(app, bob, 'GET /identity/export')
    const json = { username: 'bob', password: bob.password }
    const { status, body } = await app.call<Session>('POST', '/identity/login', { json })
    expect([status, body.suspended]).toEqual([200, true])
    const again = { ...bob, session: body }
    const letter = { text: 'Hello', receiverUsername: 'ann' }
    const written = await app.call<Problem>('POST', '/message/create', { as: again, json: letter })
    expect(refusalOf(written)).toBe('403 suspended')
    const newPassword = 'another secret of bob 2'
    const change = await app.call('POST', '/identity/password/change', {
      as: again,
      json: { password: bob.password, newPassword },
    })
    expect(change.status).toBe(204)
    await done(app, again, 'POST /identity/sessions/revoke')
    bob = { ...again, password: newPassword }
  })
  test('is disconnected from the hub and can not reconnect', async () => {
    const connection = buildConnection(app, bob.session.accessToken, {
      transport: HttpTransportType.WebSockets,
      skipNegotiation: true,
    })
    await connection.start()
    const closed = new Promise<string>((resolve) => {
      connection.onclose(() => resolve('closed'))
    })
    await suspend(bob.session._id, admin)
    expect(await closed).toBe('closed')
    await expect(connection.start()).rejects.toThrow()
  })
  test('is marked as suspended for administrators only', async () => {
    await suspend(bob.session._id, admin)
    const show = async (as: Person) =>
      (await done<Profile>(app, as, `GET /identity/profile/${bob.session._id}`)).suspended
    expect([await show(admin), await show(ann), await show(bob)]).toEqual([
      true,
      undefined,
      undefined,
    ])
    await lift(bob.session._id, admin)
    expect(await show(admin)).toBe(false)
    const letter = { text: 'Back again', receiverUsername: 'ann' }
    await done(app, bob, 'POST /message/create', letter)
  })
})

test('open work is counted', async () => {
  const { pool } = app.app.database
  const counts = async () => (await app.call('GET', '/admin/counts', { as: admin })).body
  expect(await counts()).toEqual({
    flags: 0,
    bugs: 0,
    appeals: 0,
    mails: 0,
    jobs: 0,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  })
  const { rowCount: failed } = await pool.query(
    `update mails set state = 'failed' where user_id = $1`,
    [ann.session._id],
  )
  await pool.query(
    `insert into flags (kind, subject_id, text, reporter_id, closed_at, closed_by)
     select 'profile', $1::text, 'This is wrong', $2::uuid, null, null
     union all select 'profile', $1, 'This is wrong', $1::uuid, now(), $1::uuid`,
    [ann.session._id, bob.session._id],
  )
  await pool.query(
    `insert into bug_reports (sender_email, topic, text)
     select 'a@people.example', 'Broken', repeat('x', 30) from generate_series(1, 2)`,
  )
  await pool.query(
    `select graphile_worker.permanently_fail_jobs(
       array[(graphile_worker.add_job('continueRemovals', '{}')).id], 'it broke')`,
  )
  expect(await counts()).toMatchObject({ flags: 1, bugs: 2, mails: failed, jobs: 1 })
})
