/** Tests programs at the hub: by an access token with the scope `chat`, as long as it is valid, on every node. */
import { HttpTransportType } from '@microsoft/signalr'
import { afterAll, expect, test as base } from 'vitest'
import type { AccessToken } from '#contract/access-tokens.ts'
import type { Scope } from '#contract/endpoint.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { connectHub } from '#server/testing/http/hub.ts'
import { newestLink } from '#server/testing/links.ts'
import { startRedis } from '#server/testing/redis/process.ts'
import { setUser } from '#server/testing/rows.ts'

// They spend most of their time waiting, so they run concurrently, each with people of its own.
const test = base.concurrent

/** In ms: five seconds, and room for a busy machine. */
const SOON_MS = 9000
const DAY_MS = 24 * 60 * 60 * 1000

const redis = await startRedis()
const near = await createTestApp({ REDIS_URL: redis.url })
const far = await createTestApp({ REDIS_URL: redis.url }, null, near)
/** Uses the same database, but gets no messages from other nodes. */
const apart = await createTestApp({}, null, near)
/** Like `apart`, with a clock that tests move. */
const later = await createTestApp({}, null, near)
afterAll(async () => {
  await later.close()
  await apart.close()
  await far.close()
  await near.close()
  await redis.close()
})

let people = 0
const signUp = () => near.signUp(`owner${(people += 1)}`)

async function makeToken(as: Person, scopes: Scope[] = ['chat']) {
  const json = { name: 'a bot', scopes, days: 1, password: as.password }
  const { status, body } = await near.call<AccessToken & { token: string }>(
    'POST',
    '/identity/tokens',
    { as, json },
  )
  expect(status).toBe(200)
  return body
}

const say = ({ connection }: Awaited<ReturnType<typeof connectHub>>, to: Person, text: string) =>
  connection.invoke('SendMessageToGroup', to.session.username, text, '')

/** Returns the raw response of a negotiation. */
async function negotiate(bearer: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${near.url}/chatHub/negotiate?negotiateVersion=1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, ...headers },
  })
  return [response.status, await response.text()]
}

test("an unknown token is refused with a message in the caller's language", async () => {
  expect(await negotiate('kbp_nothing')).toEqual([
    401,
    'This access token is unknown, revoked or expired.',
  ])
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

test('the token of somebody suspended is refused', async () => {
  const person = await signUp()
  const { token } = await makeToken(person)
  await setUser(near, person, { suspended_at: new Date() })
  expect((await negotiate(token))[0]).toBe(403)
})

test.for([
  ['WebSockets', HttpTransportType.WebSockets],
  ['events', HttpTransportType.ServerSentEvents],
  ['polls', HttpTransportType.LongPolling],
] as const)('with the scope it sends and receives by %s', async ([, transport]) => {
  const [ann, bob] = [await signUp(), await signUp()]
  const program = await connectHub(near, (await makeToken(ann)).token, { transport })
  const other = await connectHub(far, (await makeToken(bob)).token, { transport })
  await say(program, bob, 'from a program')
  await expect.poll(() => other.heard, { timeout: SOON_MS }).toEqual(['from a program'])
  await program.stop()
  await other.stop()
})

test.for([
  ['on its node', () => near],
  ['on another node', () => far],
  ['on a node that hears of nothing', () => apart],
] as const)('revoking a token ends only its connections %s', async ([, nodeOf], ending) => {
  const person = await signUp()
  const [one, other] = [await makeToken(person), await makeToken(person)]
  const node = nodeOf()
  const [mine, polled, others, session] = [
    await connectHub(node, one.token),
    await connectHub(node, one.token, { transport: HttpTransportType.LongPolling }),
    await connectHub(node, other.token),
    await connectHub(node, person.session.accessToken),
  ]
  const { status } = await near.call('DELETE', `/identity/tokens/${one.id}`, { as: person })
  expect(status).toBe(204)
  await ending.expect
    .poll(() => [mine.isOpen(), polled.isOpen()], { timeout: SOON_MS })
    .toEqual([false, false])
  expect([others.isOpen(), session.isOpen()]).toEqual([true, true])
  await expect(connectHub(node, one.token)).rejects.toThrow('unknown, revoked or expired')
  await others.stop()
  await session.stop()
})

test('the expiry of a token ends its connection', async (ending) => {
  const { token } = await makeToken(await signUp())
  const mine = await connectHub(later, token)
  later.clock.time = new Date(Date.now() + DAY_MS)
  await ending.expect.poll(mine.isOpen, { timeout: SOON_MS }).toBe(false)
})

test.for([
  ['suspended', { suspended_at: new Date() }],
  ['erased', { erased_at: new Date() }],
] as const)('who is %s elsewhere loses it', async ([, set], ending) => {
  const person = await signUp()
  const mine = await connectHub(apart, (await makeToken(person)).token)
  await setUser(near, person, set)
  await ending.expect.poll(mine.isOpen, { timeout: SOON_MS }).toBe(false)
})

test('erasing the account ends it', async (ending) => {
  const person = await signUp()
  const mine = await connectHub(far, (await makeToken(person)).token)
  const json = { password: person.password }
  expect((await near.call('POST', '/identity/erase', { as: person, json })).status).toBe(204)
  await ending.expect.poll(mine.isOpen, { timeout: SOON_MS }).toBe(false)
})

test('a new password and a sign-out everywhere do not disconnect programs', async (ending) => {
  const person = await signUp()
  const { token } = await makeToken(person)
  const program = await connectHub(far, token)
  const browser = await connectHub(far, person.session.accessToken)
  const json = { username: person.session.username, password: person.password }
  const again = await near.call<Person['session']>('POST', '/identity/login', { json })
  const as = { ...person, session: again.body }
  expect((await near.call('POST', '/identity/sessions/revoke', { as })).status).toBe(204)
  const passwords = { password: person.password, newPassword: 'another secret of mine' }
  expect(
    (await near.call('POST', '/identity/password/change', { as, json: passwords })).status,
  ).toBe(204)
  await ending.expect.poll(browser.isOpen, { timeout: SOON_MS }).toBe(false)
  expect(program.isOpen()).toBe(true)
  expect((await negotiate(token))[0]).toBe(200)
  await program.stop()
})

test("undoing a thief's change of the address ends every token", async (ending) => {
  const person = await signUp()
  const { token } = await makeToken(person)
  const program = await connectHub(far, token)
  const form = formOf({ email: `thief-of-${person.session.username}@people.example` })
  expect((await near.call('PATCH', '/identity/update', { as: person, form })).status).toBe(200)
  const json = { token: await newestLink(near, person, 'undo') }
  expect((await near.call('POST', '/identity/email/undo', { json })).status).toBe(204)
  await ending.expect.poll(program.isOpen, { timeout: SOON_MS }).toBe(false)
  expect((await negotiate(token))[0]).toBe(401)
})
