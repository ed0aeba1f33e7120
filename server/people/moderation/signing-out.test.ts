/** Signing a person out ends all their sessions and access tokens, and nothing else. */
import { expect, test } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import type { Problem } from '#contract/errors.ts'
import type { LogEntry } from '#contract/moderation.ts'
import { setRole } from '#server/people/accounts/store.ts'
import type { Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { connectHub } from '#server/testing/http/hub.ts'
import { signUpAll } from '#server/testing/people.ts'
import { openTestNodes } from '#server/testing/setup.ts'

const REASON = 'Somebody else writes by this account'

const { near: app, far } = await openTestNodes()
const { ann, admin } = await signUpAll(app, 'ann', 'admin')
await setRole(app.app.database.db, 'admin', 'administrator')
const signOut = (id: string, as: Person | undefined, reason: unknown = REASON) =>
  app.call<Problem>('POST', `/admin/sign-out/${id}`, { as, json: { reason } })
const statusOf = async (as: Person, node = app) =>
  (await node.call('GET', '/identity/points', { as })).status
const log = () => done<LogEntry[]>(app, admin, 'GET /admin/log')

test('only administrators sign others out, with a reason, and never themselves', async () => {
  expect((await signOut(ann.session._id, admin, null)).status).toBe(400)
  const own = await signOut(admin.session._id, admin)
  expect([own.status, own.body.title]).toEqual([
    409,
    'You can’t sign yourself out here. Use “Sessions and devices” in your account.',
  ])
  expect((await signOut('00000000-0000-7000-8000-000000000000', admin)).status).toBe(404)
  expect([await statusOf(ann), await statusOf(admin)]).toEqual([200, 200])
  expect(await log()).toEqual([])
})

test('every session, program and connection of the person ends on every node, and others stay', async () => {
  const login = () =>
    app.call<Session>('POST', '/identity/login', {
      json: { username: 'ann', password: ann.password },
    })
  const second: Person = { ...ann, session: (await login()).body }
  const { body } = await app.call<{ token: string }>('POST', '/identity/tokens', {
    as: ann,
    json: { name: 'a bot', scopes: ['read', 'chat'], days: 30, password: ann.password },
  })
  const program: Person = { ...ann, session: { ...ann.session, accessToken: body.token } }
  const all = [ann, second, program]
  const open = [
    await connectHub(app, ann.session.accessToken),
    await connectHub(far, second.session.accessToken),
    await connectHub(far, body.token),
  ]
  const others = await connectHub(far, admin.session.accessToken)
  expect(await Promise.all(all.map((person) => statusOf(person, far)))).toEqual([200, 200, 200])

  expect((await signOut(ann.session._id, admin)).status).toBe(204)
  for (const node of [app, far])
    expect(await Promise.all(all.map((person) => statusOf(person, node)))).toEqual([401, 401, 401])
  const headers = { cookie: ann.cookie, origin: app.url }
  expect((await app.call('POST', '/identity/refresh', { headers })).status).toBe(401)
  await expect
    .poll(() => open.map(({ isOpen }) => isOpen()), { timeout: 9000 })
    .toEqual([false, false, false])
  expect([others.isOpen(), await statusOf(admin)]).toEqual([true, 200])
  // This is not a suspension: the person can log in again.
  expect((await login()).status).toBe(200)
})

test('the person is notified, and the log contains the reason', async () => {
  expect((await signOut(ann.session._id, admin)).status).toBe(204)
  const { notice, subject } = await app.app.database.db
    .selectFrom('mails')
    .select(['notice', 'subject'])
    .where('user_id', '=', ann.session._id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(subject).toBe('mailSignedOutSubject')
  expect(JSON.stringify(notice)).toContain(encodeURIComponent(REASON))
  expect((await log())[0]).toMatchObject({
    action: 'signedOut',
    actor: { userName: 'admin' },
    person: { userName: 'ann' },
    reason: REASON,
  })
})

test('administrators can sign each other out', async () => {
  const other = await app.signUp('other')
  await setRole(app.app.database.db, 'other', 'administrator')
  expect((await signOut(other.session._id, admin)).status).toBe(204)
  expect(await statusOf(other)).toBe(401)
})
