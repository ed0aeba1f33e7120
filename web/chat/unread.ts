/** How many messages wait for the signed-in person, the same in all tabs. */
import * as z from 'zod/mini'
import type { Received } from '#web/chat/conversation.ts'

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

export interface TabChannel {
  /** To the others, not to this tab. */
  readonly say: (word: unknown) => void
  readonly listen: (listener: (word: unknown) => void) => void
  readonly close: () => void
}

export interface Unread {
  /** Asks the server: at the start, and when a tab is looked at again. Never rejects. */
  readonly refresh: () => Promise<void>
  /** A live message that the person is not looking at: one more. */
  readonly take: (one: Received) => void
  /** Something came: asks the server when things are quiet. */
  readonly expect: () => void
  /** All messages of a person have been seen. Never rejects. */
  readonly see: (username: string) => Promise<void>
  readonly stop: () => void
}

/** Between tabs: the number that the server told, or a message that came. */
const Word = z.union([z.object({ total: z.number() }), z.object({ id: z.number() })])

/** The server may have counted a message before it came: it is asked when things are quiet. */
const QUIET_MS = 1000
/** As many ids are known, so that a message that several tabs tell of counts once. */
const MOST_IDS = 500

export function createUnread(needs: UnreadNeeds): Unread {
  const { channel, show } = needs
  const counted = new Set<number>()
  let count = 0
  let asked = 0
  let isStopped = false
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

  function say(word: z.infer<typeof Word>): void {
    channel?.say(word)
  }

  async function refresh(): Promise<void> {
    clearTimeout(timer)
    asked += 1
    const own = asked
    const total = await needs.fetch().catch(() => null)
    // A newer question has the newer answer.
    if (total === null || own !== asked || isStopped) return
    set(total)
    say({ total })
  }

  channel?.listen((given) => {
    const { data } = Word.safeParse(given)
    if (data === undefined) return
    if ('total' in data) set(data.total)
    else if (note(data.id)) set(count + 1)
  })

  function expect(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void refresh(), QUIET_MS)
  }

  return {
    refresh,
    take: ({ id }) => {
      if (isStopped) return
      expect()
      if (!note(id)) return
      set(count + 1)
      say({ id })
    },
    expect,
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
