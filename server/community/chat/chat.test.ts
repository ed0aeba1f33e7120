import { HttpTransportType, type HubConnection } from '@microsoft/signalr'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { Contact, Message } from '#contract/chat.ts'
import { createTokens } from '#server/people/accounts/sessions/tokens.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { buildConnection } from '#server/testing/http/hub.ts'
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

test('forged, foreign and expired tokens are refused', async () => {
  const negotiate = async (token: string) => {
    const answer = await fetch(`${app.url}/chatHub/negotiate?negotiateVersion=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    return [answer.status, await answer.text()]
  }
  const { accessToken } = ann.session
  const [head = '', , signature = ''] = accessToken.split('.')
  const body = Buffer.from(JSON.stringify({ sub: bob.session._id, exp: 9e9 })).toString('base64url')
  const unsigned = Buffer.from('{"alg":"none"}').toString('base64url')
  const foreign = createTokens({ secrets: ['x'.repeat(40)], accessMinutes: 15, clock: app.clock })
  const tokens = [
    '',
    `${head}.${body}.${signature}`,
    `${unsigned}.${body}.`,
    await foreign.signAccess(ann.session._id, 'a session'),
    ann.cookie.split('=')[1] ?? '',
  ]
  for (const token of tokens) expect(await negotiate(token)).toEqual([401, ''])
  app.clock.time = new Date(Date.now() + 3_600_000)
  expect(await negotiate(accessToken)).toEqual([401, ''])
})

test('a connection outlives its token', async () => {
  const { connection, heard } = await connect(bob)
  app.clock.time = new Date(Date.now() + 3_600_000)
  await connection.invoke('Subscribe', 'bob')
  const json = { username: 'ann', password: ann.password }
  const { body } = await app.call<Person['session']>('POST', '/identity/login', { json })
  await write({ ...ann, session: body }, 'bob', 'an hour later')
  await expect.poll(() => heard.at(-1)?.[0], { timeout: 5000 }).toBe('an hour later')
})

test.each([
  ['nothing', '', 400],
  ['white space', ' \n ', 400],
  ['201 letters', 'я'.repeat(201), 400],
])('%s is no valid message', async (_what, text, status) => {
  expect((await write(ann, 'bob', text)).status).toBe(status)
  const { connection } = await connect(ann)
  await expect(connection.invoke('SendMessageToGroup', 'bob', text, '')).rejects.toThrow()
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
  await expect
    .poll(() => heard.map(([text]) => text), { timeout: 6000 })
    .toEqual(['stored, not said'])
  // It arrives once, however often it is requested.
  await write(ann, 'bob', 'stored, not said', draftId)
  await pause(3000)
  expect(heard).toHaveLength(1)
})

test('nobody can write to themselves or to an unknown person', async () => {
  expect((await write(ann, 'ANN', 'hello me')).status).toBe(400)
  expect((await write(ann, 'nobody', 'hello')).status).toBe(404)
  const { connection } = await connect(ann)
  await expect(connection.invoke('SendMessageToGroup', 'ann', 'x', '')).rejects.toThrow('yourself')
  await expect(connection.invoke('SendMessageToGroup', 'nobody', 'x', '')).rejects.toThrow()
  await expect(connection.invoke('SendMessageToGroup', 7, 'x', '')).rejects.toThrow()
})

test('people can subscribe only to themselves', async () => {
  const { connection } = await connect(ann)
  await expect(connection.invoke('Subscribe', 'bob')).rejects.toThrow('your own')
  await expect(connection.invoke('Subscribe', 'nobody')).rejects.toThrow('your own')
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
  const write = (text: string) =>
    limited.call<Message>('POST', '/message/create', {
      as: fast,
      json: { text, receiverUsername: 'slow' },
    })
  const say = (number: number) => write(`number ${number}`)
  const taken = await Promise.all(Array.from({ length: 30 }, (_, number) => say(number)))
  expect(new Set(taken.map((answer) => answer.status))).toEqual(new Set([200]))
  const refused = await Promise.all([say(30), say(31)])
  expect(refused.map((answer) => answer.status)).toEqual([429, 429])
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  limited.clock.time = new Date(Date.now() + 61_000)
  expect((await write('patience')).status).toBe(200)
  await limited.close()
})

test('without rate limits messages are not limited either', async () => {
  await app.signUp('patient')
  const quick = await app.signUp('quick')
  const says = Array.from({ length: 40 }, (_, number) => write(quick, 'patient', `say ${number}`))
  expect(new Set((await Promise.all(says)).map(({ status }) => status))).toEqual(new Set([200]))
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
  await expect
    .poll(() => far.heard.map(([text]) => text), { timeout: 4000 })
    .toEqual(['by the call alone'])
})

test('a late hub call does not deliver again', async () => {
  const [near, far] = [await connect(ann), await connect(bob)]
  await write(ann, 'bob', 'late')
  await expect.poll(() => far.heard.length, { timeout: 4000 }).toBe(1)
  await near.connection.invoke('SendMessageToGroup', 'bob', 'late', '')
  await near.connection.invoke('Subscribe', 'ann')
  expect(far.heard.length).toBe(1)
})

test('a hub call waits for a message that is being delivered', async () => {
  const [near, far] = [await connect(ann), await connect(bob)]
  const { body } = await write(ann, 'bob', 'contested')
  let told: Promise<unknown> = Promise.resolve()
  // The delivery after 2 seconds locks the row like this for a moment.
  await app.app.database.db.transaction().execute(async (tx) => {
    await tx.selectFrom('messages').select('id').where('id', '=', body.id).forUpdate().execute()
    told = near.connection.invoke('SendMessageToGroup', 'bob', 'contested', '')
    await pause(300)
  })
  await told
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
    ids.push(
      (await write(number % 2 === 0 ? kim : lee, number % 2 === 0 ? 'lee' : 'kim', `n ${number}`))
        .body.id,
    )
  }
  const newest = (await history(kim, 'lee')).body.map((message) => message.id)
  expect(newest).toEqual(ids.slice(70))
  const older = (await history(kim, 'lee', `?before=${newest[0]}`)).body.map((one) => one.id)
  expect(older).toEqual(ids.slice(20, 70))
  const missed = (await history(lee, 'kim', `?after=${ids[9]}`)).body.map((one) => one.id)
  expect(missed).toEqual(ids.slice(10))
  // A client without messages catches up from zero, and no message is older than that.
  for (const zero of ['?after=0', '?after=00', '?before=9007199254740991&after=0'])
    expect((await history(lee, 'kim', zero)).body.map((one) => one.id)).toEqual(ids)
  expect((await history(lee, 'kim', '?before=0')).body).toEqual([])
  expect((await history(ann, 'kim')).body).toEqual([])
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
  await done(
    app,
    ida,
    'POST /identity/update',
    formOf({ username: 'ida-maria', email: ida.session.email }),
  )
  const near = await connect(ida)
  await near.connection.invoke('Subscribe', 'ida-maria')
  await near.connection.invoke('SendMessageToGroup', 'max', 'new name', '')
  await expect.poll(() => far.heard.at(-1)?.[2].senderUsername).toBe('ida-maria')
  expect((await write(max, 'ida', 'to the old name')).body.receiverUsername).toBe('ida-maria')
  expect((await history(max, 'ida')).body.length).toBe(2)
})

test('signing out everywhere ends the other connections', async () => {
  const login = await app.call<Person['session']>('POST', '/identity/login', {
    json: { username: 'eve', password: eve.password },
  })
  const other = await connect({ ...eve, session: login.body })
  const here = await connect(eve)
  const closed = new Promise((resolve) => other.connection.onclose(resolve))
  await done(app, eve, 'POST /identity/sessions/revoke')
  expect(await closed).toBeUndefined()
  expect(here.connection.state).toBe('Connected')
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
  const refusal = 'Please check what you entered.'
  await expect(connection.invoke('Subscribe', odd)).rejects.toThrow(refusal)
  await expect(connection.invoke('SendMessageToGroup', odd, 'hello', '')).rejects.toThrow(refusal)
  await expect(connection.invoke('SendMessageToGroup', 'bob', odd, '')).rejects.toThrow(refusal)
  // Over HTTP it is accepted: such characters come along by accident in forms and imports.
  const { status, body } = await write(ann, 'bob', `odd ${odd}`)
  expect([status, body.text]).toEqual([200, `odd ${odd.replace('\0', '').toWellFormed()}`])
})
