import { HttpTransportType, type HubConnection } from '@microsoft/signalr'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { Contact, Message } from '#contract/chat.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { buildConnection } from '#server/testing/http/hub.ts'
import { whileHolding } from '#server/testing/learning/waiting.ts'
import { signUpAll } from '#server/testing/people.ts'

const open: HubConnection[] = []
const app = await createTestApp()
const { ann, bob, eve } = await signUpAll(app, 'ann', 'bob', 'eve')
afterEach(async () => {
  app.clock.time = null
  await Promise.all(open.splice(0).map((connection) => connection.stop()))
})
afterAll(() => app.close())

type Heard = [
  text: string,
  image: string,
  more: { id: number; senderUsername: string; date: string },
]

async function connect(person: Person, path = '/chatHub') {
  const heard: Heard[] = []
  const sent: Message[] = []
  const connection = buildConnection(app, person.session.accessToken, { path })
  connection.on('ReceiveMessage', (...event: Heard) => heard.push(event))
  connection.on('MessageSent', (message: Message) => sent.push(message))
  open.push(connection)
  await connection.start()
  return { connection, heard, sent }
}

const write = (as: Person, receiverUsername: string, text: string, draftId?: string) =>
  app.call<Message>('POST', '/message/create', { as, json: { text, receiverUsername, draftId } })
const history = (as: Person, name: string, query = '') =>
  app.call<Message[]>('GET', `/message/all/${encodeURIComponent(name)}${query}`, { as })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const textsOf = (heard: readonly Heard[]) => heard.map(([text]) => text)

test('a connection outlives its token', async () => {
  const { connection, heard } = await connect(bob)
  app.clock.time = new Date(Date.now() + 3_600_000)
  await connection.invoke('Subscribe', 'bob')
  const json = { username: 'ann', password: ann.password }
  const { body } = await app.call<Person['session']>('POST', '/identity/login', { json })
  await write({ ...ann, session: body }, 'bob', 'an hour later')
  await expect.poll(() => heard.at(-1)?.[0], { timeout: 5000 }).toBe('an hour later')
})

test('a message stored by a call that then failed is delivered when its draft is repeated', async () => {
  const { heard } = await connect(bob)
  const draftId = '3b0e1a52-7a2c-4d0c-9f6e-0d1d5a8c7f11'
  const written = { sender_id: ann.session._id, receiver_id: bob.session._id, draft_id: draftId }
  await app.app.database.db
    .insertInto('messages')
    .values({ ...written, text: 'stored, not said' })
    .execute()
  expect((await write(ann, 'bob', 'stored, not said', draftId)).status).toBe(200)
  await expect.poll(() => textsOf(heard), { timeout: 6000 }).toEqual(['stored, not said'])
  // It arrives once, however often it is requested.
  await write(ann, 'bob', 'stored, not said', draftId)
  await pause(3000)
  expect(heard).toHaveLength(1)
})

test('nobody can write nothing, to themselves or to an unknown person, or subscribe to others', async () => {
  expect((await write(ann, 'ANN', 'hello me')).status).toBe(400)
  expect((await write(ann, 'nobody', 'hello')).status).toBe(404)
  const { connection } = await connect(ann)
  for (const [to, text] of [
    ['ann', 'x'],
    ['nobody', 'x'],
    [7, 'x'],
    ['bob', ' \n '],
    ['bob', 'я'.repeat(201)],
  ])
    await expect(connection.invoke('SendMessageToGroup', to, text, '')).rejects.toThrow()
  for (const name of ['bob', 'nobody'])
    await expect(connection.invoke('Subscribe', name)).rejects.toThrow('your own')
  await connection.invoke('Subscribe', 'Ann')
})

test('a blocked person is refused, over HTTP and the hub', async () => {
  const block = `/identity/block/${eve.session._id}`
  expect((await app.call('POST', block, { as: ann })).body).toEqual({ blocked: true })
  expect((await write(eve, 'ann', 'let me in')).status).toBe(403)
  const { connection } = await connect(eve)
  await expect(connection.invoke('SendMessageToGroup', 'ann', 'x', '')).rejects.toThrow()
  expect((await history(ann, 'eve')).body).toEqual([])
  expect((await app.call('DELETE', block, { as: ann })).body).toEqual({ blocked: false })
  expect((await write(eve, 'ann', 'thank you')).status).toBe(200)
})

test('the thirty-first message of a minute is refused', async () => {
  const limited = await createTestApp({ RATE_LIMITS: 'on' }, null, app)
  const fast = await app.signUp('fast')
  await app.signUp('slow')
  const json = { text: 'number one', receiverUsername: 'slow' }
  const say = () => limited.call('POST', '/message/create', { as: fast, json })
  const taken = await Promise.all(Array.from({ length: 30 }, say))
  expect(new Set(taken.map((answer) => answer.status))).toEqual(new Set([200]))
  const refused = await say()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  limited.clock.time = new Date(Date.now() + 61_000)
  expect((await say()).status).toBe(200)
  await limited.close()
})

test('a message that was created and sent arrives once', async () => {
  const [near, otherTab, far] = [await connect(ann), await connect(ann), await connect(bob)]
  const text = 'a < b & c <script>alert(1)</script> مرحبا 🎉'
  const { body } = await write(ann, 'Bob', text)
  await near.connection.invoke('SendMessageToGroup', 'bob', text, 'https://evil.example/x.png')
  await expect.poll(() => far.heard.length).toBe(1)
  await pause(2300)
  const { id, senderImage, date } = body
  expect(far.heard).toEqual([[text, senderImage, { id, senderUsername: 'ann', date }]])
  expect(senderImage).toBe(ann.session.imageUrl)
  expect(otherTab.sent).toEqual([body])
  expect(near.sent).toEqual([])
  expect((await history(bob, 'ann')).body.at(-1)).toEqual(body)
})

test('a message that was only created arrives too', async () => {
  const far = await connect(bob)
  await write(ann, 'bob', 'by the call alone')
  await expect.poll(() => textsOf(far.heard), { timeout: 4000 }).toEqual(['by the call alone'])
  // A late hub call does not deliver it again.
  const near = await connect(ann)
  await near.connection.invoke('SendMessageToGroup', 'bob', 'by the call alone', '')
  await near.connection.invoke('Subscribe', 'ann')
  expect(far.heard).toHaveLength(1)
})

test('a hub call waits for a message that is being delivered', async () => {
  const [near, far] = [await connect(ann), await connect(bob)]
  const { body } = await write(ann, 'bob', 'contested')
  // The delivery after 2 seconds locks the row like this for a moment.
  await whileHolding(
    app.app.database.db,
    (tx) => tx.selectFrom('messages').where('id', '=', body.id).forUpdate().execute(),
    () => near.connection.invoke('SendMessageToGroup', 'bob', 'contested', ''),
  )
  await expect.poll(() => far.heard.length).toBe(1)
  const { body: kept } = await history(ann, 'bob')
  expect(kept.filter((message) => message.text === 'contested')).toHaveLength(1)
})

test('a message that was only sent is stored', async () => {
  const [near, far] = [await connect(ann), await connect(bob, '/api/chathub')]
  await near.connection.invoke('SendMessageToGroup', 'bob', 'by the hub alone', '')
  await expect.poll(() => far.heard.length).toBe(1)
  expect((await history(ann, 'bob')).body.at(-1)?.text).toBe('by the hub alone')
})

test('the same text twice is two messages', async () => {
  const [near, far] = [await connect(ann), await connect(bob)]
  for (let time = 0; time < 2; time++) {
    await write(ann, 'bob', 'again')
    await near.connection.invoke('SendMessageToGroup', 'bob', 'again', '')
  }
  await expect.poll(() => far.heard.length).toBe(2)
  expect(new Set(far.heard.map(([, , { id }]) => id)).size).toBe(2)
})

test('a repeated draft writes one message', async () => {
  const draftId = crypto.randomUUID()
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => write(bob, 'eve', 'only once', draftId)),
  )
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
  const { body } = await history(eve, 'bob')
  expect(body.map((message) => message.text)).toEqual(['only once'])
})

test('history goes back by fifty and catches up without a gap', async () => {
  const { kim, lee } = await signUpAll(app, 'kim', 'lee')
  const ids: number[] = []
  for (let number = 0; number < 120; number++) {
    app.clock.time = new Date(Date.now() - 3_600_000 + number * 5000)
    const [from, to] = number % 2 === 0 ? ([kim, 'lee'] as const) : ([lee, 'kim'] as const)
    ids.push((await write(from, to, `n ${number}`)).body.id)
  }
  const idsOf = async (as: Person, name: string, query = '') =>
    (await history(as, name, query)).body.map(({ id }) => id)
  expect(await idsOf(kim, 'lee')).toEqual(ids.slice(70))
  expect(await idsOf(kim, 'lee', `?before=${ids[70]}`)).toEqual(ids.slice(20, 70))
  expect(await idsOf(lee, 'kim', `?after=${ids[9]}`)).toEqual(ids.slice(10))
  // A client without messages catches up from zero, and no message is older than that.
  for (const zero of ['?after=0', '?before=9007199254740991&after=0'])
    expect(await idsOf(lee, 'kim', zero)).toEqual(ids)
  expect(await idsOf(lee, 'kim', '?before=0')).toEqual([])
  expect(await idsOf(ann, 'kim')).toEqual([])
})

test('contacts are sorted newest first, with unread counts', async () => {
  const { mia, tom } = await signUpAll(app, 'mia', 'tom')
  await write(mia, 'tom', 'first')
  await write(mia, 'tom', 'second')
  await write(ann, 'tom', 'third')
  const seen = await done<Contact[]>(app, tom, 'GET /message/contacts')
  expect(seen.map(({ userName, lastText, unread }) => [userName, lastText, unread])).toEqual([
    ['ann', 'third', 1],
    ['mia', 'second', 2],
  ])
  expect(await done(app, tom, 'GET /message/unread')).toEqual({ unread: 3 })
  expect(await done(app, tom, 'GET /identity/allContacts')).toEqual([
    ann.session._id,
    mia.session._id,
  ])
  await done(app, tom, 'POST /message/read/mia')
  expect(await done(app, tom, 'GET /message/unread')).toEqual({ unread: 1 })
})

test('a renamed person is found by both names', async () => {
  const { ida, max } = await signUpAll(app, 'ida', 'max')
  const far = await connect(max)
  await done(app, ida, 'PATCH /identity/update', formOf({ username: 'ida-maria' }))
  const near = await connect(ida)
  await near.connection.invoke('Subscribe', 'ida-maria')
  await near.connection.invoke('SendMessageToGroup', 'max', 'new name', '')
  await expect.poll(() => far.heard.at(-1)?.[2].senderUsername).toBe('ida-maria')
  expect((await write(max, 'ida', 'to the old name')).body.receiverUsername).toBe('ida-maria')
  expect((await history(max, 'ida')).body.length).toBe(2)
})

test.each([HttpTransportType.ServerSentEvents, HttpTransportType.LongPolling])(
  'an expired token ends no connection, and opens none (%s)',
  async (transport) => {
    const name = `old${transport}`
    const person = await app.signUp(name)
    const connection = buildConnection(app, person.session.accessToken, { transport })
    open.push(connection)
    await connection.start()
    app.clock.time = new Date(Date.now() + 60 * 60 * 1000)
    await connection.invoke('Subscribe', name)
    const negotiate = await fetch(`${app.url}/chatHub/negotiate?negotiateVersion=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.session.accessToken}` },
    })
    expect(negotiate.status).toBe(401)
  },
)

test.each([
  ['U+0000', 'a\0b'],
  ['half a character', 'a\ud800b'],
])('%s in a hub call is invalid input, not an error of the server', async (_name, odd) => {
  const { connection } = await connect(ann)
  const calls: [string, ...string[]][] = [
    ['Subscribe', odd],
    ['SendMessageToGroup', odd, 'hello', ''],
    ['SendMessageToGroup', 'bob', odd, ''],
  ]
  for (const call of calls)
    await expect(connection.invoke(...call)).rejects.toThrow('Please check what you entered.')
  // Over HTTP it is accepted: such characters come along by accident in forms and imports.
  const { status, body } = await write(ann, 'bob', `odd ${odd}`)
  expect([status, body.text]).toEqual([200, `odd ${odd.replace('\0', '').toWellFormed()}`])
})
