/** A suspended person may read and export. Every other call and the hub refuse them. */
import { HttpTransportType } from '@microsoft/signalr'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import type { Problem } from '#contract/errors.ts'
import type { LogEntry } from '#contract/moderation.ts'
import type { Profile } from '#contract/profiles.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { addJobLater } from '#server/platform/jobs/queue.ts'
import { CONTINUE_REMOVALS } from '#server/operate/removal/unfinished.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { buildConnection } from '#server/testing/http/hub.ts'
import { mailsTo } from '#server/testing/links.ts'
import { signUpAll } from '#server/testing/people.ts'

const REASON = 'Insults in many comments'

let bob: Person
const app = await createTestApp()
const ann = await app.signUp('ann')
bob = await app.signUp('bob')
const { admin, other } = await signUpAll(app, 'admin', 'other')
for (const name of ['admin', 'other']) await setRole(app.app.database.db, name, 'administrator')
afterAll(() => app.close())
beforeEach(() => app.app.database.db.updateTable('users').set({ suspended_at: null }).execute())

const suspend = (id: string, as: Person | undefined, reason: unknown = REASON) =>
  app.call<Problem>('POST', `/admin/suspend/${id}`, { as, json: { reason } })
const lift = (id: string, as: Person | undefined, reason?: string) =>
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
  test('without a reason', async () => {
    for (const reason of [undefined, '', 'no', 'x'.repeat(201), 5])
      expect((await suspend(ann.session._id, admin, reason ?? null)).status).toBe(400)
    expect((await app.call('POST', '/message/create', { as: ann, json: {} })).status).toBe(400)
  })
})

test('one of several concurrent suspensions counts and is notified', async () => {
  const before = { log: (await log()).length, mails: (await mailsTo(app, ann)).length }
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => suspend(ann.session._id, admin)),
  )
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
  expect((await lift(ann.session._id, admin, 'Said sorry')).status).toBe(204)
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

interface Operation {
  readonly method: string
  readonly path: string
}
/** Read from the API description, so that no call is missed. */
async function readOperations(): Promise<Operation[]> {
  const { body } = await app.call<{ paths: Record<string, Record<string, unknown>> }>(
    'GET',
    '/openapi.json',
  )
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      path: path
        .replace(/^\/api/, '')
        .replaceAll(/\{(id|lessonId)\}/g, path.includes('/identity/') ? bob.session._id : '1')
        .replaceAll(/\{\w+\}/g, 'bob'),
    })),
  )
}

/** Calls that keep an account safe, and calls that need no sign-in. */
const ALLOWED = [
  '/identity/register',
  '/identity/login',
  '/identity/refresh',
  '/identity/logout',
  '/identity/sessions/revoke',
  '/identity/password/change',
  '/identity/password/forgot',
  '/identity/password/reset',
  '/identity/email/confirm',
  '/identity/email/resend',
  '/identity/email/undo',
  '/email/unsubscribe',
  '/identity/erase',
  '/identity/exports',
  '/identity/confirm',
  '/identity/factors/totp',
  '/identity/factors/totp/confirm',
  '/identity/factors/recovery',
  '/identity/oidc/finish',
  '/identity/oidc/register',
  '/identity/identities/begin',
  '/notice/read',
]

describe('a suspended person', () => {
  test('reads everything and writes nothing', async () => {
    await suspend(bob.session._id, admin)
    const operations = await readOperations()
    expect(operations.length).toBeGreaterThan(60)
    const wrong: unknown[] = []
    for (const { method, path } of operations) {
      const { status, body } = await app.call<Problem | { description: string }[]>(method, path, {
        as: bob,
        headers: { origin: app.url },
        ...(method !== 'GET' && { json: {} }),
      })
      const title = (Array.isArray(body) ? body[0]?.description : body.title) ?? ''
      const isDesk =
        /^\/(admin|comment\/(all|browse|delete$|restore|judge)|rating\/(browse|delete|restore))/.test(
          path,
        )
      const isRead = method === 'GET' && !/\/(like|buy)\//.test(path)
      const may =
        !isDesk &&
        (isRead ||
          ALLOWED.includes(path) ||
          // Undoing the person's own actions: unfollowing, withdrawing a certificate.
          (method === 'DELETE' && /^\/(follow|certificate)\//.test(path)) ||
          /^\/identity\/(passkeys|(tokens|sessions|identities)\/)/.test(path))
      if (may === (status === 403)) wrong.push([method, path, status])
      if (!may && !isDesk && !title.includes('suspended')) wrong.push([method, path, title])
    }
    expect(wrong).toEqual([])
  })
  test('uploads nothing, new or resumed', async () => {
    await suspend(bob.session._id, admin)
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': '5' }
    const begun = await app.call('POST', '/upload/resource', { as: bob, headers })
    const form = formOf({ file: new File(['hello'], 'hello.txt') })
    const whole = await app.call('POST', '/upload/resource', { as: bob, form })
    const id = '00000000-0000-7000-8000-000000000000'
    const more = await app.call('PATCH', `/upload/resource/${id}`, {
      as: bob,
      headers: {
        ...headers,
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
    })
    expect([begun, whole, more].map(({ status }) => status)).toEqual([403, 403, 403])
  })
  test('takes their data along and keeps their account safe', async () => {
    await suspend(bob.session._id, admin)
    await done(app, bob, 'GET /identity/export')
    const json = { username: 'bob', password: bob.password }
    const { status, body } = await app.call<Session>('POST', '/identity/login', { json })
    expect([status, body.suspended]).toEqual([200, true])
    const again = { ...bob, session: body }
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
  const { db } = app.app.database
  const counts = async () => (await app.call('GET', '/admin/counts', { as: admin })).body
  expect(await counts()).toEqual({
    flags: 0,
    bugs: 0,
    mails: 0,
    jobs: 0,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  })
  const flag = { kind: 'profile', subject_id: ann.session._id, text: 'This is wrong' }
  await db
    .insertInto('flags')
    .values([
      { ...flag, reporter_id: bob.session._id },
      {
        ...flag,
        reporter_id: ann.session._id,
        closed_at: new Date(),
        closed_by: admin.session._id,
      },
    ])
    .execute()
  const bug = { sender_email: 'a@people.example', topic: 'Broken', text: 'x'.repeat(30) }
  await db.insertInto('bug_reports').values([bug, bug]).execute()
  await db
    .updateTable('mails')
    .set({ state: 'failed' })
    .where('user_id', '=', ann.session._id)
    .execute()
  const { failed } = await db
    .selectFrom('mails')
    .select((each) => each.fn.countAll<number>().as('failed'))
    .where('user_id', '=', ann.session._id)
    .executeTakeFirstOrThrow()
  await addJobLater(db, CONTINUE_REMOVALS, {})
  await sql`select graphile_worker.permanently_fail_jobs(
    array(select id from graphile_worker.jobs where task_identifier = ${CONTINUE_REMOVALS.name}), 'it broke')`.execute(
    db,
  )
  expect(await counts()).toMatchObject({ flags: 1, bugs: 2, mails: failed, jobs: 1 })
})
