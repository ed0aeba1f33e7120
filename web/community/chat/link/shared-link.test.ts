/** Tests several tabs of one browser with real locks and channels. */
import { afterEach, expect, test, vi } from 'vitest'
import type { Message } from '#contract/chat.ts'
import { openChannel } from '#web/community/chat/link/channel.ts'
import type { ChatLink, LinkState } from '#web/community/chat/link/chat-link.ts'
import type { Received } from '#web/community/chat/conversation/conversation.ts'
import { joinElection } from '#web/community/chat/link/election.ts'
import { createListeners } from '#web/community/chat/link/listeners.ts'
import { createSharedLink } from '#web/community/chat/link/shared-link.ts'

const closing: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  for (const close of closing.splice(0)) close()
})

/** A fake link to a hub that is always reachable. */
function createOwn() {
  let state: LinkState = 'off'
  const states = createListeners<[]>()
  const received = createListeners<[Received]>()
  const sent = createListeners<[Message]>()
  const reads = createListeners<[]>()
  const noticed = createListeners<[number | null]>()
  const gaps = createListeners<[]>()
  const notified: string[] = []
  let wakes = 0
  const enter = (next: LinkState) => {
    if (state === next) return
    state = next
    states.call()
  }
  const link: ChatLink = {
    state: () => state,
    onState: states.add,
    onReceived: received.add,
    onSent: sent.add,
    onRead: reads.add,
    onNoticed: noticed.add,
    onGap: gaps.add,
    start: () => {
      enter('connected')
      gaps.call()
    },
    stop: () => enter('off'),
    wake: () => {
      wakes += 1
    },
    notify: ({ text }) => notified.push(text),
  }
  return { link, notified, enter, received, noticed, wakes: () => wakes }
}

let browsers = 0
const newBrowser = () => `browser${(browsers += 1)}`

function openTab(browser: string) {
  const own = createOwn()
  /** A frozen tab receives and posts nothing, but still holds its lock. */
  let isFrozen = false
  const link = createSharedLink({
    own: own.link,
    openChannel: () => {
      const channel = openChannel(browser)
      return {
        ...channel,
        post: (message) => !isFrozen && channel.post(message),
        listen: (listener) => channel.listen((message) => !isFrozen && listener(message)),
      }
    },
    joinElection: (leadership) => joinElection(browser, leadership),
  })
  const received: string[] = []
  let gaps = 0
  link.onReceived(({ text }) => received.push(`got ${text}`))
  link.onSent(({ text }) => received.push(`sent ${text}`))
  link.onRead(() => received.push('read'))
  link.onNoticed((unread) => received.push(`${unread} unread`))
  link.onGap(() => {
    gaps += 1
  })
  closing.push(() => link.stop())
  link.start()
  return { link, own, received, gaps: () => gaps, freeze: (is: boolean) => (isFrozen = is) }
}

const one: Received = { id: 1, text: 'hello', senderUsername: 'bob', senderImage: '', date: '' }
const message: Message = {
  id: 2,
  text: 'mine',
  senderUsername: 'ann',
  senderImage: '/a',
  receiverUsername: 'bob',
  receiverImage: '/b',
  date: '2026-11-22T06:00:00.000Z',
}
const leaders = (tabs: readonly ReturnType<typeof openTab>[]) =>
  tabs.map(({ own }) => own.link.state() !== 'off')

test('one tab connects, and all tabs receive the messages', async () => {
  const browser = newBrowser()
  const tabs = [openTab(browser), openTab(browser), openTab(browser)]
  await expect.poll(() => tabs.map(({ link }) => link.state())).toEqual(Array(3).fill('connected'))
  expect(leaders(tabs)).toEqual([true, false, false])
  expect(tabs.map(({ link }) => link.isLeader())).toEqual([true, false, false])
  tabs[0]?.own.received.call(one)
  await expect
    .poll(() => tabs.map(({ received }) => received))
    .toEqual(Array(3).fill(['got hello']))
  tabs[0]?.own.noticed.call(3)
  await expect
    .poll(() => tabs.map(({ received }) => received.at(-1)))
    .toEqual(Array(3).fill('3 unread'))
})

test('the leader sends the message of a tab once, and the other tabs show it', async () => {
  const browser = newBrowser()
  const tabs = [openTab(browser), openTab(browser), openTab(browser)]
  await expect.poll(() => tabs[2]?.link.state()).toBe('connected')
  tabs[1]?.link.notify(message, '')
  await expect.poll(() => tabs[0]?.own.notified).toEqual(['mine'])
  await expect.poll(() => tabs[2]?.received).toEqual(['sent mine'])
  expect(tabs.map(({ own }) => own.notified.length)).toEqual([1, 0, 0])
  tabs[0]?.link.notify({ ...message, text: 'of the leader' }, '')
  await expect.poll(() => tabs[1]?.received).toEqual(['sent of the leader'])
  expect(tabs[0]?.own.notified).toEqual(['mine', 'of the leader'])
})

test('when the leader closes another takes over, and all catch up', async () => {
  const browser = newBrowser()
  const tabs = [openTab(browser), openTab(browser), openTab(browser)]
  await expect.poll(() => tabs[2]?.link.state()).toBe('connected')
  const before = tabs.map(({ gaps }) => gaps())
  tabs[0]?.link.stop()
  await expect.poll(() => leaders(tabs)).toEqual([false, true, false])
  await expect.poll(() => tabs[2]?.gaps()).toBeGreaterThan(before[2] ?? 0)
  tabs[1]?.own.received.call(one)
  await expect.poll(() => tabs[2]?.received).toEqual(['got hello'])
  expect(tabs[0]?.received).toEqual([])
})

test('a tab that wakes replaces a leader that does not answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const browser = newBrowser()
  const tabs = [openTab(browser), openTab(browser)]
  await vi.waitUntil(() => tabs[1]?.link.state() === 'connected')
  tabs[1]?.link.wake()
  await vi.waitUntil(() => tabs[0]?.own.wakes() === 1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(leaders(tabs)).toEqual([true, false])
  tabs[0]?.freeze(true)
  tabs[1]?.link.wake()
  await vi.advanceTimersByTimeAsync(5500)
  // It learns that it has lost the lock when it thaws.
  tabs[0]?.freeze(false)
  await vi.waitUntil(() => tabs[1]?.link.isLeader() === true)
  await vi.waitUntil(() => tabs[0]?.link.isLeader() === false)
  expect(leaders(tabs)).toEqual([false, true])
})

test('a session ends in all tabs, and returns in all', async () => {
  const browser = newBrowser()
  const tabs = [openTab(browser), openTab(browser)]
  await expect.poll(() => tabs[1]?.link.state()).toBe('connected')
  tabs[0]?.own.enter('signedOut')
  await expect.poll(() => tabs[1]?.link.state()).toBe('signedOut')
  // Each tab notices the new sign-in and starts.
  for (const { link } of tabs) link.start()
  await expect.poll(() => tabs.map(({ link }) => link.state())).toEqual(['connected', 'connected'])
})

test('two people in two browsers do not share messages', async () => {
  const tabs = [openTab(newBrowser()), openTab(newBrowser())]
  await expect.poll(() => leaders(tabs)).toEqual([true, true])
  tabs[0]?.own.received.call(one)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(tabs[1]?.received).toEqual([])
})

test('if the browser refuses locks, each tab connects on its own and asks only once', async () => {
  const browser = newBrowser()
  // Chromium answers like this if cookies are blocked. The limit of 100 ends the endless retries that this test guards
  // against.
  const refused = new DOMException('The request was denied.', 'SecurityError')
  const asked = vi.spyOn(navigator.locks, 'request').mockImplementation(async () => {
    if (asked.mock.calls.length < 100) throw refused
    return new Promise(() => {})
  })
  const tabs = [openTab(browser), openTab(browser)]
  await expect.poll(() => tabs.map(({ link }) => link.state())).toEqual(['connected', 'connected'])
  expect(leaders(tabs)).toEqual([true, true])
  expect(asked).toHaveBeenCalledTimes(2)
})
