/** Tests that a person's sessions are listed with their devices and end at once on every node. */
import { beforeEach, expect, it } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import type { SignIn } from '#contract/sessions.ts'
import { describeDevice } from '#server/people/accounts/sessions/device-words.ts'
import type { Person, TestApp } from '#server/testing/app.ts'
import { openTestNodes } from '#server/testing/setup.ts'

const WINDOWS_FIREFOX =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0'
const HOUR_MS = 60 * 60 * 1000

let person: Person
let count = 0
const start = new Date('2026-11-21T12:00:00Z').getTime()
const at = (ms: number) => {
  app.clock.time = new Date(start + ms)
  far.clock.time = app.clock.time
}
const { near: app, far } = await openTestNodes()
beforeEach(async () => {
  at(0)
  count += 1
  person = await app.signUp(`person${count}`)
})

async function signIn({ session, password }: Person, agent = WINDOWS_FIREFOX): Promise<Person> {
  const { body, headers } = await app.call<Session>('POST', '/identity/login', {
    json: { username: session.username, password },
    headers: { 'user-agent': agent },
  })
  return { session: body, password, cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}

const listAs = async (as: Person, node = app) =>
  (await node.call<SignIn[]>('GET', '/identity/sessions', { as })).body
const end = (as: Person, id: string) => app.call('DELETE', `/identity/sessions/${id}`, { as })
const refresh = ({ cookie }: Person, agent = '') =>
  app.call<Session>('POST', '/identity/refresh', {
    headers: { cookie, origin: app.url, 'user-agent': agent },
  })
const isIn = async (as: Person, node: TestApp) =>
  (await node.call('GET', '/identity/points', { as })).status

it('nobody can end the session of somebody else', async () => {
  const [mine] = await listAs(person)
  const stranger = await app.signUp(`stranger${count}`)
  expect((await end(stranger, mine?.id ?? '')).status).toBe(404)
  expect(await isIn(person, app)).toBe(200)
})

it('the list has this session first, then the others by last use', async () => {
  at(1000)
  const first = await signIn(person)
  at(HOUR_MS)
  const second = await signIn(person, 'curl/8.14.1')
  expect(await listAs(second)).toMatchObject([
    { browser: 'curl', system: null, here: true },
    {
      browser: 'Firefox',
      system: 'Windows',
      here: false,
      seen: new Date(start + 1000).toISOString(),
    },
    { here: false, date: new Date(start).toISOString() },
  ])
  at(HOUR_MS + 60_000)
  await refresh(first)
  const list = await listAs(second)
  expect(list[1]).toMatchObject({
    browser: 'Firefox',
    date: new Date(start + 1000).toISOString(),
    seen: new Date(start + HOUR_MS + 60_000).toISOString(),
  })
})

it('an older session gets its device when it is renewed', async () => {
  const other = await signIn(person, '')
  expect((await listAs(other))[0]).toMatchObject({ browser: null, system: null })
  await refresh(other, WINDOWS_FIREFOX)
  expect((await listAs(other))[0]).toMatchObject({ browser: 'Firefox', system: 'Windows' })
})

it('one that was signed out is out at once on every node, and the others stay', async () => {
  const other = await signIn(person)
  const found = (await listAs(person)).find(({ here }) => !here)
  expect((await end(person, found?.id ?? '')).status).toBe(204)
  expect([await isIn(other, app), await isIn(other, far)]).toEqual([401, 401])
  expect((await refresh(other)).status).toBe(401)
  expect([await isIn(person, app), await isIn(person, far)]).toEqual([200, 200])
  expect(await listAs(person, far)).toHaveLength(1)
  expect((await end(person, found?.id ?? '')).status).toBe(404)
})

it('an expired session is not listed', async () => {
  await signIn(person)
  at(29 * 24 * HOUR_MS)
  await refresh(person)
  at(31 * 24 * HOUR_MS)
  expect(await listAs(await signIn(person))).toHaveLength(2)
})

it('the export contains them, and only these words of the browser', async () => {
  await signIn(person)
  const { body } = await app.call<{ person: { devices: unknown[] } }>('GET', '/identity/export', {
    as: person,
  })
  expect(body.person.devices.at(-1)).toMatchObject({ browser: 'Firefox', system: 'Windows' })
  const { rows } = await app.app.database.pool.query<{ row: string }>(
    'select sessions::text as row from sessions where user_id = $1',
    [person.session._id],
  )
  expect(rows.map(({ row }) => row).join()).not.toContain('Gecko')
})

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

it.each([
  [`(Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, 'Chrome', 'Windows'],
  [`(Windows NT 10.0) ${WEBKIT} Chrome/142.0 Safari/537.36 Edg/142.0`, 'Edge', 'Windows'],
  [`(Windows NT 10.0) ${WEBKIT} Chrome/142.0 Safari/537.36 OPR/124.0`, 'Opera', 'Windows'],
  ['(X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0', 'Firefox', 'Linux'],
  [`(X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/142.0 Safari/537.36`, 'Chrome', 'ChromeOS'],
  [
    '(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.1 Safari/605.1.15',
    'Safari',
    'macOS',
  ],
  [
    '(iPhone; CPU iPhone OS 26_1 like Mac OS X) Version/26.1 Mobile/15E148 Safari/604.1',
    'Safari',
    'iPhone',
  ],
  ['(iPad; CPU OS 18_0 like Mac OS X) CriOS/142.0 Mobile/15E148 Safari/604.1', 'Chrome', 'iPad'],
  [`(Linux; Android 10; K) ${WEBKIT} Chrome/142.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
  [
    `(Linux; Android 10; K) ${WEBKIT} SamsungBrowser/29.0 Chrome/136.0 Mobile Safari/537.36`,
    'Samsung Internet',
    'Android',
  ],
  ['<script>alert(1)</script>', null, null],
  ['\u00ff'.repeat(290), null, null],
])('%s is shown in words', (agent, browser, system) => {
  const name = agent.startsWith('(') ? `Mozilla/5.0 ${agent}` : agent
  expect(describeDevice(name)).toEqual({ browser, system })
})
