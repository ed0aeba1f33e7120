import { beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { mailsTo, newestLink } from '#server/testing/links.ts'
import { setUser } from '#server/testing/rows.ts'
import { openTestApp } from '#server/testing/setup.ts'
import { buildConnection } from '#server/testing/http/hub.ts'

type Problem = { title: string; errors?: Record<string, string[]> }
const HOUR_MS = 60 * 60 * 1000
const NEW = 'a new secret 2'
const DEAD = 'This link has expired or was already used.'

let ann: Person
let count = 0
const app = await openTestApp()
beforeEach(async () => {
  app.clock.time = null
  count += 1
  ann = await app.signUp(`ann${count}`)
})

const forgot = (email: string, headers = {}, on = app) =>
  on.call('POST', '/identity/password/forgot', { json: { email }, headers })
const reset = (token: string, password = NEW) =>
  app.call<Problem>('POST', '/identity/password/reset', { json: { token, password } })
const login = (password: string, of = ann) =>
  app.call<Session>('POST', '/identity/login', {
    json: { username: of.session.username, password },
  })
const linkOf = (kind: 'reset' | 'confirm') => newestLink(app, ann, kind)
const subjectsTo = async (person: Person, on = app) =>
  (await mailsTo(on, person)).map(({ subject }) => subject)

/** Asks for a link and returns its token. */
async function askLink(): Promise<string> {
  await forgot(ann.session.email)
  await app.runJobs()
  return linkOf('reset')
}

async function refuses(token: string): Promise<void> {
  const { status, body } = await reset(token)
  expect([status, body.title]).toEqual([400, DEAD])
  expect((await login(ann.password)).status).toBe(200)
}

describe('a link to a new password does nothing', () => {
  it.each(['', 'x', 'A'.repeat(43), 'x'.repeat(300)])('when it is %j', (token) => refuses(token))
  it('when it is of another kind', async () => {
    await refuses(await linkOf('confirm'))
    const token = await askLink()
    for (const path of ['/identity/email/confirm', '/identity/email/undo'])
      expect((await app.call('POST', path, { json: { token } })).status).toBe(400)
    expect((await reset(token)).status).toBe(204)
  })
  it('after an hour', async () => {
    const token = await askLink()
    app.clock.time = new Date(Date.now() + HOUR_MS + 1000)
    await refuses(token)
  })
  it('the second time', async () => {
    const token = await askLink()
    expect((await reset(token)).status).toBe(204)
    expect((await reset(token, 'a third secret')).status).toBe(400)
    expect((await login(NEW)).status).toBe(200)
  })
  it('once there is a newer one', async () => {
    const older = await askLink()
    const newer = await askLink()
    await refuses(older)
    expect((await reset(newer)).status).toBe(204)
  })
  it('once the password was changed', async () => {
    const token = await askLink()
    const json = { password: ann.password, newPassword: NEW }
    await app.call('POST', '/identity/password/change', { as: ann, json })
    expect((await reset(token, 'a third secret')).status).toBe(400)
    expect((await login(NEW)).status).toBe(200)
  })
  it('for somebody whose account is gone', async () => {
    const token = await askLink()
    await setUser(app, ann, { erased_at: new Date() })
    expect((await reset(token)).status).toBe(400)
  })
  it('with one of the commonest passwords, and stays good', async () => {
    const token = await askLink()
    const { status, body } = await reset(token, 'Password123')
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['password']])
    expect((await reset(token, 'short')).status).toBe(400)
    expect((await reset(token)).status).toBe(204)
  })
})

describe('a link to a new password', () => {
  it('ends every session', async () => {
    const headers = { cookie: ann.cookie, origin: app.url }
    await reset(await askLink())
    expect((await app.call('GET', '/identity/points', { as: ann })).status).toBe(401)
    expect((await app.call('POST', '/identity/refresh', { headers })).status).toBe(401)
    expect([(await login(ann.password)).status, (await login(NEW)).status]).toEqual([401, 200])
  })
  it("closes the person's chat connections", async () => {
    const token = await askLink()
    const connection = buildConnection(app, ann.session.accessToken)
    await connection.start()
    const closed = new Promise((resolve) => connection.onclose(resolve))
    await reset(token)
    expect(await closed).toBeUndefined()
  })
  it('is announced to its person, like a change', async () => {
    await reset(await askLink())
    const as = { ...ann, session: (await login(NEW)).body }
    const json = { password: NEW, newPassword: 'a third secret' }
    await app.call('POST', '/identity/password/change', { as, json })
    expect((await subjectsTo(ann)).slice(1)).toEqual([
      'mailResetSubject',
      'mailPasswordSubject',
      'mailPasswordSubject',
    ])
  })
  it('leaves nothing in the database that it could be made of', async () => {
    const token = await askLink()
    const { rows } = await app.app.database.pool.query<{ all: string }>(
      `select (select json_agg(t)::text from account_tokens t) || (select json_agg(m)::text from mails m)
        || coalesce((select json_agg(j)::text from graphile_worker._private_jobs j), '') as all`,
    )
    expect(rows[0]?.all).not.toContain(token)
    expect(rows[0]?.all).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })
})

describe('asking for a link', () => {
  const jobs = async () => {
    const { rows } = await app.app.database.pool.query<{ keys: string[] }>(
      `select array(select json_object_keys(payload)) as keys from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'mailReset'`,
    )
    return rows.map(({ keys }) => keys)
  }
  it('answers unknown addresses like known ones', async () => {
    await app.runJobs()
    const known = await forgot(ann.session.email.toUpperCase())
    const unknown = await forgot(`nobody${count}@people.example`)
    expect([known.status, known.body]).toEqual([204, ''])
    expect([unknown.status, unknown.body]).toEqual([204, ''])
    const names = (answer: { headers: Headers }) => [...answer.headers.keys()].toSorted()
    expect(names(unknown)).toEqual(names(known))
    // The jobs don't reveal whose address it was.
    expect(await jobs()).toEqual([['id'], ['id']])
    await app.runJobs()
    expect(await subjectsTo(ann)).toEqual(['mailConfirmSubject', 'mailResetSubject'])
    const { count: strangers } = await app.app.database.db
      .selectFrom('mails')
      .select((each) => each.fn.countAll<number>().as('count'))
      .where('address', 'like', 'nobody%')
      .executeTakeFirstOrThrow()
    expect(strangers).toBe(0)
  })
  it('is limited by caller and, silently, by person', async () => {
    const strict = await createTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: '1' })
    const eve = await strict.signUp('eve')
    const ask = (from: string) => forgot(eve.session.email, { 'x-forwarded-for': from }, strict)
    const answers = []
    for (let turn = 0; turn < 6; turn += 1) answers.push(await ask('192.0.2.1'))
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204, 429])
    expect(Number(answers[5]?.headers.get('retry-after'))).toBeGreaterThan(3500)
    expect(JSON.stringify(answers[5]?.body)).toContain('Please wait 60 minutes')
    expect((await ask('192.0.2.2')).status).toBe(204)
    await strict.runJobs()
    const mailed = async () =>
      (await subjectsTo(eve, strict)).filter((subject) => subject === 'mailResetSubject').length
    expect(await mailed()).toBe(3)
    strict.clock.time = new Date(Date.now() + HOUR_MS + 60_000)
    await ask('192.0.2.1')
    await strict.runJobs()
    expect(await mailed()).toBe(4)
    await strict.close()
  })
  it('deletes the failures of the account', async () => {
    const strict = await createTestApp({ RATE_LIMITS: 'on' })
    const eve = await strict.signUp('eve')
    const enter = (password: string) =>
      strict.call('POST', '/identity/login', { json: { username: 'eve', password } })
    for (let turn = 0; turn < 6; turn += 1) await enter('guess')
    expect((await enter(eve.password)).status).toBe(429)
    await forgot(eve.session.email, {}, strict)
    await strict.runJobs()
    const json = { token: await newestLink(strict, eve, 'reset'), password: NEW }
    await strict.call('POST', '/identity/password/reset', { json })
    expect((await enter(NEW)).status).toBe(200)
    await strict.close()
  })
})
