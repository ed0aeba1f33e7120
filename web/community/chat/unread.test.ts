import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TabChannel } from '#web/community/chat/link/channel.ts'
import { createUnread } from '#web/community/chat/unread.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A synchronous channel between the tabs of one browser. */
function createChannels() {
  const tabs = new Set<{ receive: (message: unknown) => void }>()
  return (): TabChannel => {
    const own = { receive: (_message: unknown) => {} }
    tabs.add(own)
    return {
      post: (message) => {
        for (const tab of tabs) if (tab !== own) tab.receive(message)
      },
      listen: (listener) => {
        own.receive = listener
      },
      close: () => tabs.delete(own),
    }
  }
}

const server = { unread: 0, fails: false, asked: 0, read: [] as string[] }
beforeEach(() => void Object.assign(server, { unread: 0, fails: false, asked: 0, read: [] }))

function openTab(channel: TabChannel | null) {
  const shown: number[] = []
  const unread = createUnread({
    fetch: () => {
      server.asked += 1
      return server.fails ? Promise.reject(new Error('away')) : Promise.resolve(server.unread)
    },
    markRead: (username) => {
      server.read.push(username)
      server.unread = 0
      return server.fails ? Promise.reject(new Error('away')) : Promise.resolve()
    },
    show: (count) => shown.push(count),
    channel,
  })
  return { unread, last: () => shown.at(-1) }
}

const messageOf = (id: number) => ({
  id,
  text: '',
  senderUsername: 'bob',
  senderImage: '',
  date: '',
})

test('an unreachable server changes nothing', async () => {
  const { unread, last } = openTab(null)
  unread.take(messageOf(1))
  server.fails = true
  await unread.refresh()
  await unread.see('bob')
  expect(last()).toBe(1)
})

test('a message counts once in all tabs', async () => {
  const openChannel = createChannels()
  const tabs = [openTab(openChannel()), openTab(openChannel()), openTab(openChannel())]
  for (const { unread } of tabs.slice(0, 2)) unread.take(messageOf(7))
  tabs[0]?.unread.take(messageOf(7))
  expect(tabs.map(({ last }) => last())).toEqual([1, 1, 1])
  server.unread = 1
  await vi.advanceTimersByTimeAsync(1000)
  expect(tabs.map(({ last }) => last())).toEqual([1, 1, 1])
})

test('a message that the server had already counted is corrected', async () => {
  const { unread, last } = openTab(null)
  server.unread = 1
  await unread.refresh()
  unread.take(messageOf(3))
  expect(last()).toBe(2)
  await vi.advanceTimersByTimeAsync(1000)
  expect([last(), server.asked]).toEqual([1, 2])
})

test('messages read in one tab count in none', async () => {
  const openChannel = createChannels()
  const tabs = [openTab(openChannel()), openTab(openChannel())]
  server.unread = 5
  await tabs[0]?.unread.refresh()
  expect(tabs.map(({ last }) => last())).toEqual([5, 5])
  await tabs[1]?.unread.see('bob')
  expect(tabs.map(({ last }) => last())).toEqual([0, 0])
  expect(server.read).toEqual(['bob'])
})

test('the next person starts at zero', async () => {
  const openChannel = createChannels()
  const [one, other] = [openTab(openChannel()), openTab(openChannel())]
  one.unread.take(messageOf(1))
  one.unread.stop()
  other.unread.take(messageOf(2))
  await vi.advanceTimersByTimeAsync(2000)
  expect(one.last()).toBe(0)
})

test('continuous messages do not delay the request forever', async () => {
  const { unread, last } = openTab(null)
  for (let number = 1; number <= 20; number += 1) {
    server.unread = number
    unread.expect()
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(last()).toBeGreaterThan(15)
  expect(server.asked).toBeLessThan(7)
})
