/** How many messages wait for the signed-in person, the same in all tabs. */
import * as z from 'zod/mini'
import type { TabChannel } from '#web/chat/link/channel.ts'
import type { Received } from '#web/chat/conversation/conversation.ts'

export interface UnreadNeeds {
  /** GET /message/unread */
  readonly fetch: () => Promise<number>
  /** POST /message/read/{username} */
  readonly markRead: (username: string) => Promise<unknown>
  /** The number to show: `setUnreadCount` in a page. */
  readonly show: (count: number) => void
  /** To the other tabs of the same person; null where there is none. */
  readonly channel: TabChannel | null
}

export interface Unread {
  /** Asks the server: at the start, and when a tab is looked at again. Never rejects. */
  readonly refresh: () => Promise<void>
  /** A live message that the person is not looking at: one more. */
  readonly take: (one: Received) => void
  /** Something came, or was read elsewhere: asks the server soon, once for all that happens until then. */
  readonly expect: () => void
  /** All messages of a person have been seen. Never rejects. */
  readonly see: (username: string) => Promise<void>
  readonly stop: () => void
}

/** Between tabs: the number that the server answered, or a message that came. */
const TabMessage = z.union([z.object({ total: z.number() }), z.object({ id: z.number() })])

/** The server may have counted a message before it came: it is asked when things are quiet. */
const QUIET_MS = 1000
/** Whoever looks at a conversation has marked it as read by then. */
const SOON_MS = 400
/** As many ids are known, so that a message that several tabs report counts once. */
const MOST_IDS = 500

/**
 * Counts the unread messages of one person until it is stopped. The server is asked for the number, and messages that
 * come meanwhile are added, each once.
 * @param needs the channel to the other tabs, how the server is asked, and where the number is shown
 */
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

  /** False: it was counted before. */
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

  /** A question that waits for a quiet moment may wait long; one that is due soon is not put off. */
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
    // A newer question has the newer answer.
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
