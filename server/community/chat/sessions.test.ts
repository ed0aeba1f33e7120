/** Tests that a session's hub connections end with it, on every node, with and without Redis. */
import { HttpTransportType } from '@microsoft/signalr'
import { afterAll, describe, expect, test as base } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import type { SignIn } from '#contract/sessions.ts'
import { connectHub } from '#server/testing/http/hub.ts'
import { startRedis } from '#server/testing/redis/process.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { setUser } from '#server/testing/rows.ts'

// They spend most of their time waiting, so they run concurrently, each with people of its own.
const test = base.concurrent

/** In ms: five seconds, and room for a busy machine. */
const SOON_MS = 9000

const redis = await startRedis()
const near = await createTestApp({ REDIS_URL: redis.url })
const far = await createTestApp({ REDIS_URL: redis.url }, null, near)
/** Uses the same database, but gets no messages from other nodes. */
const apart = await createTestApp({}, null, near)
afterAll(async () => {
  await apart.close()
  await far.close()
  await near.close()
  await redis.close()
})

/** Signs in the same person again. */
async function signIn({ session, password }: Person): Promise<Person> {
  const json = { username: session.username, password }
  const { body, headers } = await near.call<Session>('POST', '/identity/login', { json })
  return { session: body, password, cookie: cookieOf(headers) }
}

const cookieOf = (headers: Headers) => headers.getSetCookie()[0]?.split(';')[0] ?? ''
const withCookie = (path: string, cookie: string) =>
  near.call('POST', path, { headers: { cookie, origin: near.url } })

let people = 0
const signUp = () => near.signUp(`leaver${(people += 1)}`)

const ENDS: readonly (readonly [string, (person: Person) => Promise<unknown>])[] = [
  ['a logout', ({ cookie }) => withCookie('/identity/logout', cookie)],
  [
    'a sign-out of that device from another one',
    async (person) => {
      const { body } = await near.call<SignIn[]>('GET', '/identity/sessions', { as: person })
      const [mine] = body
      const as = await signIn(person)
      const { status } = await near.call('DELETE', `/identity/sessions/${mine?.id}`, { as })
      expect(status).toBe(204)
    },
  ],
  [
    'an old refresh cookie that is used again',
    async ({ cookie }) => {
      const { headers } = await withCookie('/identity/refresh', cookie)
      await withCookie('/identity/refresh', cookieOf(headers))
      expect((await withCookie('/identity/refresh', cookie)).status).toBe(401)
    },
  ],
]

describe.each(ENDS)('%s', (_name, end) => {
  test.for([
    ['on its node', () => near],
    ['on another node', () => far],
    ['on a node that hears of nothing', () => apart],
  ] as const)('ends only the connections of that session %s', async ([, nodeOf], ending) => {
    const person = await signUp()
    const other = await signIn(person)
    const node = nodeOf()
    const [mine, polled, others] = [
      await connectHub(node, person.session.accessToken),
      await connectHub(node, person.session.accessToken, {
        transport: HttpTransportType.LongPolling,
      }),
      await connectHub(node, other.session.accessToken),
    ]
    await end(person)
    await ending.expect
      .poll(() => [mine.isOpen(), polled.isOpen()], { timeout: SOON_MS })
      .toEqual([false, false])
    expect(others.isOpen()).toBe(true)
    await expect(connectHub(node, person.session.accessToken)).rejects.toThrow('401')
    await others.stop()
  })
})

test('a changed password ends the others on a node that hears of nothing', async (ending) => {
  const person = await signUp()
  const other = await signIn(person)
  const [mine, others] = [
    await connectHub(apart, person.session.accessToken),
    await connectHub(apart, other.session.accessToken),
  ]
  const { status } = await near.call('POST', '/identity/password/change', {
    as: person,
    json: { password: person.password, newPassword: 'another secret of mine' },
  })
  expect(status).toBe(204)
  await ending.expect.poll(others.isOpen, { timeout: SOON_MS }).toBe(false)
  expect(mine.isOpen()).toBe(true)
  await mine.stop()
})

test.for([
  ['suspended', { suspended_at: new Date() }],
  ['erased', { erased_at: new Date() }],
] as const)('a person who is %s elsewhere is disconnected', async ([, change], ending) => {
  const person = await signUp()
  const mine = await connectHub(apart, person.session.accessToken)
  await setUser(near, person, change)
  await ending.expect.poll(mine.isOpen, { timeout: SOON_MS }).toBe(false)
})
