/** Tests the client against a real server, behind a proxy that can be cut. */
import { describe, expect, test, vi, type TestContext } from 'vitest'
import { chat } from '#contract/chat.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { startTcpProxy } from '#signalr/testing/tcp-proxy.ts'
import type { Person } from '#server/testing/app.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { openTestApp } from '#server/testing/setup.ts'
import {
  createChatLink,
  type LinkNeeds,
  type LinkState,
} from '#web/community/chat/link/chat-link.ts'
import { openRoom } from '#web/community/chat/conversation/room.ts'
import { createUnsentStore } from '#web/community/chat/conversation/unsent-store.ts'
import { ApiError, readError } from '#web/core/api-error.ts'
import type { Api } from '#web/core/api.ts'
import { toWire } from '#web/core/wire.ts'

const app = await openTestApp()

type Ending = Pick<TestContext, 'onTestFinished'>

let people = 0
/** Tests run concurrently, so each one gets its own people. */
const signUp = (name: string): Promise<Person> => app.signUp(`${name}${(people += 1)}`)
const meet = () => Promise.all([signUp('ann'), signUp('bob')])

function createApi(person: Person, origin = app.url): Api {
  return async <C extends Endpoint>(call: C, input: unknown) => {
    const { method, url, body } = toWire(call, input)
    const headers = {
      authorization: `Bearer ${person.session.accessToken}`,
      ...(body !== null && { 'content-type': 'application/json' }),
    }
    const answer = await fetch(origin + url, { method, body, headers }).catch(() => {
      throw new ApiError({ status: 0, message: 'not reached' })
    })
    const text = await answer.text()
    if (!answer.ok) throw readError(answer.status, JSON.parse(text), answer.statusText)
    // The server reduces its answers to the contract's shape.
    return (text === '' ? null : JSON.parse(text)) as never
  }
}

function openLink({ onTestFinished }: Ending, person: Person, change: Partial<LinkNeeds> = {}) {
  const states: LinkState[] = []
  const link = createChatLink({
    url: `${app.url}/chatHub`,
    token: () => Promise.resolve(person.session.accessToken),
    renew: () => Promise.resolve(null),
    username: () => person.session.username,
    ...change,
  })
  link.onState(() => states.push(link.state()))
  onTestFinished(() => link.stop())
  link.start()
  return { link, states }
}

async function openProxy({ onTestFinished }: Ending) {
  const proxy = await startTcpProxy(Number(new URL(app.url).port))
  onTestFinished(() => proxy.close())
  return proxy
}

/** Opens a conversation in a tab that has its own proxy. */
async function openTab(
  ending: Ending,
  person: Person,
  { session: { username: other } }: Person,
  change: Partial<LinkNeeds> = {},
) {
  const proxy = await openProxy(ending)
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  const history = await createApi(person)(chat.history, { receiver: other })
  const { link, states } = openLink(ending, person, { url: `${proxy.url}/chatHub`, ...change })
  const room = openRoom({
    api: createApi(person, proxy.url),
    link,
    store: createUnsentStore(() => storage, person.session._id, other),
    me: person.session,
    other,
    history,
    unread: 0,
    isSeen: () => true,
  })
  ending.onTestFinished(() => room.close())
  const elsewhere: string[] = []
  room.onElsewhere((one) => elsewhere.push(one.text))
  await shows(link.state, 'connected')
  const texts = () => room.current().confirmed.map((one) => one.text)
  return { proxy, link, states, room, elsewhere, texts }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
// Detecting a dead network takes seconds, and longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 })
/** `expect.poll` cannot be used in concurrent tests, because it does not know which test it belongs to. */
const shows = <T>(read: () => T, value: T) =>
  vi.waitFor(() => expect(read()).toEqual(value), { timeout: 40_000, interval: 20 })

describe.concurrent('the link', () => {
  test.for([
    ['forged', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl'],
    ['broken', 'no token'],
  ] as const)('ends with a %s token when none comes instead', async ([, token], ending) => {
    const asked: string[] = []
    const { link, states } = openLink(ending, await signUp('eve'), {
      token: () => Promise.resolve(token),
      renew: (stale) => {
        asked.push(stale)
        return Promise.resolve(null)
      },
    })
    await shows(link.state, 'signedOut')
    expect([states, asked]).toEqual([['connecting', 'signedOut'], [token]])
  })

  test('sends no request while nobody is signed in', async (ending) => {
    const nowhere = { url: 'http://127.0.0.1:1', token: () => Promise.resolve(null) }
    const { states } = openLink(ending, await signUp('eve'), nowhere)
    await shows(() => states, ['connecting', 'signedOut'])
  })

  test('renews a refused token once', async (ending) => {
    const eve = await signUp('eve')
    let token = 'stale'
    const { states } = openLink(ending, eve, {
      token: () => Promise.resolve(token),
      renew: () => Promise.resolve((token = eve.session.accessToken)),
    })
    await shows(() => states, ['connecting', 'connected'])
  })

  test('retries when the first start fails', async (ending) => {
    const proxy = await openProxy(ending)
    proxy.block()
    const { link, states } = openLink(ending, await signUp('eve'), { url: `${proxy.url}/chatHub` })
    await shows(link.state, 'disconnected')
    proxy.restore()
    link.wake()
    await shows(() => states, ['connecting', 'disconnected', 'connected'])
  })

  test('ends when the user signs out everywhere', async (ending) => {
    const eve = await signUp('eve')
    const { link, states } = openLink(ending, eve)
    await shows(link.state, 'connected')
    const { body: session } = await app.call<Person['session']>('POST', '/identity/login', {
      json: { username: eve.session.username, password: eve.password },
    })
    await app.call('POST', '/identity/sessions/revoke', { as: { ...eve, session } })
    await shows(link.state, 'signedOut')
    expect(states).not.toContain('disconnected')
  })

  test('detects a dead connection when the tab wakes', async (ending) => {
    const [ann, bob] = await meet()
    const { proxy, link, states } = await openTab(ending, ann, bob)
    proxy.freeze()
    link.wake()
    await shows(() => states, ['connecting', 'connected', 'reconnecting', 'connected'])
  })

  test('does not reconnect after it was stopped', async (ending) => {
    const { link, states } = openLink(ending, await signUp('eve'))
    await shows(link.state, 'connected')
    link.stop()
    link.wake()
    await pause(300)
    expect(states).toEqual(['connecting', 'connected', 'off'])
  })
})

describe.concurrent('a room', () => {
  test.for(['WebSockets', 'ServerSentEvents', 'LongPolling'] as const)(
    'over %s loses nothing through a cut',
    async (transport, ending) => {
      const [ann, bob] = await meet()
      const near = await openTab(ending, ann, bob, { transport })
      const far = await openTab(ending, bob, ann, { transport })
      near.room.send('<b>1</b> здравей')
      await shows(far.texts, ['<b>1</b> здравей'])
      // The sender's confirmation may arrive after the message does at the receiver.
      await shows(() => near.room.current().unsent.length, 0)
      near.proxy.block()
      near.proxy.cut()
      near.room.send('kept while away')
      far.room.send('missed while away')
      await pause(200)
      expect(near.room.current().unsent).toHaveLength(1)
      near.proxy.restore()
      near.link.wake()
      await shows(() => far.texts().length, 3)
      await shows(near.texts, far.texts())
      expect(near.texts().slice(1)).toEqual(['missed while away', 'kept while away'])
      expect(near.room.current().unsent).toEqual([])
    },
  )

  test('shows the same in three tabs of one person', async (ending) => {
    const [ann, bob] = await meet()
    const tabs = await Promise.all([1, 2, 3].map(() => openTab(ending, ann, bob)))
    const far = await openTab(ending, bob, ann)
    for (const [at, tab] of tabs.entries()) tab.room.send(`from tab ${at}`)
    far.room.send('to all tabs')
    for (const tab of [far, ...tabs]) {
      await shows(() => tab.texts().length, 4)
      expect(tab.texts()).toEqual(far.texts())
    }
  })

  test('ignores messages from other people and follows a new name', async (ending) => {
    const [ann, bob] = await meet()
    const eva = await signUp('eva')
    const near = await openTab(ending, ann, bob)
    const stranger = await openTab(ending, eva, ann)
    stranger.room.send('not for this room')
    await shows(() => near.elsewhere, ['not for this room'])
    const form = formOf({ username: 'robert', email: bob.session.email })
    expect((await app.call('POST', '/identity/update', { as: bob, form })).status).toBe(200)
    const friend = await openTab(ending, bob, ann)
    friend.room.send('still me')
    await shows(near.texts, ['still me'])
    expect([near.room.current().other, near.elsewhere]).toEqual(['robert', ['not for this room']])
    near.room.send('to your new name')
    await shows(friend.texts, ['still me', 'to your new name'])
  })

  test('loads older pages up to the first message', async (ending) => {
    const [ann, bob] = await meet()
    const all = Array.from({ length: 120 }, (_, place) => `word ${place}`)
    const at = new Date(0)
    const [sender_id, receiver_id] = [ann.session._id, bob.session._id]
    const rest = { sender_id, receiver_id, created_at: at, delivered_at: at, claimed_at: at }
    // Inserted by SQL, because sending is rate-limited.
    await app.app.database.db
      .insertInto('messages')
      .values(all.map((text) => ({ text, ...rest })))
      .execute()
    const { room, texts } = await openTab(ending, ann, bob)
    expect(texts()).toEqual(all.slice(70))
    await Promise.all([room.loadOlder(), room.loadOlder()])
    expect(texts()).toEqual(all.slice(20))
    await room.loadOlder()
    expect([texts(), room.current().hasOlder]).toEqual([all, false])
  })
})
