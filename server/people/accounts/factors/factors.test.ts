import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import type { Problem } from '#contract/errors.ts'
import type { Factors } from '#contract/factors.ts'
import { createSealing } from '#server/people/accounts/factors/sealing.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { refusalOf, statusesOf } from '#server/testing/http/answers.ts'
import { mailsTo, newestLink } from '#server/testing/links.ts'
import { createTestApp, TEST_SECRET, type Person, type TestApp } from '#server/testing/app.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { loggedBy } from '#server/testing/privacy/log-lines.ts'
import { armTotp, totpOf } from '#server/testing/sign-in/totp.ts'

let app: TestApp
let person: Person
let count = 0
const start = new Date('2026-11-21T12:00:00Z').getTime()
let seconds = 0
const wait = (more: number) => {
  seconds += more
  app.clock.time = new Date(start + seconds * 1000)
}
const codeOf = (secret: string, periodsOn = 0) =>
  totpOf(secret, start + (seconds + periodsOn * 30) * 1000)

/** Returns a code that matches none of the nearby periods. */
const wrongFor = (secret: string) => {
  const near = [-2, -1, 0, 1, 2].map((periods) => codeOf(secret, periods))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
    (code) => !near.includes(code),
  )
}

const begin = (as: Person, password = as.password) =>
  app.call<{ secret: string; address: string } & Problem>('POST', '/identity/factors/totp', {
    as,
    json: { password },
  })
const finish = (as: Person, code: string) =>
  app.call<{ recoveryCodes: string[] } & Problem>('POST', '/identity/factors/totp/confirm', {
    as,
    json: { code },
  })
const login = (as: Person, code?: string, headers: Record<string, string> = {}) =>
  app.call<Session & Problem>('POST', '/identity/login', {
    json: { username: as.session.username, password: as.password, ...(code && { code }) },
    headers,
  })
const confirm = (as: Person, code?: string, password = as.password) =>
  app.call<Problem>('POST', '/identity/confirm', { as, json: { password, ...(code && { code }) } })
const factorsOf = async (as: Person) =>
  (await app.call<Factors>('GET', '/identity/factors', { as })).body
const remove = (as: Person) => app.call<Problem>('DELETE', '/identity/factors/totp', { as })
const CONFIRM_FIRST = '403 confirmFirst'
const arm = (as: Person) => armTotp(app, as)

/** Returns what closes it. */
const open = async (environment: Record<string, string> = {}) => {
  app = await createTestApp({ LOG_LEVEL: 'info', ...environment })
  return () => app.close()
}
beforeEach(async () => {
  wait(3600)
  count += 1
  person = await app.signUp(`person${count}`)
})

describe('a second factor', () => {
  beforeAll(() => open())

  it('is neither begun by a wrong password, nor turned on without its beginning or by a wrong code', async () => {
    const begun = await begin(person, 'not mine')
    expect([begun.status, Object.keys(begun.body.errors ?? {})]).toEqual([400, ['password']])
    expect((await finish(person, '123456')).status).toBe(409)
    const { secret } = (await begin(person)).body
    const { status, body } = await finish(person, wrongFor(secret) ?? '')
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['code']])
    expect((await login(person)).status).toBe(200)
    expect(await factorsOf(person)).toEqual({
      since: null,
      app: false,
      passkeys: 0,
      hasPassword: true,
      recoveryCodes: 0,
      demanded: false,
      demandedOf: null,
    })
  })

  it('uses the newer secret when it was started again', async () => {
    const first = (await begin(person)).body.secret
    const second = (await begin(person)).body.secret
    expect((await finish(person, codeOf(first))).status).toBe(400)
    expect((await finish(person, codeOf(second))).status).toBe(200)
  })

  it('is described as apps read it, and required once it is on', async () => {
    const { body } = await begin(person)
    const address = new URL(body.address)
    expect(address.protocol).toBe('otpauth:')
    expect(address.searchParams.get('secret')).toBe(body.secret)
    expect(address.searchParams.get('issuer')).toBe('Knowledge Bazaar')
    const finished = await finish(person, codeOf(body.secret))
    expect(new Set(finished.body.recoveryCodes).size).toBe(10)
    const { since, recoveryCodes } = await factorsOf(person)
    expect([since, recoveryCodes]).toEqual([app.clock.now().toISOString(), 10])
    expect((await begin(person)).status).toBe(409)
    const asked = await login(person)
    expect([asked.status, Object.keys(asked.body.errors ?? {})]).toEqual([401, ['code']])
    expect(asked.headers.getSetCookie()).toEqual([])
  })

  it('does not reveal who has one without the password', async () => {
    await arm(person)
    const other = await app.signUp(`plain${count}`)
    const answers = await Promise.all(
      [person, other].map((as) => login({ ...as, password: 'a guess' }, '123456')),
    )
    expect(answers[0]?.body).toEqual(answers[1]?.body)
  })

  it('refuses a code that was used, and one before it, at once and on any try', async () => {
    const { secret } = await arm(person)
    // The code that turned the factor on counts as used.
    expect((await login(person, codeOf(secret))).status).toBe(401)
    wait(60)
    const code = codeOf(secret)
    const before = codeOf(secret, -1)
    const answers = await Promise.all(Array.from({ length: 5 }, () => login(person, code)))
    expect(statusesOf(answers)).toEqual([200, 401, 401, 401, 401])
    expect((await login(person, before)).status).toBe(401)
    const told = loggedBy(app, 'a sign-in was refused').filter(({ by }) => by === 'code')
    const ours = told.filter((line) => line['person'] === person.session._id)
    expect(ours).toHaveLength(6)
    expect(JSON.stringify(ours)).not.toMatch(new RegExp(`"(${code}|${before}|${secret})"`))
    wait(30)
    expect((await login(person, codeOf(secret))).status).toBe(200)
  })

  it('lets a clock be half a minute off, and not more', async () => {
    const { secret } = await arm(person)
    wait(300)
    expect((await login(person, codeOf(secret, -2))).status).toBe(401)
    expect((await login(person, codeOf(secret, 2))).status).toBe(401)
    expect((await login(person, codeOf(secret, -1))).status).toBe(200)
    expect((await login(person, codeOf(secret, 1))).status).toBe(200)
  })

  it('is replaced by each recovery code once, which is mailed', async () => {
    const { codes } = await arm(person)
    const [code = ''] = codes
    const spelt = ` ${code.toLowerCase().replaceAll('-', ' ')} `
    const both = await Promise.all([login(person, spelt), login(person, code)])
    expect(statusesOf(both)).toEqual([200, 401])
    expect((await login(person, code)).status).toBe(401)
    expect((await factorsOf(person)).recoveryCodes).toBe(9)
    const subjects = (await mailsTo(app, person)).map(({ subject }) => subject)
    expect(subjects).toEqual(
      expect.arrayContaining(['mailFactorOnSubject', 'mailRecoveredSubject']),
    )
  })

  it('is asked for after a new password by a mailed link, which signs nobody in', async () => {
    const { secret } = await arm(person)
    const { email } = person.session
    await app.call('POST', '/identity/password/forgot', { json: { email } })
    await app.runJobs()
    const password = 'another secret of theirs'
    const json = { token: await newestLink(app, person, 'reset'), password, rePassword: password }
    const reset = await app.call('POST', '/identity/password/reset', { json })
    expect([reset.status, reset.headers.getSetCookie()]).toEqual([204, []])
    const changed = { ...person, password }
    expect((await login(changed)).status).toBe(401)
    wait(60)
    expect((await login(changed, codeOf(secret))).status).toBe(200)
  })

  it('gets new recovery codes, and the old ones stop working', async () => {
    expect((await app.call('POST', '/identity/factors/recovery', { as: person })).status).toBe(409)
    const { codes } = await arm(person)
    const path = '/identity/factors/recovery'
    const { body } = await app.call<{ recoveryCodes: string[] }>('POST', path, { as: person })
    expect((await login(person, codes[0])).status).toBe(401)
    expect((await login(person, body.recoveryCodes[0])).status).toBe(200)
  })

  it('is stored sealed to its person, and its codes hashed', async () => {
    const { secret, codes } = await arm(person)
    const { db } = app.app.database
    const row = await db
      .selectFrom('totp_secrets')
      .select('sealed')
      .where('user_id', '=', person.session._id)
      .executeTakeFirstOrThrow()
    expect(row.sealed.toString('latin1')).not.toContain(secret)
    const ours = createSealing([TEST_SECRET])
    expect(ours.open(row.sealed, person.session._id)).toEqual({ secret, isOld: false })
    const hashes = await db.selectFrom('recovery_codes').select('hash').execute()
    const stored = hashes.map(({ hash }) => hash.toString('latin1')).join()
    expect(stored).not.toContain(codes[0]?.replaceAll('-', ''))
  })

  it('is removed together with its codes', async () => {
    expect((await remove(person)).status).toBe(409)
    const { codes } = await arm(person)
    expect((await remove(person)).status).toBe(204)
    expect((await login(person)).status).toBe(200)
    expect((await factorsOf(person)).since).toBeNull()
    await arm(person)
    expect((await login(person, codes[0])).status).toBe(401)
  })
})

describe('"confirm it is you"', () => {
  beforeAll(() => open())
  const changePassword = (as: Person, newPassword: string) =>
    app.call<Problem>('POST', '/identity/password/change', {
      as,
      json: { password: as.password, newPassword },
    })

  it('is not required without a second factor', async () => {
    await setRole(app.app.database.db, person.session.username, 'administrator')
    const fresh = await login(person)
    const late = { ...person, session: fresh.body }
    wait(14 * 60)
    expect((await changePassword(late, 'another secret 2')).status).toBe(204)
  })

  it('is asked 15 minutes after the sign-in before what takes an account over', async () => {
    const { secret } = await arm(person)
    wait(14 * 60)
    const fresh = await login(person, codeOf(secret))
    const late: Person = { ...person, session: fresh.body }
    wait(14 * 60 + 59)
    const renew = () => app.call<Problem>('POST', '/identity/factors/recovery', { as: late })
    expect((await renew()).status).toBe(200)
    wait(1)
    // The access token expires after 15 minutes too.
    const cookie = fresh.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const headers = { cookie, origin: app.url }
    const again = await app.call<Session>('POST', '/identity/refresh', { headers })
    late.session = again.body
    expect(refusalOf(await renew())).toBe(CONFIRM_FIRST)
    const ticks = formOf({ hideEmail: 'true' })
    const ticked = await app.call('PATCH', '/identity/update', { as: late, form: ticks })
    expect(ticked.status).toBe(200)
    expect((await confirm(late)).status).toBe(400)
    expect((await confirm(late, wrongFor(secret))).status).toBe(400)
    expect((await confirm(late, codeOf(secret), 'not mine')).status).toBe(400)
    expect(refusalOf(await renew())).toBe(CONFIRM_FIRST)
    expect((await confirm(late, codeOf(secret))).status).toBe(204)
    expect((await confirm(late, codeOf(secret))).status).toBe(400)
    expect((await renew()).status).toBe(200)
    expect((await changePassword(late, 'another secret 2')).status).toBe(204)
  })
})

describe('with ADMIN_SECOND_FACTOR=1 an administrator', () => {
  beforeAll(() => open({ ADMIN_SECOND_FACTOR: '1' }))

  it('has only the rights of a user until they have one', async () => {
    const writer = await app.signUp(`writer${count}`)
    const { id } = await app.publishLesson(writer)
    await setRole(app.app.database.db, person.session.username, 'administrator')
    const read = () => app.call<Problem>('GET', '/admin/log', { as: person })
    expect(refusalOf(await read())).toBe('403 factorDemanded')
    expect((await app.call('DELETE', `/lesson/${id}`, { as: person })).status).toBe(403)
    expect((await factorsOf(person)).demanded).toBe(true)
    expect((await factorsOf(writer)).demanded).toBe(false)
    // The last administrator can't erase the account either.
    const json = { password: person.password }
    expect((await app.call('POST', '/identity/erase', { as: person, json })).status).toBe(409)
    await arm(person)
    expect((await read()).status).toBe(200)
    expect((await app.call('DELETE', `/lesson/${id}`, { as: person })).status).toBe(200)
  })
})

describe('guesses at the code', () => {
  let second: TestApp
  beforeAll(async () => {
    const close = await open({ RATE_LIMITS: 'on' })
    second = await createTestApp({ RATE_LIMITS: 'on' }, null, app)
    second.clock.now = () => app.clock.now()
    return async () => {
      await second.close()
      await close()
    }
  })

  it('are slowed down for the person over all nodes, but not on a known device', async () => {
    const cookies = (await login(person)).headers.getSetCookie()
    const device = cookies.find((cookie) => cookie.startsWith('kb-device'))?.split(';')[0] ?? ''
    const { secret } = await arm(person)
    wait(60)
    const wrong = wrongFor(secret)
    const guess = (at: TestApp, code = wrong) =>
      at.call('POST', '/identity/login', {
        json: { username: person.session.username, password: person.password, code },
      })
    for (let turn = 0; turn < 5; turn += 1)
      expect((await guess(turn % 2 === 0 ? app : second)).status).toBe(401)
    const refused = await guess(second, codeOf(secret))
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await guess(app, codeOf(secret))).status).toBe(429)
    // A known device has its own count.
    expect((await login(person, codeOf(secret), { cookie: device })).status).toBe(200)
    for (let turn = 0; turn < 5; turn += 1)
      expect((await login(person, wrong, { cookie: device })).status).toBe(401)
    expect((await login(person, wrong, { cookie: device })).status).toBe(429)
    wait(61)
    expect((await login(person, codeOf(secret))).status).toBe(200)
  })

  it('by strangers end after twenty in an hour', async () => {
    const { secret } = await arm(person)
    for (let turn = 0; turn < 20; turn += 1) {
      wait(61)
      expect((await login(person, wrongFor(secret))).status).toBe(401)
    }
    wait(61)
    const refused = await login(person, codeOf(secret))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(20 * 60)
  })

  it('are slowed down where a session is confirmed and where an app is set up', async () => {
    const { secret } = (await begin(person)).body
    const wrong = wrongFor(secret) ?? ''
    for (let turn = 0; turn < 5; turn += 1) expect((await finish(person, wrong)).status).toBe(400)
    expect((await finish(person, codeOf(secret))).status).toBe(429)
    wait(61)
    expect((await finish(person, codeOf(secret))).status).toBe(200)
    wait(60)
    for (let turn = 0; turn < 5; turn += 1) expect((await confirm(person, wrong)).status).toBe(400)
    expect((await confirm(person, codeOf(secret))).status).toBe(429)
  })
})
