/** Tests back-channel logout with real and forged tokens. */
import { beforeEach, expect, test } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import type { Person } from '#server/testing/app.ts'
import { SignInBrowser } from '#server/testing/sign-in/browser.ts'
import { startProvider, type TestProvider } from '#server/testing/sign-in/provider.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'

let count = 0
const provider = closeAtEnd(await startProvider())
const app = await openTestApp({ LOG_LEVEL: 'info', ...provider.settings })
const far = await openTestApp(provider.settings, null, app)
provider.logoutAddress = `${app.url}/oidc/logout/1`
beforeEach(() => {
  count += 1
  provider.misdeed = 'none'
  provider.person = {
    sub: `sub${count}`,
    email: `new${count}@people.example`,
    email_verified: true,
    preferred_username: `Newcomer${count}`,
  }
})

const begin = () => `${app.url}/oidc/begin/1?next=%2Fpoints`

interface SignedIn {
  readonly browser: SignInBrowser
  readonly person: Person
}

/** Signs in by the provider, and registers the first time. */
async function signIn(): Promise<SignedIn> {
  const browser = new SignInBrowser(app)
  if ((await browser.go(begin())) === '/sign-in/continue') {
    const json = { username: `newcomer${count}`, hideEmail: false }
    expect((await browser.call('POST', '/identity/oidc/register', json)).status).toBe(200)
  }
  const { body } = await browser.call<Session>('POST', '/identity/refresh')
  return { browser, person: { session: body, cookie: browser.cookiesOf(app.url), password: '' } }
}

const statusOf = async ({ person }: SignedIn, node = app) =>
  (await node.call('GET', '/identity/points', { as: person })).status
const tell = async (token: string, at = app.url) => {
  const body = new URLSearchParams({ logout_token: token })
  const answer = await fetch(`${at}/oidc/logout/1`, { method: 'POST', body })
  return {
    status: answer.status,
    text: await answer.text(),
    cache: answer.headers.get('cache-control'),
  }
}
const sidOf = async ({ person }: SignedIn) => {
  const { provider_sid: sid } = await app.app.database.db
    .selectFrom('sessions')
    .select('provider_sid')
    .where('user_id', '=', person.session._id)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return sid ?? ''
}

/** Signs out at the provider, as its own page does. */
async function leaveProvider({ browser }: SignedIn): Promise<void> {
  const cookie = browser.cookiesOf(provider.issuer)
  const asked = await fetch(`${provider.issuer}/session/end`, { headers: { cookie } })
  browser.keep(provider.issuer, asked.headers)
  const xsrf = /name="xsrf" value="(\w+)"/.exec(await asked.text())?.[1] ?? ''
  await fetch(`${provider.issuer}/session/end/confirm`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: browser.cookiesOf(provider.issuer) },
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  })
}

test('a logout at the provider ends the session that it began, on every node, and no other', async () => {
  const laptop = await signIn()
  const phone = await signIn()
  const stranger = await app.signUp(`stranger${count}`)
  expect([await statusOf(laptop), await statusOf(phone)]).toEqual([200, 200])
  await leaveProvider(laptop)
  await expect.poll(() => statusOf(laptop), { timeout: 9000 }).toBe(401)
  expect(await statusOf(laptop, far)).toBe(401)
  expect((await laptop.browser.call('POST', '/identity/refresh')).status).toBe(401)
  expect(await statusOf(phone)).toBe(200)
  expect((await app.call('GET', '/identity/points', { as: stranger })).status).toBe(200)
  expect(app.logged.join('')).toContain('a provider ended sessions')
})

test('a logout that names the person ends all sessions of the provider, and none by password', async () => {
  const first = await signIn()
  const second = await signIn()
  const byPassword = await app.signUp(`other${count}`)
  await app.app.database.db
    .updateTable('sessions')
    .set({ user_id: first.person.session._id })
    .where('user_id', '=', byPassword.session._id)
    .execute()
  const { status, cache } = await tell(await provider.logoutToken({ sub: provider.person.sub }))
  expect([status, cache]).toEqual([200, 'no-store'])
  expect([await statusOf(first), await statusOf(second)]).toEqual([401, 401])
  const left = await app.app.database.db
    .selectFrom('sessions')
    .select('provider_issuer')
    .where('user_id', '=', first.person.session._id)
    .where('revoked_at', 'is', null)
    .execute()
  expect(left).toEqual([{ provider_issuer: null }])
})

test('a repeated logout ends nothing that began since', async () => {
  await signIn()
  const iat = Math.floor(Date.now() / 1000) - 90
  const token = await provider.logoutToken({ sub: provider.person.sub, iat })
  const later = await signIn()
  expect((await tell(token)).status).toBe(200)
  expect(await statusOf(later)).toBe(200)
})

test("a sign-in in progress ends with the provider's session", async () => {
  const browser = new SignInBrowser(app)
  expect(await browser.go(begin())).toBe('/sign-in/continue')
  expect((await tell(await provider.logoutToken({ sub: provider.person.sub }))).status).toBe(200)
  expect((await browser.call('GET', '/identity/oidc/waiting')).status).toBe(404)
  const json = { username: `newcomer${count}`, hideEmail: false }
  expect((await browser.call('POST', '/identity/oidc/register', json)).status).toBe(404)
})

const now = () => Math.floor(Date.now() / 1000)
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
type Made = (known: { sub: string; sid: string }) => string | Promise<string>
const make: TestProvider['logoutToken'] = (...of) => provider.logoutToken(...of)

const WRONG: Readonly<Record<string, Made>> = {
  'is none': () => 'no token',
  'is missing': () => '',
  'is signed by another key': (known) => make(known, {}, 'foreign'),
  'is signed by the secret that both know': (known) => make(known, {}, 'secret'),
  'is signed by nobody': (known) => make(known, {}, 'none'),
  'names a key that the provider lacks': (known) => make(known, { kid: 'x' }),
  'is of another kind': (known) => make(known, { typ: 'at+jwt' }),
  'is of another issuer': (known) => make({ ...known, iss: 'https://x.example' }),
  'is for another site': (known) => make({ ...known, aud: 'another site' }),
  'has ended': (known) => make({ ...known, exp: now() - 61 }),
  'has no end': (known) => make({ ...known, exp: undefined }),
  'is old': (known) => make({ ...known, iat: now() - 400 }),
  'is of the future': (known) => make({ ...known, iat: now() + 400 }),
  'has no date': (known) => make({ ...known, iat: undefined }),
  'has no id': (known) => make({ ...known, jti: undefined }),
  'names nobody': () => make({}),
  'names a person that is no text': () => make({ sub: { $ne: '' } }),
  'has a nonce, as ID tokens have': (known) => make({ ...known, nonce: 'n' }),
  'has no event': (known) => make({ ...known, events: undefined }),
  'has another event': (known) => make({ ...known, events: { 'urn:x': {} } }),
  'has an event that is none': (known) => make({ ...known, events: { [EVENT]: true } }),
}

test('a wrong logout ends nothing, and is refused without a word of it', async () => {
  const signedIn = await signIn()
  const known = { sub: provider.person.sub, sid: await sidOf(signedIn) }
  expect(known.sid).not.toBe('')
  const refused = { status: 400, text: '{"error":"invalid_request"}', cache: 'no-store' }
  for (const [what, makeToken] of Object.entries(WRONG)) {
    const token = await makeToken(known)
    expect([what, await tell(token), await statusOf(signedIn)]).toEqual([what, refused, 200])
    if (token.length > 20) expect(app.logged.join('')).not.toContain(token.split('.')[1])
  }
})

test('a person and a session that do not belong together end nothing', async () => {
  const signedIn = await signIn()
  const sid = await sidOf(signedIn)
  expect((await tell(await provider.logoutToken({ sub: 'somebody else', sid }))).status).toBe(200)
  expect(await statusOf(signedIn)).toBe(200)
  expect((await tell(await provider.logoutToken({ sid }))).status).toBe(200)
  expect(await statusOf(signedIn)).toBe(401)
})

test('a long body is refused before it is read, and each provider has its own address', async () => {
  expect((await tell('x'.repeat(20_000))).status).toBe(413)
  const answer = await fetch(`${app.url}/oidc/logout/2`, {
    method: 'POST',
    body: new URLSearchParams(),
  })
  expect(answer.status).toBe(404)
})
