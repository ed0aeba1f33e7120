/** Every way to sign in ends the session that the browser had before; passkeys.test.ts tests that of passkeys. */
import { expect, test } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import { type Person, testPicture } from '#server/testing/app.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { setUser } from '#server/testing/rows.ts'
import { SignInBrowser } from '#server/testing/sign-in/browser.ts'
import { startProvider } from '#server/testing/sign-in/provider.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'

const provider = closeAtEnd(await startProvider())
const app = await openTestApp(provider.settings, await loadSourceRenderer())
const resident = await app.signUp('resident')
let count = 0

const newName = () => `person${(count += 1)}`
const newcomer = () => {
  const name = newName()
  provider.person = { sub: name, email: `${name}@house.example`, email_verified: true }
  return name
}
const login = (browser: SignInBrowser, { session, password }: Person) =>
  browser.call<Session>('POST', '/identity/login', { username: session.username, password })

async function usedBrowser(): Promise<{ browser: SignInBrowser; before: Session }> {
  const browser = new SignInBrowser(app)
  const { status, body } = await login(browser, resident)
  expect(status).toBe(200)
  return { browser, before: body }
}

const goByProvider = (browser: SignInBrowser) =>
  browser.go(`${app.url}/oidc/begin/1?next=%2Fpoints`)

async function postForm(
  browser: SignInBrowser,
  path: string,
  fields: Record<string, string | File>,
) {
  const form = formOf(fields)
  const answer = await fetch(app.url + path, {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers: { cookie: browser.cookiesOf(app.url), origin: app.url },
  })
  browser.keep(app.url, answer.headers)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}?signed=in`])
}

async function joinByProvider(browser: SignInBrowser): Promise<void> {
  const username = newcomer()
  expect(await goByProvider(browser)).toBe('/sign-in/continue')
  const { status } = await browser.call('POST', '/identity/oidc/register', { username })
  expect(status).toBe(200)
}

const ways: Readonly<Record<string, (browser: SignInBrowser) => Promise<unknown>>> = {
  'the form without script': async (browser) => {
    const { session, password } = await app.signUp(newName())
    await postForm(browser, '/login', { username: session.username, password })
  },
  'registering by the form without script': async (browser) => {
    const username = newName()
    const email = `${username}@people.example`
    const password = 'Lanterns on the lake 7'
    const image = await testPicture()
    await postForm(browser, '/register', { username, email, password, image })
  },
  'registering by a provider': joinByProvider,
  'a provider that knows the person': async (browser) => {
    await joinByProvider(new SignInBrowser(app))
    expect(await goByProvider(browser)).toBe('/points')
  },
  'a provider, with the password asked for once': async (browser) => {
    const person = await app.signUp(newName())
    const { session, password } = person
    await setUser(app, person, { email_confirmed_at: new Date() })
    newcomer()
    provider.person = { ...provider.person, email: session.email }
    expect(await goByProvider(browser)).toBe('/sign-in/continue')
    const { status } = await browser.call('POST', '/identity/oidc/finish', { password })
    expect(status).toBe(200)
  },
}

test.each(Object.keys(ways))(
  'signing in by %s ends the session that the browser had',
  async (name) => {
    const { browser, before } = await usedBrowser()
    const session = { ...resident, session: before }
    expect((await app.call('GET', '/identity/sessions', { as: session })).status).toBe(200)
    await ways[name]?.(browser)
    expect((await app.call('GET', '/identity/sessions', { as: session })).status).toBe(401)
    const { status, body } = await browser.call<Session>('POST', '/identity/refresh')
    expect([status, body.username === 'resident']).toEqual([200, false])
  },
)

test('signing in and then out leaves nobody signed in', async () => {
  const { browser, before } = await usedBrowser()
  await joinByProvider(browser)
  const { body: after } = await browser.call<Session>('POST', '/identity/refresh')
  expect((await browser.call('POST', '/identity/logout')).status).toBe(204)
  for (const session of [before, after])
    expect(
      (await app.call('GET', '/identity/sessions', { as: { ...resident, session } })).status,
    ).toBe(401)
})
