/** Tests that two providers of one site aren't mixed up. */
import { beforeEach, expect, test } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import type { Problem } from '#contract/errors.ts'
import type { Identities } from '#contract/identities.ts'
import type { WaysIn } from '#contract/ways-in.ts'
import type { Person } from '#server/testing/app.ts'
import { SignInBrowser } from '#server/testing/sign-in/browser.ts'
import { startProvider } from '#server/testing/sign-in/provider.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'

let count = 0

const first = closeAtEnd(await startProvider())
const second = closeAtEnd(await startProvider('OIDC_2'))
const app = await openTestApp({
  ...first.settings,
  ...second.settings,
  OIDC_NAME: 'First House',
  OIDC_2_NAME: 'Second House',
})
beforeEach(() => {
  count += 1
  // The same subject at two providers is two people.
  for (const [place, provider] of [first, second].entries())
    provider.person = {
      sub: `same${count}`,
      email: `of${place + 1}x${count}@people.example`,
      email_verified: true,
    }
})

const begin = (provider: 1 | 2) => `${app.url}/oidc/begin/${provider}?next=%2Fpoints`

/** Follows a sign-in to the callback address, without opening it. */
async function goAndStop(browser: SignInBrowser, provider: 1 | 2): Promise<URL> {
  let at = begin(provider)
  for (let steps = 0; steps < 15; steps += 1) {
    const answer = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: browser.cookiesOf(at) },
    })
    browser.keep(at, answer.headers)
    const target = new URL(answer.headers.get('location') ?? '', at)
    if (target.origin === app.url && target.pathname.startsWith('/oidc/callback/')) return target
    at = target.href
  }
  throw new Error('too many redirects')
}

async function join(provider: 1 | 2): Promise<{ browser: SignInBrowser; person: Person }> {
  const browser = new SignInBrowser(app)
  expect(await browser.go(begin(provider))).toBe('/sign-in/continue')
  const { status, body } = await browser.call<Session & Problem>(
    'POST',
    '/identity/oidc/register',
    { username: `joined${provider}x${count}`, hideEmail: false },
  )
  expect(status).toBe(200)
  return { browser, person: { session: body, cookie: browser.cookiesOf(app.url), password: '' } }
}

test.each<[1 | 2, 1 | 2]>([
  [1, 2],
  [2, 1],
])(
  'what provider %d sent back is refused at the callback of %d, and tried at neither',
  async (from, to) => {
    const browser = new SignInBrowser(app)
    const asked = [first.asked(), second.asked()]
    const back = await goAndStop(browser, from)
    expect(back.pathname).toBe(`/oidc/callback/${from}`)
    expect(back.searchParams.get('code')).toMatch(/.{20}/)
    const there = new URL(back)
    there.pathname = `/oidc/callback/${to}`
    expect(await browser.go(there.href)).toBe('/login?refused=ended')
    // The sign-in has ended, and neither provider has seen the code.
    expect(await browser.go(back.href)).toBe('/login?refused=ended')
    expect([first.asked(), second.asked()]).toEqual(asked)
    expect((await browser.call('GET', '/identity/oidc/waiting')).status).toBe(404)
    // A new sign-in by the same provider works.
    expect(await browser.go(begin(from))).toBe('/sign-in/continue')
  },
)

test('the same subject at both is two people, and each comes back as oneself', async () => {
  const [one, other] = [await join(1), await join(2)]
  expect(one.person.session._id).not.toBe(other.person.session._id)
  for (const [provider, { person }] of [
    [1, one],
    [2, other],
  ] as const) {
    const again = new SignInBrowser(app)
    expect(await again.go(begin(provider))).toBe('/points')
    const { body } = await again.call<Session>('POST', '/identity/refresh')
    expect([body._id, body.username]).toEqual([person.session._id, person.session.username])
    const listed = await app.call<Identities>('GET', '/identity/identities', { as: person })
    expect(listed.body.identities.map((each) => each.provider)).toEqual([
      provider === 1 ? 'First House' : 'Second House',
    ])
  }
})

test('the login names both, and an unavailable one does not affect the other', async () => {
  const { body } = await app.call<WaysIn>('GET', '/identity/ways-in')
  expect(body.providers).toEqual([
    { id: 1, name: 'First House' },
    { id: 2, name: 'Second House' },
  ])
  first.misdeed = 'fails'
  try {
    expect(await new SignInBrowser(app).go(begin(2))).toBe('/sign-in/continue')
  } finally {
    first.misdeed = 'none'
  }
})
