/**
 * Tests that hub connections end with the session or access token that opened them, on every node, and what a
 * program may do by a token with the scope `chat`.
 */
import { HttpTransportType } from '@microsoft/signalr'
import { expect, test as base } from 'vitest'
import type { AccessToken } from '#contract/access-tokens.ts'
import type { Session } from '#contract/accounts.ts'
import type { Scope } from '#contract/endpoint.ts'
import type { SignIn } from '#contract/sessions.ts'
import type { Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { connectHub } from '#server/testing/http/hub.ts'
import { newestLink } from '#server/testing/links.ts'
import { setUser } from '#server/testing/rows.ts'
import { openTestApp, openTestNodes } from '#server/testing/setup.ts'

// They spend most of their time waiting, so they run concurrently, each with people of its own.
const test = base.concurrent

/** In ms: five seconds, and room for a busy machine. */
const SOON_MS = 9000
const DAY_MS = 24 * 60 * 60 * 1000

const { near, far } = await openTestNodes()
/** Uses the same database, but gets no messages from other nodes. */
const apart = await openTestApp({}, null, near)
/** Like `apart`, with a clock that tests move. */
const later = await openTestApp({}, null, near)

let people = 0
const signUp = () => near.signUp(`person${(people += 1)}`)

/** Signs in the same person again. */
async function signIn({ session, password }: Person): Promise<Person> {
  const json = { username: session.username, password }
  const { body, headers } = await near.call<Session>('POST', '/identity/login', { json })
  return { session: body, password, cookie: cookieOf(headers) }
}
const cookieOf = (headers: Headers) => headers.getSetCookie()[0]?.split(';')[0] ?? ''
const withCookie = (path: string, cookie: string) =>
  near.call('POST', path, { headers: { cookie, origin: near.url } })

function makeToken(as: Person, scopes: Scope[] = ['chat']) {
  const json = { name: 'a bot', scopes, days: 1, password: as.password }
  return done<AccessToken & { token: string }>(near, as, 'POST /identity/tokens', json)
}

const newPassword = 'another secret of mine'
const changePassword = (as: Person) =>
  done(near, as, 'POST /identity/password/change', { password: as.password, newPassword })
const signOutOthers = (as: Person) => done(near, as, 'POST /identity/sessions/revoke')

/** Returns the raw response of a negotiation. */
async function negotiate(bearer: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${near.url}/chatHub/negotiate?negotiateVersion=1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, ...headers },
  })
  return [response.status, await response.text()]
}

test("an unknown token is refused with a message in the caller's language", async () => {
  expect(await negotiate('kbp_nothing', { 'accept-language': 'bg' })).toEqual([
    401,
    'Този ключ за програма е непознат, премахнат или с изтекъл срок.',
  ])
})

test('a token without the scope is refused and the scope is named, by every transport', async () => {
  const { token } = await makeToken(await signUp(), ['read', 'write'])
  const words = 'This access token lacks the scope “chat”.'
  expect(await negotiate(token)).toEqual([403, words])
  await expect(connectHub(near, token)).rejects.toThrow(words)
  // A program may skip the negotiation.
  const upgrade = await fetch(`${near.url}/chatHub?access_token=${token}`)
  expect([upgrade.status, await upgrade.text()]).toEqual([403, words])
})

test.for([
  ['WebSockets', HttpTransportType.WebSockets],
  ['events', HttpTransportType.ServerSentEvents],
  ['polls', HttpTransportType.LongPolling],
] as const)('with the scope it sends and receives by %s', async ([, transport]) => {
  const [ann, bob] = [await signUp(), await signUp()]
  const program = await connectHub(near, (await makeToken(ann)).token, { transport })
  const other = await connectHub(far, (await makeToken(bob)).token, { transport })
  const { username } = bob.session
  await program.connection.invoke('SendMessageToGroup', username, 'from a program', '')
  await expect.poll(() => other.heard, { timeout: SOON_MS }).toEqual(['from a program'])
  await program.stop()
  await other.stop()
})

interface Given {
  readonly person: Person
  readonly token: AccessToken
}
/** Ways to end the access of a person who has two sessions and two tokens. */
const ENDS: Readonly<Record<string, (given: Given) => Promise<unknown>>> = {
  'a logout': ({ person }) => withCookie('/identity/logout', person.cookie),
  'a sign-out of that device from another one': async ({ person }) => {
    const [mine] = await done<SignIn[]>(near, person, 'GET /identity/sessions')
    await done(near, await signIn(person), `DELETE /identity/sessions/${mine?.id}`)
  },
  'an old refresh cookie that is used again': async ({ person: { cookie } }) => {
    const { headers } = await withCookie('/identity/refresh', cookie)
    await withCookie('/identity/refresh', cookieOf(headers))
    expect((await withCookie('/identity/refresh', cookie)).status).toBe(401)
  },
  'the removal of a token': ({ person, token }) =>
    done(near, person, `DELETE /identity/tokens/${token.id}`),
}
const NODES = {
  'on its node': near,
  'on another node': far,
  'on a node that hears of nothing': apart,
}

test.for(
  Object.entries(ENDS).flatMap(([name, end]) =>
    Object.entries(NODES).map(([where, node]) => [name, where, end, node] as const),
  ),
)(
  '%s ends only the connections of that session or token, %s',
  async ([name, , end, node], ending) => {
    const person = await signUp()
    const [again, token, other] = [
      await signIn(person),
      await makeToken(person),
      await makeToken(person),
    ]
    const bearers = [
      person.session.accessToken,
      token.token,
      again.session.accessToken,
      other.token,
    ]
    const [ended = '', ...rest] = name.includes('token')
      ? [token.token, ...bearers.filter((bearer) => bearer !== token.token)]
      : bearers
    const [mine, polled] = [
      await connectHub(node, ended),
      await connectHub(node, ended, { transport: HttpTransportType.LongPolling }),
    ]
    const others = await Promise.all(rest.map((bearer) => connectHub(node, bearer)))
    await end({ person, token })
    await ending.expect
      .poll(() => [mine.isOpen(), polled.isOpen()], { timeout: SOON_MS })
      .toEqual([false, false])
    expect(others.map(({ isOpen }) => isOpen())).toEqual([true, true, true])
    await expect(connectHub(node, ended)).rejects.toThrow('401')
    await Promise.all(others.map(({ stop }) => stop()))
  },
)

test('the expiry of a token ends its connection', async (ending) => {
  const { token } = await makeToken(await signUp())
  const mine = await connectHub(later, token)
  later.clock.time = new Date(Date.now() + DAY_MS)
  await ending.expect.poll(mine.isOpen, { timeout: SOON_MS }).toBe(false)
})

test.for([
  ['suspended', { suspended_at: new Date() }],
  ['erased', { erased_at: new Date() }],
] as const)('who is %s elsewhere is disconnected', async ([, set], ending) => {
  const person = await signUp()
  const session = await connectHub(apart, person.session.accessToken)
  const program = await connectHub(apart, (await makeToken(person)).token)
  await setUser(near, person, set)
  await ending.expect
    .poll(() => [session.isOpen(), program.isOpen()], { timeout: SOON_MS })
    .toEqual([false, false])
})

test.for([
  ['changed password', changePassword],
  ['sign-out everywhere', signOutOthers],
] as const)('a %s ends other sessions and no program', async ([, end], ending) => {
  const person = await signUp()
  const other = await signIn(person)
  const { token } = await makeToken(person)
  const [mine, others, program] = [
    await connectHub(apart, person.session.accessToken),
    await connectHub(apart, other.session.accessToken),
    await connectHub(apart, token),
  ]
  await end(person)
  await ending.expect.poll(others.isOpen, { timeout: SOON_MS }).toBe(false)
  expect([mine.isOpen(), program.isOpen()]).toEqual([true, true])
  expect((await negotiate(token))[0]).toBe(200)
  await mine.stop()
  await program.stop()
})

test("undoing a thief's change of the address ends every token", async (ending) => {
  const person = await signUp()
  const { token } = await makeToken(person)
  const program = await connectHub(far, token)
  const form = formOf({ email: `thief-of-${person.session.username}@people.example` })
  await done(near, person, 'PATCH /identity/update', form)
  const json = { token: await newestLink(near, person, 'undo') }
  await done(near, undefined, 'POST /identity/email/undo', json)
  await ending.expect.poll(program.isOpen, { timeout: SOON_MS }).toBe(false)
  expect((await negotiate(token))[0]).toBe(401)
})
