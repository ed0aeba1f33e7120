/** How many messages wait for the signed-in person, the same in all tabs. */
import type { Received } from '#web/chat/conversation.ts'

export interface UnreadNeeds {
  /** GET /message/unread */
  readonly fetch: () => Promise<number>
  /** POST /message/read/{username} */
  readonly markRead: (username: string) => Promise<unknown>
  /** The number to show has changed: `setUnreadCount` in a page. */
  readonly show: (count: number) => void
  /** Between the tabs of one person; null where there is none. */
  readonly channel: BroadcastChannel | null
}

export interface Unread {
  /** Asks the server: at the start, and when a tab is looked at again. Never rejects. */
  readonly refresh: () => Promise<void>
  /** A live message that the person is not looking at: one more. */
  readonly take: (one: Received) => void
  /** All messages of a person have been seen. Never rejects. */
  readonly see: (username: string) => Promise<void>
  readonly stop: () => void
}
