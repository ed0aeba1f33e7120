/** With SECOND_FACTOR=all, people without a second factor may only set one up. */
import { describe, expect, it } from 'vitest'
import type { AccessToken } from '#contract/access-tokens.ts'
import type { Session } from '#contract/accounts.ts'
import type { Problem } from '#contract/errors.ts'
import { exportUrl } from '#contract/exports.ts'
import type { Factors } from '#contract/factors.ts'
import { policyOf } from '#server/people/accounts/factors/demand.ts'
import { rows } from '#server/testing/access/rows.ts'
import type { Person } from '#server/testing/app.ts'
import { refusalOf } from '#server/testing/http/answers.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { setUser } from '#server/testing/rows.ts'
import { armTotp } from '#server/testing/sign-in/totp.ts'
import { openTestApp } from '#server/testing/setup.ts'
import { buildConnection } from '#server/testing/http/hub.ts'

/** Addresses that stay open: setup, sign-in, sign-out and mailed links. */
const OPEN = [
  'POST /api/email/unsubscribe',
  'POST /api/identity/confirm',
  'POST /api/identity/email/confirm',
  'POST /api/identity/email/undo',
  'GET /api/identity/factors',
  'POST /api/identity/factors/totp',
  'POST /api/identity/factors/totp/confirm',
  'POST /api/identity/login',
  'POST /api/identity/logout',
  'POST /api/identity/oidc/finish',
  'POST /api/identity/oidc/register',
  'GET /api/identity/oidc/waiting',
  'GET /api/identity/passkeys',
  'POST /api/identity/passkeys',
  'POST /api/identity/passkeys/begin',
  'POST /api/identity/passkeys/sign-in',
  'POST /api/identity/passkeys/sign-in/begin',
  'POST /api/identity/password/forgot',
  'POST /api/identity/password/reset',
  'POST /api/identity/refresh',
  'POST /api/identity/register',
]
const SENTENCE = 'Everybody here signs in with a second step.'
const REFUSED = '403 factorDemandedOfAll'

let people = 0
const signUp = () => app.signUp(`somebody${(people += 1)}`)

const arm = (as: Person) => armTotp(app, as)
/** An operator does this for somebody who lost their phone. */
const disarm = (person: Person) => setUser(app, person, { second_factor_at: null })

/** `ended` resolves when the server has closed the connection. */
function connect(bearer: string) {
  const connection = buildConnection(app, bearer)
  const ended = new Promise<void>((resolve) => connection.onclose(() => resolve()))
  return { connection, ended }
}

const app = await openTestApp({ SECOND_FACTOR: 'all' }, await loadSourceRenderer())

it.each([
  [{ SECOND_FACTOR: undefined, ADMIN_SECOND_FACTOR: '0' }, 'own'],
  [{ SECOND_FACTOR: undefined, ADMIN_SECOND_FACTOR: '1' }, 'administrators'],
  [{ SECOND_FACTOR: 'own', ADMIN_SECOND_FACTOR: '1' }, 'own'],
  [{ SECOND_FACTOR: 'all', ADMIN_SECOND_FACTOR: '0' }, 'all'],
] as const)('the newer setting wins: %j means %s', (config, demand) => {
  expect(policyOf(config)).toBe(demand)
})

describe('a person without a second factor', () => {
  it('is refused by every address but those that set one up', async () => {
    const person = await signUp()
    const addresses = Object.keys(rows).filter((address) => /^[A-Z]+ \/api\//.test(address))
    const reached: string[] = []
    for (const address of addresses) {
      const [method = '', path = ''] = address.split(' ')
      const { status, body } = await app.call(method, path.slice(4).replaceAll(/\{\w+\}/g, '1'), {
        as: person,
        ...(method !== 'GET' && method !== 'HEAD' && { json: {} }),
      })
      // Form errors are arrays.
      const isTold = method === 'HEAD' || JSON.stringify(body).includes(SENTENCE)
      if (status !== 403 || !isTold) reached.push(address)
    }
    expect(addresses.length).toBeGreaterThan(100)
    expect(reached.toSorted()).toEqual(OPEN.toSorted())
  })

  it('sees that in the session and in their factors', async () => {
    const person = await signUp()
    expect(person.session.factorless).toBe(true)
    const factors = await app.call<Factors>('GET', '/identity/factors', { as: person })
    expect(factors.body).toMatchObject({ demanded: true, demandedOf: 'all', since: null })
  })

  it('continues in the same session after setting one up, and is restricted again when it is removed', async () => {
    const person = await signUp()
    const read = () => app.call<Problem>('GET', '/home/stall', { as: person })
    expect(refusalOf(await read())).toBe(REFUSED)
    await arm(person)
    expect((await read()).status).toBe(200)
    const renewed = await app.call<Session>('POST', '/identity/refresh', {
      headers: { cookie: person.cookie, origin: app.url },
    })
    expect([renewed.status, renewed.body.factorless]).toEqual([200, undefined])
    await disarm(person)
    expect(refusalOf(await read())).toBe(REFUSED)
  })

  it('cannot download the export, by token or cookie', async () => {
    const person = await signUp()
    await arm(person)
    await disarm(person)
    for (const headers of [
      { authorization: `Bearer ${person.session.accessToken}` },
      { cookie: person.cookie },
    ]) {
      const copy = await fetch(app.url + exportUrl('now'), { headers })
      expect(copy.status).toBe(403)
    }
  })

  it('cannot use access tokens, for calls or the hub', async () => {
    const person = await signUp()
    await arm(person)
    const json = { name: 'a bot', scopes: ['read', 'chat'], days: 1, password: person.password }
    const made = await app.call<AccessToken & { token: string }>('POST', '/identity/tokens', {
      as: person,
      json,
    })
    expect(made.status).toBe(200)
    const bearer = { authorization: `Bearer ${made.body.token}` }
    const read = () => app.call<Problem>('GET', '/lesson/bought?page=1', { headers: bearer })
    expect((await read()).status).toBe(200)
    const { connection, ended } = connect(made.body.token)
    await connection.start()
    await disarm(person)
    expect(refusalOf(await read())).toBe(REFUSED)
    await ended
    await expect(connect(made.body.token).connection.start()).rejects.toThrow()
  })

  it('is not connected to the hub, and is disconnected when the factor is removed', async () => {
    const person = await signUp()
    await expect(connect(person.session.accessToken).connection.start()).rejects.toThrow()
    await arm(person)
    const { connection, ended } = connect(person.session.accessToken)
    await connection.start()
    await disarm(person)
    await ended
  })

  it('is redirected by every page to the setup, and back', async () => {
    const person = await signUp()
    const look = async (path: string) => {
      const answer = await fetch(app.url + path, {
        headers: { cookie: person.cookie },
        redirect: 'manual',
      })
      return answer.status === 200 ? 200 : answer.headers.get('location')
    }
    const redirectOf = (path: string) => `/profile/second-factor?next=${encodeURIComponent(path)}`
    for (const path of ['/lesson/all', '/lesson/create', '/profile/update', '/chat'])
      expect(await look(path)).toBe(redirectOf(path))
    expect(await look('/')).toBe('/profile/second-factor')
    for (const path of ['/profile/second-factor', '/about', '/privacy-policy', '/logout'])
      expect(await look(path), path).toBe(200)
    const page = await fetch(`${app.url}/profile/second-factor`, {
      headers: { cookie: person.cookie },
    })
    expect(await page.text()).toContain('content="noindex"')
    await arm(person)
    expect(await look(redirectOf('/lesson/bought'))).toBe('/lesson/bought')
    expect(await look('/profile/second-factor?next=//evil.example')).toBe('/')
  })
})
