import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import type { Problem } from '#contract/errors.ts'
import type { Identities, Waiting } from '#contract/identities.ts'
import type { WaysIn } from '#contract/ways-in.ts'
import { refusalOf, statusesOf } from '#server/testing/http/answers.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'
import { mailsTo } from '#server/testing/links.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { loggedBy } from '#server/testing/privacy/log-lines.ts'
import { setSessions, setUser } from '#server/testing/rows.ts'
import { SignInBrowser } from '#server/testing/sign-in/browser.ts'
import { startProvider, type Misdeed, type TestProvider } from '#server/testing/sign-in/provider.ts'
import { armTotp, totpOf } from '#server/testing/sign-in/totp.ts'

let app: TestApp
let provider: TestProvider
let count = 0

class Browser extends SignInBrowser {
  constructor() {
    super(app)
  }
}

const begin = (next = '/points') => `${app.url}/oidc/begin/1?next=${encodeURIComponent(next)}`
const register = (browser: Browser, username: string, hideEmail = false) =>
  browser.call<Session & Problem>('POST', '/identity/oidc/register', { username, hideEmail })
const finish = (browser: Browser, json: object) =>
  browser.call<Session & Problem>('POST', '/identity/oidc/finish', json)
const waitingOf = (browser: Browser) =>
  browser.call<Waiting & Problem>('GET', '/identity/oidc/waiting')
const confirmEmail = (person: Person) =>
  setUser(app, person, { email_confirmed_at: app.app.core.clock.now() })
const isConfirmed = async (person: Pick<Session, '_id'>) => {
  const { email_confirmed_at: at } = await app.app.database.db
    .selectFrom('users')
    .select('email_confirmed_at')
    .where('id', '=', person._id)
    .executeTakeFirstOrThrow()
  return at !== null
}
const subjectsTo = async (person: Person) =>
  (await mailsTo(app, person)).map(({ subject }) => subject)
const signedInLongAgo = (person: Person) =>
  setSessions(app, person, { created_at: new Date(Date.now() - 16 * 60_000) })
const me = async (browser: Browser): Promise<Person> => {
  const { body } = await browser.call<Session>('POST', '/identity/refresh')
  return { session: body, cookie: browser.cookiesOf(app.url), password: '' }
}
const listOf = async (as: Person) =>
  (await app.call<Identities>('GET', '/identity/identities', { as })).body.identities
const emailOf = (username: string) => `${Buffer.from(username).toString('hex')}@people.example`

/** Returns what closes both. */
async function open(environment: Record<string, string> = {}) {
  provider = await startProvider()
  app = await createTestApp({ LOG_LEVEL: 'info', ...provider.settings, ...environment })
  return async () => {
    await app.close()
    await provider.close()
  }
}
const renewPerson = () => {
  count += 1
  provider.misdeed = 'none'
  provider.person = {
    sub: `sub${count}`,
    email: `new${count}@people.example`,
    email_verified: true,
    preferred_username: `Newcomer${count}`,
  }
}

async function join(): Promise<{ browser: Browser; person: Person }> {
  const browser = new Browser()
  expect(await browser.go(begin())).toBe('/sign-in/continue')
  expect((await register(browser, `newcomer${count}`)).status).toBe(200)
  return { browser, person: await me(browser) }
}

describe('a sign-in by a provider', () => {
  beforeAll(() => open())
  beforeEach(renewPerson)

  it('is refused without the browser that began it, a second time, and when its time is over', async () => {
    const stranger = new Browser()
    const browser = new Browser()
    // Begins a sign-in without following it.
    const there = await fetch(begin(), { redirect: 'manual' })
    browser.keep(app.url, there.headers)
    const state = new URL(there.headers.get('location') ?? '').searchParams.get('state') ?? ''
    const back = `${app.url}/oidc/callback/1?code=x&state=${state}`
    expect(await stranger.go(back)).toBe('/login?refused=ended')
    stranger.keep(app.url, (await fetch(begin(), { redirect: 'manual' })).headers)
    expect(await stranger.go(back)).toBe('/login?refused=wrong')
    expect(await stranger.go(back)).toBe('/login?refused=ended')
    const forged = await fetch(back, {
      redirect: 'manual',
      headers: { cookie: `kb-oidc=${'x'.repeat(43)}.${'y'.repeat(43)}` },
    })
    expect(forged.headers.get('location')).toBe('/login?refused=ended')
    expect(provider.asked()).toBe(0)
    app.clock.time = new Date(Date.now() + 15 * 60 * 1000)
    expect(await browser.go(back)).toBe('/login?refused=ended')
    app.clock.time = null
    expect((await waitingOf(browser)).status).toBe(404)
    expect((await finish(browser, { password: 'x' })).status).toBe(404)
    expect((await register(browser, 'nobody')).status).toBe(404)
  })

  it('lets newcomers in by the same door as the form, with the invitation of the link', async () => {
    const { settings } = app.app.core
    const { db } = app.app.database
    await db
      .insertInto('site_settings')
      .values({ version: 1, texts: { REGISTRATION: 'invitation' } })
      .execute()
    await settings.reload()
    const hash = createHash('sha256').update('token').digest()
    const [created_at, expires_at] = [new Date(), new Date(Date.now() + 60_000)]
    const { session } = await app.signUp('inviter')
    const invitation = { hash, inviter_id: session._id, uses: 1, created_at, expires_at }
    await db.insertInto('invitations').values(invitation).execute()
    const uninvited = new Browser()
    expect(await uninvited.go(begin())).toBe('/sign-in/continue')
    expect((await register(uninvited, 'uninvited')).status).toBe(403)
    const invited = new Browser()
    expect(await invited.go(`${begin()}&invitation=token`)).toBe('/sign-in/continue')
    expect((await register(invited, 'invited')).status).toBe(200)
    await db.deleteFrom('site_settings').execute()
    await settings.reload()
    expect(settings.current.REGISTRATION).toBe('open')
  })

  it('asks with PKCE, state and nonce, and a cookie of its own', async () => {
    const there = await fetch(begin(), { redirect: 'manual' })
    const asked = new URL(there.headers.get('location') ?? '')
    const names = ['client_id', 'code_challenge_method', 'response_type', 'scope', 'redirect_uri']
    expect(names.map((name) => asked.searchParams.get(name))).toEqual([
      'bazaar',
      'S256',
      'code',
      'openid email profile',
      `${app.url}/oidc/callback/1`,
    ])
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(asked.searchParams.get(name)).toMatch(/^[\w-]{43}$/)
    expect(there.headers.getSetCookie()[0]).toMatch(
      /^kb-oidc=.*Max-Age=900; HttpOnly; SameSite=Lax/,
    )
  })

  it.each<[Misdeed, string]>([
    ['denies', 'denied'],
    ['wrongTokenIssuer', 'wrong'],
    ['wrongNonce', 'wrong'],
    ['wrongAudience', 'wrong'],
    ['wrongKey', 'wrong'],
    ['unsigned', 'wrong'],
    ['endedToken', 'wrong'],
    ['otherSubject', 'wrong'],
  ])('ends in words when the provider %s', async (misdeed, why) => {
    const from = app.logged.length
    const browser = new Browser()
    // The provider misbehaves after its discovery succeeded.
    const there = await fetch(begin(), { redirect: 'manual' })
    browser.keep(app.url, there.headers)
    provider.misdeed = misdeed
    expect(await browser.go(there.headers.get('location') ?? '')).toBe(`/login?refused=${why}`)
    // A person who declines is not logged.
    const told = loggedBy(app, 'a sign-in by OIDC_ISSUER failed', from)
    expect(told).toHaveLength(misdeed === 'denies' ? 0 : 1)
    expect((await waitingOf(browser)).status).toBe(404)
    const { rows } = await app.app.database.pool.query(
      'select 1 from identities where subject = $1',
      [provider.person.sub],
    )
    expect(rows).toEqual([])
  })

  it('of somebody new asks for a name, and confirms the address', async () => {
    const browser = new Browser()
    expect(await browser.go(begin())).toBe('/sign-in/continue')
    const { body } = await waitingOf(browser)
    expect(body).toEqual({
      step: 'register',
      provider: 'Example House',
      username: null,
      label: `new${count}@people.example`,
      suggested: `Newcomer${count}`,
      asksCode: false,
      next: '/points',
    })
    await app.signUp(`taken${count}`)
    for (const [name, status] of [
      ['x', 400],
      [`taken${count}`, 409],
    ] as const)
      expect((await register(browser, name)).status).toBe(status)
    const foreign = await app.call('POST', '/identity/oidc/register', {
      json: { username: `newcomer${count}` },
      headers: { cookie: browser.cookiesOf(app.url), origin: 'https://evil.example' },
    })
    expect(foreign.status).toBe(403)
    const { status, body: session } = await register(browser, `newcomer${count}`)
    expect([status, session.email]).toEqual([200, `new${count}@people.example`])
    expect((await register(browser, `again${count}`)).status).toBe(404)
    expect(await isConfirmed(session)).toBe(true)
    // The account has no password, not even an empty one.
    const byPassword = await app.call('POST', '/identity/login', {
      json: { username: `newcomer${count}`, password: ' ' },
    })
    expect(byPassword.status).toBe(401)
  })

  it('lets its person in from then on, and leads to the page they wanted', async () => {
    await join()
    provider.person = { ...provider.person, email: `moved${count}@people.example` }
    const browser = new Browser()
    expect(await browser.go(begin('/lesson/all?page=2'))).toBe('/lesson/all?page=2')
    const person = await me(browser)
    expect(person.session.username).toBe(`newcomer${count}`)
    expect((await listOf(person)).map(({ label }) => label)).toEqual([
      `moved${count}@people.example`,
    ])
    for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example', '/login'])
      expect(await new Browser().go(begin(next))).toBe('/')
  })

  it('joins an account with the same confirmed address, by its password, once', async () => {
    const ann = await app.signUp(`ann${count}`)
    await confirmEmail(ann)
    provider.person = { ...provider.person, email: emailOf(`ann${count}`).toUpperCase() }
    const browser = new Browser()
    expect(await browser.go(begin())).toBe('/sign-in/continue')
    const { body } = await waitingOf(browser)
    expect([body.step, body.username, body.asksCode]).toEqual(['join', `ann${count}`, false])
    expect((await register(browser, `other${count}`)).status).toBe(409)
    const none = await finish(browser, {})
    expect([none.status, Object.keys(none.body.errors ?? {})]).toEqual([400, ['password']])
    expect((await finish(browser, { password: 'a guess' })).status).toBe(401)
    const both = await Promise.all([1, 2].map(() => finish(browser, { password: ann.password })))
    expect(statusesOf(both)).toEqual([200, 404])
    expect(await new Browser().go(begin())).toBe('/points')
    expect(await subjectsTo(ann)).toContain('mailIdentityAddedSubject')
  })

  it('joins nothing by an address that either side has not confirmed', async () => {
    const ann = await app.signUp(`ann${count}`)
    provider.person = { ...provider.person, email: emailOf(`ann${count}`) }
    // Whoever registered an unconfirmed address first may be a stranger.
    expect(await new Browser().go(begin())).toBe('/login?refused=taken')
    await confirmEmail(ann)
    for (const email_verified of [false, undefined]) {
      provider.person = { ...provider.person, email_verified }
      expect(await new Browser().go(begin())).toBe('/login?refused=taken')
    }
    provider.person = { ...provider.person, email: undefined }
    expect(await new Browser().go(begin())).toBe('/login?refused=noEmail')
  })

  it('of somebody new with an unconfirmed address has it confirmed by mail', async () => {
    provider.person = { ...provider.person, email_verified: false }
    const { person } = await join()
    expect(await isConfirmed(person.session)).toBe(false)
    expect(await subjectsTo(person)).toContain('mailConfirmSubject')
  })

  it('still asks for the second factor of who has one', async () => {
    const { person, browser } = await join()
    const { secret } = await armTotp(app, person, {})
    expect(await browser.go(begin())).toBe('/sign-in/continue')
    expect((await waitingOf(browser)).body).toMatchObject({ step: 'code', asksCode: true })
    expect((await finish(browser, {})).status).toBe(401)
    expect((await finish(browser, { password: 'x', code: '12' })).status).toBe(401)
    // The code of this half minute turned the factor on; the next one is valid too.
    const code = totpOf(secret, Date.now() + 30_000)
    expect((await finish(browser, { code })).status).toBe(200)
  })

  it("can be added and removed by the account's owner, except the last way to sign in", async () => {
    const ann = await app.signUp(`ann${count}`)
    const start = (browser: Browser, json: object, as: Person | undefined = ann) =>
      browser.call<{ address: string } & Problem>('POST', '/identity/identities/begin', json, as)
    const browser = new Browser()
    expect((await start(browser, { provider: 1, password: 'a guess' })).status).toBe(400)
    expect((await start(browser, { provider: 1 })).status).toBe(400)
    expect((await start(browser, { provider: 2, password: ann.password })).status).toBe(404)
    const { body } = await start(browser, { provider: 1, password: ann.password })
    expect(await browser.go(body.address)).toBe('/profile/update?added=identity')
    const [first] = await listOf(ann)
    const id = first?.id ?? 0
    expect(first?.provider).toBe('Example House')
    expect(await new Browser().go(begin())).toBe('/points')

    const bob = await app.signUp(`bob${count}`)
    const other = new Browser()
    const again = await start(other, { provider: 1, password: bob.password }, bob)
    expect(await other.go(again.body.address)).toBe('/profile/update?refused=foreign')
    const drop = (as: Person, which: number) =>
      app.call<Problem>('DELETE', `/identity/identities/${which}`, { as })
    expect((await drop(bob, id)).status).toBe(404)
    expect((await drop(ann, id)).status).toBe(204)
    expect(await listOf(ann)).toEqual([])

    count += 1
    provider.person = { ...provider.person, sub: `sub${count}`, email: `x${count}@people.example` }
    const { person } = await join()
    const only = (await listOf(person))[0]?.id ?? 0
    expect(refusalOf(await drop(person, only))).toBe('409 lastWayIn')
  })

  it.each<[string, string, string, object]>([
    ['makes an access token', 'POST', '/identity/tokens', { name: 'A', scopes: ['read'], days: 9 }],
    ['adds another site', 'POST', '/identity/identities/begin', { provider: 1 }],
    ['sets up a second factor', 'POST', '/identity/factors/totp', {}],
    ['changes the address', 'PATCH', '/identity/update', { email: 'moved@people.example' }],
    ['erases the account', 'POST', '/identity/erase', { password: 'anything' }],
  ])('a person without a password %s after a fresh sign-in', async (_, method, path, given) => {
    const { person } = await join()
    const send = (as: Person, json: object) =>
      app.call<Problem>(method, path, {
        as,
        ...(method === 'PATCH' ? { form: formOf({ ...json }) } : { json }),
      })
    await signedInLongAgo(person)
    const refused = await send(person, given)
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      403,
      expect.stringContaining('confirmFirst'),
    ])
    const browser = new Browser()
    expect(await browser.go(begin())).toBe('/points')
    const { status, body } = await send(await me(browser), given)
    expect([status < 300, body]).toEqual([true, body])
  })

  it('has an address only if it is set', async () => {
    for (const path of ['/oidc/begin/2', '/oidc/callback/2', '/oidc/begin/x'])
      expect((await fetch(`${app.url}${path}`, { redirect: 'manual' })).status).toBe(404)
  })
})

describe('a provider that is away', () => {
  beforeEach(() => open())
  beforeEach(renewPerson)

  it.each<[Misdeed, string]>([
    ['fails', 'away'],
    ['hangs', 'away'],
    ['wrongIssuer', 'wrong'],
    ['isLong', 'wrong'],
  ])(
    'keeps nobody waiting when it %s, and is asked again',
    async (misdeed, why) => {
      provider.misdeed = misdeed
      expect(await new Browser().go(begin())).toBe(`/login?refused=${why}&next=%2Fpoints`)
      const elsewhere = ['//evil.example', '/.//evil.example', '/x/..//evil.example', '/login']
      expect(await Promise.all(elsewhere.map((next) => new Browser().go(begin(next))))).toEqual(
        elsewhere.map(() => `/login?refused=${why}`),
      )
      provider.misdeed = 'none'
      expect(await new Browser().go(begin())).toBe('/sign-in/continue')
    },
    30_000,
  )

  it('delays nobody when it does not answer with a token', async () => {
    provider.misdeed = 'hangsAtToken'
    expect(await new Browser().go(begin())).toBe('/login?refused=away')
  }, 30_000)

  it('is reported by /readyz, which stays ready', async () => {
    const ready = async () => {
      const answer = await fetch(`${app.url}/readyz`)
      return { status: answer.status, text: await answer.text() }
    }
    expect((await ready()).text).not.toContain('oidc')
    await provider.close()
    await expect
      .poll(async () => (await ready()).text, { timeout: 20_000 })
      .toContain('OIDC_ISSUER')
    expect((await ready()).status).toBe(200)
    provider = await startProvider()
  }, 30_000)
})

describe('with PASSWORD_LOGIN=0', () => {
  beforeAll(() => open({ PASSWORD_LOGIN: '0' }))
  beforeEach(renewPerson)

  const OFF = '403 passwordLoginOff'
  it.each([
    ['signs in', '/identity/login', { username: 'ann', password: 'a password of mine' }],
    ['is mailed', '/identity/password/forgot', { email: 'ann@people.example' }],
    ['is reset', '/identity/password/reset', { token: 'x'.repeat(43), password: 'one of mine' }],
  ])('no password %s', async (_, path, json) => {
    expect(refusalOf(await app.call<Problem>('POST', path, { json }))).toBe(OFF)
  })

  it('no password can be changed, and the provider lets people in', async () => {
    const { person } = await join()
    const json = { password: 'x', newPassword: 'a password of mine' }
    const path = '/identity/password/change'
    const changed = await app.call<Problem>('POST', path, { as: person, json })
    expect(refusalOf(changed)).toBe(OFF)
    expect((await app.call<WaysIn>('GET', '/identity/ways-in')).body.password).toBe(false)
  })
})
