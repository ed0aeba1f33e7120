/** Counts the signed-in user's unread messages, the same in all tabs. */
import * as z from 'zod/mini'
import type { TabChannel } from '#web/community/chat/link/channel.ts'
import type { Received } from '#web/community/chat/conversation/conversation.ts'

export interface UnreadNeeds {
  /** GET /message/unread. */
  readonly fetch: () => Promise<number>
  /** POST /message/read/{username}. */
  readonly markRead: (username: string) => Promise<unknown>
  /** `setUnreadCount` in a page. */
  readonly show: (count: number) => void
  /** The other tabs of the same user, or null if there is no channel. */
  readonly channel: TabChannel | null
}

export interface Unread {
  /** Fetches the count, at the start without a connection and when the tab becomes visible again. Never rejects. */
  readonly refresh: () => Promise<void>
  /** Counts a live message that the user is not looking at. */
  readonly take: (one: Received) => void
  /** Something arrived or was read elsewhere. Fetches the count soon, once for everything until then. */
  readonly expect: () => void
  /** Marks all messages of a person as read. Never rejects. */
  readonly see: (username: string) => Promise<void>
  readonly stop: () => void
}

/** Tabs exchange the fetched count, or the id of an arrived message. */
const TabMessage = z.union([z.object({ total: z.number() }), z.object({ id: z.number() })])

/** Wait in ms until no more messages arrive. The server may have counted one before it arrived here. */
const QUIET_MS = 1000
/** Wait in ms after which a visible conversation has marked its messages as read. */
const SOON_MS = 400
/** Maximum number of ids to remember, so that a message reported by several tabs counts once. */
const MOST_IDS = 500

/** Counts for one person until it is stopped. It fetches the count and adds each message that arrives meanwhile. */
export function createUnread(needs: UnreadNeeds): Unread {
  const { channel, show } = needs
  const counted = new Set<number>()
  let count = 0
  let asked = 0
  let isStopped = false
  let isSoon = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function set(next: number): void {
    count = next
    show(count)
  }

  /** Returns false if the message was already counted. */
  function note(id: number): boolean {
    if (counted.has(id)) return false
    counted.add(id)
    const [oldest] = counted
    if (counted.size > MOST_IDS && oldest !== undefined) counted.delete(oldest)
    return true
  }

  function post(message: z.infer<typeof TabMessage>): void {
    channel?.post(message)
  }

  /** Postpones a request that waits for quiet. One that is due soon is not postponed. */
  function askIn(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void refresh(), ms)
  }

  async function refresh(): Promise<void> {
    clearTimeout(timer)
    isSoon = false
    asked += 1
    const own = asked
    const total = await needs.fetch().catch(() => null)
    // A newer request has the newer answer.
    if (total === null || own !== asked || isStopped) return
    set(total)
    post({ total })
  }

  channel?.listen((given) => {
    const { data } = TabMessage.safeParse(given)
    if (data === undefined) return
    if ('total' in data) set(data.total)
    else if (note(data.id)) set(count + 1)
  })

  return {
    refresh,
    take: ({ id }) => {
      if (isStopped) return
      if (!isSoon) askIn(QUIET_MS)
      if (!note(id)) return
      set(count + 1)
      post({ id })
    },
    expect: () => {
      if (isStopped || isSoon) return
      isSoon = true
      askIn(SOON_MS)
    },
    see: async (username) => {
      await needs.markRead(username).catch(() => {})
      await refresh()
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      channel?.close()
      set(0)
    },
  }
}
