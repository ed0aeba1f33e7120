import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import type { Problem } from '#contract/errors.ts'
import type { Factors } from '#contract/factors.ts'
import type { CreationOptions, Passkeys, RequestOptions } from '#contract/passkeys.ts'
import { refusalOf, statusesOf } from '#server/testing/http/answers.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'
import { mailsTo } from '#server/testing/links.ts'
import { loggedBy } from '#server/testing/privacy/log-lines.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import {
  makePasskey,
  provePasskey,
  type Change,
  type SoftPasskey,
} from '#server/testing/sign-in/authenticator.ts'
import { armTotp } from '#server/testing/sign-in/totp.ts'

const ORIGIN = 'https://bazaar.example'
const at = { url: ORIGIN }

let app: TestApp
let person: Person
let count = 0
let time = new Date('2026-11-21T12:00:00Z').getTime()
const wait = (seconds: number) => {
  time += seconds * 1000
  app.clock.time = new Date(time)
}

const begin = (as: Person, password: string | undefined = as.password) =>
  app.call<CreationOptions & Problem>('POST', '/identity/passkeys/begin', {
    as,
    json: password === undefined ? {} : { password },
  })
const finish = (as: Person, credential: unknown, name = 'My phone') =>
  app.call<{ recoveryCodes: string[] } & Problem>('POST', '/identity/passkeys', {
    as,
    json: { name, credential },
  })
const list = async (as: Person) =>
  (await app.call<Passkeys>('GET', '/identity/passkeys', { as })).body
const firstOf = async (as: Person) => (await list(as)).passkeys[0]?.id ?? 0
const factorsOf = async (as: Person) =>
  (await app.call<Factors>('GET', '/identity/factors', { as })).body
const remove = (as: Person, id: number) =>
  app.call<Problem>('DELETE', `/identity/passkeys/${id}`, { as })
const rename = (as: Person, id: number, name: string) =>
  app.call<Problem>('PATCH', `/identity/passkeys/${id}`, { as, json: { name } })
const beginSignIn = async (node = app) =>
  (await node.call<RequestOptions>('POST', '/identity/passkeys/sign-in/begin')).body
const send = (credential: unknown, node = app) =>
  node.call<Session & Problem>('POST', '/identity/passkeys/sign-in', { json: { credential } })
const signIn = async (passkey: SoftPasskey, change: Change = {}) =>
  send(provePasskey(passkey, await beginSignIn(), ORIGIN, change))
const login = (as: Person, code?: string) =>
  app.call<Session & Problem>('POST', '/identity/login', {
    json: { username: as.session.username, password: as.password, ...(code && { code }) },
  })
const confirm = async (as: Person, passkey: SoftPasskey, change: Change = {}) => {
  const path = '/identity/passkeys/confirm'
  const { body } = await app.call<RequestOptions>('POST', `${path}/begin`, { as })
  const credential = provePasskey(passkey, body, ORIGIN, change)
  return app.call<Problem>('POST', path, { as, json: { credential } })
}
const mailsOf = async (as: Person) => (await mailsTo(app, as)).map(({ subject }) => subject)

async function arm(as: Person, name?: string) {
  const { body } = await begin(as)
  const { passkey, credential } = makePasskey(body, ORIGIN)
  const { status, body: done } = await finish(as, credential, name)
  expect(status).toBe(200)
  return { passkey, codes: done.recoveryCodes }
}

/** Returns what closes it. */
const open = async (environment: Record<string, string> = {}, url = ORIGIN) => {
  const at = { connection: await createTestDatabase(), url }
  app = await createTestApp({ LOG_LEVEL: 'info', ...environment }, null, at)
  return () => app.close()
}
beforeEach(async () => {
  wait(3600)
  count += 1
  person = await app.signUp(`person${count}`)
})

describe('a passkey', () => {
  beforeAll(() => open({ ACCESS_TOKEN_MINUTES: '60' }))

  it.each([{ password: '' }, { password: 'not mine' }, {}])('is not begun by %j', async (json) => {
    const path = '/identity/passkeys/begin'
    const { status, body } = await app.call<Problem>('POST', path, { as: person, json })
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['password']])
  })

  it('is not added from another page, for another site, without PIN or finger, or with a wrong type', async () => {
    const attempts: readonly (readonly [Change, string])[] = [
      [{ origin: 'https://bazaar.example.evil.example' }, 'passkeyForeign'],
      [{ origin: 'http://bazaar.example' }, 'passkeyForeign'],
      [{ rpId: 'evil.example' }, 'passkeyWrong'],
      [{ verified: false }, 'passkeyWrong'],
      [{ type: 'webauthn.get' }, 'passkeyWrong'],
      [{ challenge: Buffer.alloc(32).toString('base64url') }, 'passkeyEnded'],
    ]
    for (const [change, reason] of attempts) {
      const { body } = await begin(person)
      const { credential } = makePasskey(body, ORIGIN, change)
      expect(refusalOf(await finish(person, credential))).toBe(`400 ${reason}`)
    }
    expect(loggedBy(app, 'a new passkey was refused').length).toBeGreaterThan(0)
    const broken = { id: 'a', rawId: 'a', type: 'public-key', response: {} }
    expect((await finish(person, broken)).status).toBe(400)
    const options = (await begin(person)).body
    const { credential } = makePasskey(options, ORIGIN)
    const garbled = { ...credential.response, attestationObject: 'o2NmbXRkbm9uZQ' }
    expect(refusalOf(await finish(person, { ...credential, response: garbled }))).toBe(
      '400 passkeyWrong',
    )
    expect((await list(person)).passkeys).toEqual([])
  })

  it('is refused at once when its CBOR claims more than it contains, or nests endlessly', async () => {
    const times = (count: number, ...bytes: number[]) =>
      Buffer.concat(Array.from({ length: count }, () => Buffer.from(bytes)))
    const forged = [
      times(20, 0x9a, 1, 255, 255, 255),
      times(20, 0xba, 1, 255, 255, 255, 1),
      times(1, 0x5a, 255, 255, 255, 255),
      times(1, 0x7b, 0, 15, 255, 255, 255, 255, 255, 255),
      times(14_000, 0x81),
      times(14_000, 0xc1),
      times(7000, 0xa1, 1),
    ]
    const COSE_BYTES = 77
    for (const bytes of forged)
      for (const asKey of [false, true]) {
        const { credential } = makePasskey((await begin(person)).body, ORIGIN)
        const whole = Buffer.from(credential.response.attestationObject, 'base64url')
        // The key comes last, so replacing it leaves the rest valid.
        if (asKey) whole.fill(bytes.subarray(0, COSE_BYTES), whole.length - COSE_BYTES)
        const attestationObject = (asKey ? whole : bytes).toString('base64url')
        const response = { ...credential.response, attestationObject }
        const began = process.cpuUsage()
        const refusal = refusalOf(await finish(person, { ...credential, response }))
        const { user, system } = process.cpuUsage(began)
        expect([refusal, user + system < 2_000_000]).toEqual(['400 passkeyWrong', true])
      }
  })

  it('is not added with a challenge that is expired, used, or of another person or session', async () => {
    const options = (await begin(person)).body
    const { credential } = makePasskey(options, ORIGIN)
    const other = await app.signUp(`other${count}`)
    const elsewhere = { ...person, session: (await login(person)).body }
    for (const as of [other, elsewhere])
      expect(refusalOf(await finish(as, credential))).toBe('400 passkeyEnded')
    wait(5 * 60)
    expect(refusalOf(await finish(person, credential))).toBe('400 passkeyEnded')
    const again = makePasskey((await begin(person)).body, ORIGIN)
    const both = await Promise.all([1, 2].map(() => finish(person, again.credential)))
    expect(statusesOf(both)).toEqual([200, 400])
  })

  it('has a name, and a person has at most twenty', async () => {
    const { passkey } = await arm(person, 'a')
    expect((await rename(person, 0, 'x')).status).toBe(400)
    expect((await rename(person, 999_999, 'x')).status).toBe(404)
    const id = await firstOf(person)
    expect((await rename(person, id, ' ')).status).toBe(400)
    const other = await app.signUp(`other${count}`)
    expect((await rename(other, id, 'taken over')).status).toBe(404)
    expect((await rename(person, id, ' Работен лаптоп ')).status).toBe(204)
    const shown = await list(person)
    expect(shown).toEqual({
      offered: true,
      passkeys: [
        {
          id,
          name: 'Работен лаптоп',
          synced: false,
          createdAt: app.clock.now().toISOString(),
          usedAt: null,
        },
      ],
      signal: {
        rpId: 'bazaar.example',
        userId: Buffer.from(person.session._id.replaceAll('-', ''), 'hex').toString('base64url'),
        credentials: [passkey.id],
      },
    })
    wait(60)
    expect((await signIn(passkey)).status).toBe(200)
    expect((await list(person)).passkeys[0]?.usedAt).toBe(app.clock.now().toISOString())
    for (let more = 2; more <= 20; more += 1) await arm(person)
    expect(refusalOf(await begin(person))).toBe('409 passkeysMany')
  })

  it('is found by the browser, and needs neither name, password nor code', async () => {
    const { passkey, codes } = await arm(person)
    expect(new Set(codes).size).toBe(10)
    const before = await app.signUp(`before${count}`)
    const { status, body, headers } = await app.call<Session>(
      'POST',
      '/identity/passkeys/sign-in',
      {
        json: { credential: provePasskey(passkey, await beginSignIn(), ORIGIN) },
        headers: { cookie: before.cookie, origin: ORIGIN },
      },
    )
    expect([status, body._id]).toEqual([200, person.session._id])
    // The session that the browser had before ends.
    expect((await app.call('GET', '/identity/sessions', { as: before })).status).toBe(401)
    expect(headers.getSetCookie()[0]).toMatch(/^__Host-kb=.*HttpOnly/)
    expect((await arm(person)).codes).toEqual([])
    expect(await factorsOf(person)).toMatchObject({ app: false, passkeys: 2, recoveryCodes: 10 })
    expect((await mailsOf(person)).filter((subject) => subject?.includes('Passkey'))).toEqual([
      'mailPasskeyAddedSubject',
      'mailPasskeyAddedSubject',
    ])
  })

  it('does not sign in from another page, for another site, without PIN or finger, or as another', async () => {
    const { passkey } = await arm(person)
    const attempts: readonly (readonly [Change, string])[] = [
      [{ origin: 'https://evil.example' }, 'passkeyForeign'],
      [{ rpId: 'evil.example' }, 'passkeyWrong'],
      [{ verified: false }, 'passkeyUnverified'],
      [{ type: 'webauthn.create' }, 'passkeyWrong'],
      [{ userHandle: Buffer.alloc(16).toString('base64url') }, 'passkeyUnknown'],
    ]
    for (const [change, reason] of attempts)
      expect(refusalOf(await signIn(passkey, change))).toBe(`401 ${reason}`)
    const judged = loggedBy(app, 'a passkey was refused')
    expect(judged.at(-1)).toMatchObject({ person: person.session._id })
    const { key } = makePasskey((await begin(person)).body, ORIGIN).passkey
    expect(refusalOf(await signIn({ ...passkey, key }))).toBe('401 passkeyWrong')
    const never = { ...passkey, id: Buffer.alloc(32).toString('base64url') }
    expect(refusalOf(await signIn(never))).toBe('401 passkeyUnknown')
    expect((await signIn(passkey)).status).toBe(200)
  })

  it('signs each challenge once, in time, on any node', async () => {
    const { passkey } = await arm(person)
    const second = await createTestApp({}, null, { ...app, ...at })
    second.clock.now = () => app.clock.now()
    onTestFinished(() => second.close())
    const elsewhere = provePasskey(passkey, await beginSignIn(second), ORIGIN)
    expect((await send(elsewhere)).status).toBe(200)
    expect(refusalOf(await send(elsewhere, second))).toBe('401 passkeyEnded')
    const late = provePasskey(passkey, await beginSignIn(), ORIGIN)
    wait(5 * 60)
    expect(refusalOf(await send(late))).toBe('401 passkeyEnded')
    const once = provePasskey(passkey, await beginSignIn(), ORIGIN)
    const answers = await Promise.all([app, second, app, second].map((node) => send(once, node)))
    expect(statusesOf(answers)).toEqual([200, 401, 401, 401])
  })

  it('uses up a challenge even when it is refused', async () => {
    const { passkey } = await arm(person)
    const options = await beginSignIn()
    const foreign = provePasskey(passkey, options, ORIGIN, { verified: false })
    expect((await send(foreign)).status).toBe(401)
    expect(refusalOf(await send(provePasskey(passkey, options, ORIGIN)))).toBe('401 passkeyEnded')
  })

  it('is refused when its counter does not increase, and works where it stays zero', async () => {
    const { passkey } = await arm(person)
    expect((await signIn(passkey, { counter: 0 })).status).toBe(200)
    expect((await signIn(passkey, { counter: 0 })).status).toBe(200)
    expect((await signIn(passkey, { counter: 7 })).status).toBe(200)
    for (const counter of [7, 6, 0])
      expect(refusalOf(await signIn(passkey, { counter }))).toBe('401 passkeyCopied')
    expect((await signIn(passkey, { counter: 8 })).status).toBe(200)
  })

  it('makes the password alone insufficient, and a recovery code replaces it', async () => {
    const { codes } = await arm(person)
    const { status, body } = await login(person)
    expect([status, body.errors?.['code']?.[0]]).toEqual([
      401,
      'Please sign in with your passkey, or enter one of your recovery codes.',
    ])
    expect((await login(person, '123456')).status).toBe(401)
    expect((await login(person, codes[0])).status).toBe(200)
  })

  it('stays next to an app, with its codes, when either is removed', async () => {
    await arm(person)
    await armTotp(app, person)
    expect(await factorsOf(person)).toMatchObject({ app: true, passkeys: 1, recoveryCodes: 10 })
    expect((await app.call('DELETE', '/identity/factors/totp', { as: person })).status).toBe(204)
    const left = await factorsOf(person)
    expect(left).toMatchObject({ app: false, passkeys: 1, recoveryCodes: 10 })
    expect(left.since).not.toBeNull()
    const id = await firstOf(person)
    expect((await remove(person, id)).status).toBe(204)
    expect(await factorsOf(person)).toMatchObject({ since: null, passkeys: 0, recoveryCodes: 0 })
    expect((await login(person)).status).toBe(200)
    expect((await mailsOf(person)).slice(-2)).toEqual([
      'mailAppOffSubject',
      'mailPasskeyRemovedSubject',
    ])
  })

  it('no longer signs in once it is removed, and only its owner can remove it', async () => {
    const { passkey } = await arm(person)
    await arm(person)
    const id = await firstOf(person)
    const other = await app.signUp(`other${count}`)
    expect((await remove(other, id)).status).toBe(404)
    expect((await remove(person, id)).status).toBe(204)
    expect((await remove(person, id)).status).toBe(404)
    expect(refusalOf(await signIn(passkey))).toBe('401 passkeyUnknown')
    expect((await factorsOf(person)).since).not.toBeNull()
  })

  it('confirms an identity after 15 minutes, and only for its session', async () => {
    const { passkey } = await arm(person)
    const other = await app.signUp(`other${count}`)
    const { passkey: foreign } = await arm(other)
    wait(14 * 60)
    const fresh = { ...person, session: (await signIn(passkey)).body }
    wait(14 * 60)
    const elsewhere = { ...person, session: (await signIn(passkey)).body }
    wait(60)
    expect(refusalOf(await begin(fresh))).toBe('403 confirmFirst')
    const id = await firstOf(fresh)
    expect(refusalOf(await remove(fresh, id))).toBe('403 confirmFirst')
    expect(refusalOf(await confirm(fresh, foreign))).toBe('400 passkeyUnknown')
    expect(refusalOf(await confirm(fresh, passkey, { verified: false }))).toBe(
      '400 passkeyUnverified',
    )
    // A challenge for signing in doesn't confirm an identity.
    const forLogin = provePasskey(passkey, await beginSignIn(), ORIGIN)
    const json = { credential: forLogin }
    const swapped = await app.call<Problem>('POST', '/identity/passkeys/confirm', {
      as: fresh,
      json,
    })
    expect(refusalOf(swapped)).toBe('400 passkeyEnded')
    expect((await confirm(elsewhere, passkey)).status).toBe(204)
    expect(refusalOf(await begin(fresh))).toBe('403 confirmFirst')
    expect((await confirm(fresh, passkey)).status).toBe(204)
    expect((await begin(fresh, undefined)).status).toBe(200)
    const none = await app.signUp(`none${count}`)
    const asked = await app.call<Problem>('POST', '/identity/passkeys/confirm/begin', { as: none })
    expect(refusalOf(asked)).toBe('409 passkeyNone')
  })
})

describe('guesses by passkey', () => {
  beforeAll(() => open({ RATE_LIMITS: 'on' }))

  it('wait after thirty from one network, and do not delay people with a password', async () => {
    const { passkey } = await arm(person)
    const { key } = makePasskey((await begin(person)).body, ORIGIN).passkey
    for (let turn = 0; turn < 30; turn += 1)
      expect((await signIn({ ...passkey, key })).status).toBe(401)
    expect((await signIn(passkey)).status).toBe(429)
    const other = await app.signUp(`other${count}`)
    expect((await login(other)).status).toBe(200)
    wait(61)
    expect((await signIn(passkey)).status).toBe(200)
  })
})

describe.each(['http://bazaar.example', 'https://192.0.2.7', 'https://[2001:db8::7]'])(
  'a site at %s, for which browsers make no passkeys',
  (url) => {
    beforeAll(() => open({}, url))

    it('says so', async () => {
      expect(await list(person)).toEqual({ passkeys: [], offered: false, signal: null })
      const refused = await app.call<Problem>('POST', '/identity/passkeys/sign-in/begin')
      expect(refusalOf(refused)).toBe('409 passkeysOff')
      expect(refused.body.title).toContain(url)
      expect(refusalOf(await begin(person))).toBe('409 passkeysOff')
    })
  },
)
