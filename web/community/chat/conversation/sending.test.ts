import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Message } from '#contract/chat.ts'
import {
  beginConversation,
  type Conversation,
} from '#web/community/chat/conversation/conversation.ts'
import { createSending, type Sending } from '#web/community/chat/conversation/sending.ts'
import { createUnsentStore } from '#web/community/chat/conversation/unsent-store.ts'
import { ApiError } from '#web/core/api-error.ts'

/** A fake server with one conversation. It stores messages by draft id and fails on demand. */
function createServer() {
  const stored = new Map<string, Message>()
  const tries: string[] = []
  const notified: string[] = []
  /** One fault for each coming call. `lost` stores the message but loses the confirmation. */
  const faults: (ApiError | 'lost')[] = []
  const create = async (draftId: string, text: string): Promise<Message> => {
    tries.push(text)
    const fault = faults.shift()
    if (fault instanceof ApiError) throw fault
    const message = stored.get(draftId) ?? messageOf(stored.size + 1, text)
    stored.set(draftId, message)
    if (fault === 'lost') throw offline
    return message
  }
  return { stored, tries, notified, faults, create }
}

const offline = new ApiError({ status: 0, message: 'not reached' })
const refusal = (status: number, retryAfter?: number) =>
  new ApiError({ status, message: `refused with ${status}`, retryAfter })

const messageOf = (id: number, text: string): Message => ({
  id,
  text,
  senderUsername: 'ann',
  senderImage: '',
  receiverUsername: 'bob',
  receiverImage: '',
  date: '',
})

function createStorage() {
  const stored = new Map<string, string>()
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
    stored,
  }
}

type Server = ReturnType<typeof createServer>

/** Several tabs may share the storage and the server. */
function openTab(server: Server, storage = createStorage()) {
  let conversation = beginConversation({ me: 'ann', other: 'bob', history: [], unread: 0 })
  const sending: Sending = createSending({
    store: createUnsentStore(() => storage, 'ann-id', 'bob-id'),
    read: () => conversation,
    change: (step: (old: Conversation) => Conversation) => {
      conversation = step(conversation)
    },
    create: server.create,
    notify: ({ text }) => server.notified.push(text),
  })
  return { sending, storage, now: () => conversation }
}

const settle = () => vi.advanceTimersByTimeAsync(0)
const texts = (tab: ReturnType<typeof openTab>) => tab.now().confirmed.map((one) => one.text)
const unsent = (tab: ReturnType<typeof openTab>) =>
  tab.now().unsent.map(({ text, state, words }) => [text, state, words])

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.clearAllTimers()
  vi.useRealTimers()
})

test.each(['', ' \n ', 'я'.repeat(201)])('%j is not accepted', (text) => {
  const server = createServer()
  const tab = openTab(server)
  expect(tab.sending.send(text)).toBe(false)
  expect([unsent(tab), server.tries]).toEqual([[], []])
})

test.each([400, 403, 404])(
  'a message refused with %i is not retried automatically',
  async (status) => {
    const server = createServer()
    const tab = openTab(server)
    server.faults.push(refusal(status))
    tab.sending.send('first')
    tab.sending.send('second')
    await vi.advanceTimersByTimeAsync(120_000)
    tab.sending.flush()
    await settle()
    expect(server.tries).toEqual(['first', 'second'])
    expect(unsent(tab)).toEqual([['first', 'refused', `refused with ${status}`]])
    expect(texts(tab)).toEqual(['second'])
  },
)

describe('a refused message', () => {
  test('is sent when the user retries, and announced to the hub', async () => {
    const server = createServer()
    const tab = openTab(server)
    server.faults.push(refusal(403))
    tab.sending.send('again')
    await settle()
    tab.sending.retry(tab.now().unsent[0]?.draftId ?? '')
    await settle()
    expect([texts(tab), unsent(tab), server.notified]).toEqual([['again'], [], ['again']])
    expect(tab.storage.stored.size).toBe(0)
  })

  test('does not come back after the user removes it', async () => {
    const server = createServer()
    const tab = openTab(server)
    server.faults.push(refusal(403))
    tab.sending.send('never')
    await settle()
    tab.sending.remove(tab.now().unsent[0]?.draftId ?? '')
    expect([unsent(tab), tab.storage.stored.size]).toEqual([[], 0])
    expect(unsent(openTab(server, tab.storage))).toEqual([])
  })
})

test('a rate-limited message waits as long as the server says', async () => {
  const server = createServer()
  const tab = openTab(server)
  server.faults.push(refusal(429, 20))
  tab.sending.send('one')
  tab.sending.send('two')
  await vi.advanceTimersByTimeAsync(19_900)
  tab.sending.flush()
  tab.sending.send('three')
  await settle()
  expect(server.tries).toEqual(['one'])
  expect(unsent(tab)[0]).toEqual(['one', 'waiting', 'refused with 429'])
  await vi.advanceTimersByTimeAsync(200)
  expect([texts(tab), server.notified]).toEqual([
    ['one', 'two', 'three'],
    ['one', 'two', 'three'],
  ])
})

test.each([
  ['by itself', () => vi.advanceTimersByTime(2000)],
  ['at once when the link is back', (tab: ReturnType<typeof openTab>) => tab.sending.flush()],
  ['with the next one', (tab: ReturnType<typeof openTab>) => tab.sending.send('two')],
])('what could not be sent goes out %s, in order', async (_when, act) => {
  const server = createServer()
  const tab = openTab(server)
  server.faults.push(offline)
  tab.sending.send('one')
  await settle()
  expect(unsent(tab)).toEqual([['one', 'waiting', 'not reached']])
  act(tab)
  await settle()
  expect(texts(tab)[0]).toBe('one')
  expect(unsent(tab)).toEqual([])
})

test('a lost confirmation neither duplicates the message nor notifies the hub', async () => {
  const server = createServer()
  const tab = openTab(server)
  server.faults.push('lost', 'lost')
  tab.sending.send('once')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.tries).toHaveLength(3)
  expect([server.stored.size, texts(tab), server.notified]).toEqual([1, ['once'], []])
})

test('the next tab sends what a closed tab left unsent', async () => {
  const server = createServer()
  server.faults.push(offline)
  const first = openTab(server)
  first.sending.send('kept')
  first.sending.send('kept too')
  await settle()
  first.sending.stop()
  const next = openTab(server, first.storage)
  await settle()
  expect([texts(next), server.notified]).toEqual([['kept', 'kept too'], []])
  expect(next.storage.stored.size).toBe(0)
})

test('a tab does not send what another has sent or removed', async () => {
  const server = createServer()
  server.faults.push(offline, offline)
  const one = openTab(server)
  one.sending.send('shared')
  await settle()
  const other = openTab(server, one.storage)
  await settle()
  one.sending.remove(one.now().unsent[0]?.draftId ?? '')
  await vi.advanceTimersByTimeAsync(60_000)
  expect([server.stored.size, unsent(one), unsent(other)]).toEqual([0, [], []])
})

test('without storage it works as long as the tab is open', async () => {
  const server = createServer()
  server.faults.push(offline)
  const full = {
    ...createStorage(),
    setItem: () => {
      throw new Error('full')
    },
  }
  const tab = openTab(server, full)
  tab.sending.send('in memory')
  await vi.advanceTimersByTimeAsync(60_000)
  expect([texts(tab), unsent(tab)]).toEqual([['in memory'], []])
})
