/** How many messages wait for the signed-in person, the same in all tabs. */
import type { Received } from '#web/chat/conversation.ts'

export interface UnreadNeeds {
  /** GET /message/unread */
  readonly fetch: () => Promise<number>
  /** POST /message/read/{username} */
  readonly markRead: (username: string) => Promise<unknown>
  /** The number to show: `setUnreadCount` in a page. */
  readonly show: (count: number) => void
  /** To the other tabs of the same person; null where there is none. */
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'close'> | null
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

/** Between tabs: the number the server told, or a message that came. */
type Word = { readonly total: number } | { readonly id: number }

/** The server may have counted a message before it came: it is asked when things are quiet. */
const QUIET_MS = 1000
/** As many ids are known, so that a message that several tabs tell of counts once. */
const MOST_IDS = 500

export function createUnread(needs: UnreadNeeds): Unread {
  const { channel, show } = needs
  const counted = new Set<number>()
  let count = 0
  let asked = 0
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

  function say(word: Word): void {
    channel?.postMessage(word)
  }

  async function refresh(): Promise<void> {
    clearTimeout(timer)
    asked += 1
    const own = asked
    const total = await needs.fetch().catch(() => null)
    // A newer question has the newer answer.
    if (total === null || own !== asked) return
    set(total)
    say({ total })
  }

  channel?.addEventListener('message', ({ data }) => {
    // Tabs of the same product write here; one of another version may say something else.
    const word = data as Partial<{ total: number; id: number }>
    if (typeof word.total === 'number') set(word.total)
    else if (typeof word.id === 'number' && note(word.id)) set(count + 1)
  })

  function expect(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void refresh(), QUIET_MS)
  }

  return {
    refresh,
    take: ({ id }) => {
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
      clearTimeout(timer)
      asked += 1
      channel?.close()
      set(0)
    },
  }
}
