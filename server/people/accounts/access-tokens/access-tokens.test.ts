import { beforeEach, expect, it } from 'vitest'
import type { AccessToken } from '#contract/access-tokens.ts'
import { SCOPES, type Scope } from '#contract/endpoint.ts'
import type { Problem } from '#contract/errors.ts'
import { claimsToBeToken, isWellFormed } from '#server/people/accounts/access-tokens/token.ts'
import { scopeOf } from '#server/testing/access/scopes.ts'
import { refusalOf } from '#server/testing/http/answers.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { setUser } from '#server/testing/rows.ts'
import { openTestApp } from '#server/testing/setup.ts'

type Made = AccessToken & { token: string } & Problem

let person: Person
let count = 0
const start = new Date('2026-11-21T12:00:00Z').getTime()
let seconds = 0
const wait = (more: number) => {
  seconds += more
  app.clock.time = new Date(start + seconds * 1000)
}
const app = await openTestApp()
beforeEach(async () => {
  wait(3600)
  count += 1
  person = await app.signUp(`person${count}`)
})

const create = (as: Person, given: Record<string, unknown> = {}) =>
  app.call<Made>('POST', '/identity/tokens', {
    as,
    json: { name: 'backup', scopes: ['read'], days: 30, password: as.password, ...given },
  })
const make = async (...scopes: Scope[]) => (await create(person, { scopes })).body
const list = async () =>
  (await app.call<AccessToken[]>('GET', '/identity/tokens', { as: person })).body
const callWith = (token: string, method: string, path: string, json?: unknown) =>
  app.call<Problem>(method, path, {
    headers: { authorization: `Bearer ${token}` },
    ...(json !== undefined && { json }),
  })
const points = (token: string) => callWith(token, 'GET', '/identity/points')

interface Description {
  readonly paths: Record<string, Record<string, { security: Record<string, string[]>[] }>>
}

const ENDED = '401 tokenEnded'

it.each([
  ['without a name', { name: '' }, 'name'],
  ['with a name that is too long', { name: 'x'.repeat(61) }, 'name'],
  ['without a scope', { scopes: [] }, 'scopes'],
  ['with an unknown scope', { scopes: ['root'] }, 'scopes'],
  ['with a scope twice', { scopes: ['read', 'read'] }, 'scopes'],
  ['with no end', { days: 0 }, 'days'],
  ['for longer than a year', { days: 367 }, 'days'],
  ['with a wrong password', { password: 'not mine' }, 'password'],
  ['with the scope of administrators', { scopes: ['admin'] }, 'scopes'],
])('no token is created %s', async (_, given, field) => {
  const { status, body } = await create(person, given)
  expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [field]])
  expect(await list()).toEqual([])
})

it('an unknown, malformed or truncated token is refused with a message', async () => {
  const { token } = await make('read')
  const other = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
  for (const bad of [other, token.slice(0, -1), `${token}0`, 'kbp_'])
    expect(refusalOf(await points(bad))).toBe(ENDED)
})

it('public calls answer as for a guest when the token is invalid', async () => {
  const { status, headers } = await callWith('kbp_none', 'GET', '/lesson/popular')
  expect([status, headers.get('x-session')]).toEqual([200, 'expired'])
})

it('an expired token is refused', async () => {
  const { token } = (await create(person, { days: 1 })).body
  wait(24 * 60 * 60 - 1)
  expect((await points(token)).status).toBe(200)
  wait(1)
  expect(refusalOf(await points(token))).toBe(ENDED)
})

it('a revoked token is refused at the next request', async () => {
  const { id, token } = await make('read')
  expect((await points(token)).status).toBe(200)
  const stranger = await app.signUp(`stranger${count}`)
  const revoke = (as: Person) => app.call('DELETE', `/identity/tokens/${id}`, { as })
  expect((await revoke(stranger)).status).toBe(404)
  expect((await points(token)).status).toBe(200)
  expect((await revoke(person)).status).toBe(204)
  expect(refusalOf(await points(token))).toBe(ENDED)
  expect(await list()).toEqual([])
})

it('the token of a suspended person can read but not write', async () => {
  const { token } = await make('read', 'write')
  await setUser(app, person, { suspended_at: new Date() })
  expect((await points(token)).status).toBe(200)
  expect(refusalOf(await callWith(token, 'POST', '/lesson/like/1'))).toBe('403 suspended')
})

it('is shown once, and stored as its hash alone', async () => {
  const { token, id } = await make('read')
  expect([claimsToBeToken(token), isWellFormed(token), token.length]).toEqual([true, true, 40])
  const listed = await list()
  expect(listed.map((each) => each.id)).toEqual([id])
  expect(JSON.stringify(listed)).not.toContain(token)
  const { rows } = await app.app.database.pool.query<{ row: string }>(
    'select access_tokens::text as row from access_tokens where id = $1',
    [id],
  )
  expect(rows[0]?.row).not.toContain(token.slice(4))
})

it('at most ten are created in an hour, revoked ones included', async () => {
  const limited = await createTestApp({ RATE_LIMITS: 'on' }, null, app)
  const as = await limited.signUp(`limited${count}`)
  const json = { name: 'one', scopes: ['read'], days: 1, password: as.password }
  const statuses: number[] = []
  for (let n = 0; n < 11; n += 1) {
    const { status, body } = await limited.call<Made>('POST', '/identity/tokens', { as, json })
    statuses.push(status)
    await limited.call('DELETE', `/identity/tokens/${body.id}`, { as })
  }
  await limited.close()
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
})

it('calls with a token and with the session share one limit, separate from other people', async () => {
  const limited = await createTestApp({ RATE_LIMITS: 'on' }, null, app)
  limited.clock.time = app.clock.now()
  const as = await limited.signUp(`sharing${count}`)
  const other = await limited.signUp(`apart${count}`)
  const json = { name: 'one', scopes: ['write'], days: 1, password: as.password }
  const made = await limited.call<Made>('POST', '/identity/tokens', { as, json })
  const program = { ...as, session: { ...as.session, accessToken: made.body.token } }
  const comment = async (by: Person, id: number, text: string) =>
    (await limited.call('POST', `/comment/create/${id}`, { as: by, json: { text } })).status
  const { id } = await limited.publishLesson(as)
  const statuses: number[] = []
  for (let n = 0; n < 6; n += 1)
    for (const by of [program, as]) statuses.push(await comment(by, id, `A thought, number ${n}`))
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
  const own = await limited.publishLesson(other)
  expect(await comment(other, own.id, 'A thought of another')).toBe(200)
  await limited.close()
})

it('the last use is written at most once a minute', async () => {
  const { token } = await make('read')
  const lastUsed = async () => (await list())[0]?.lastUsed
  expect(await lastUsed()).toBe(null)
  await points(token)
  const first = await lastUsed()
  expect(first).toBe(new Date(start + seconds * 1000).toISOString())
  wait(59)
  await points(token)
  expect(await lastUsed()).toBe(first)
  wait(2)
  await points(token)
  expect(await lastUsed()).toBe(new Date(start + seconds * 1000).toISOString())
})

it('the API description names the scope of each call', async () => {
  const { body } = await app.call<Description>('GET', '/openapi.json')
  for (const [path, methods] of Object.entries(body.paths))
    for (const [method, { security }] of Object.entries(methods)) {
      const address = `${method.toUpperCase()} /api${path}`
      const described = security.flatMap((way) => way['token'] ?? [])
      const scope = scopeOf(address)
      expect([address, described]).toEqual([address, SCOPES.filter((each) => each === scope)])
    }
})
