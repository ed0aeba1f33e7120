/**
 * One open conversation: its state, what arrives, what is sent. A page opens one with the loader's data (`openRoom` in
 * an effect), shows `current()` by `useSyncExternalStore(room.subscribe, room.current)` and closes it.
 */
import type { Message } from '#contract/chat.ts'
import type { ChatLink } from '#web/chat/chat-link.ts'
import type { Conversation, Received } from '#web/chat/conversation.ts'
import type { UnsentStore } from '#web/chat/sending.ts'
import type { Api } from '#web/core/api.ts'

export interface RoomNeeds {
  readonly api: Api
  readonly link: ChatLink
  readonly store: UnsentStore
  readonly me: { readonly username: string; readonly imageUrl: string }
  /** Their name; a former one will do. */
  readonly other: string
  /** The newest page of the history and the number of unread ones, as the loader has them. */
  readonly history: readonly Message[]
  readonly unread: number
  /** Whether the person is looking at the conversation (and so at what arrives now). */
  readonly isSeen: () => boolean
}

export interface Room {
  readonly current: () => Conversation
  readonly subscribe: (listener: () => void) => () => void
  /** A message of the other person arrived live or by catch-up: for the sound. Once each. */
  readonly onArrival: (listener: () => void) => () => void
  /** A live message of somebody else: for the contacts' counts. */
  readonly onElsewhere: (listener: (one: Received) => void) => () => void
  /** Text of 1 to 200 characters. */
  readonly send: (text: string) => void
  readonly retry: (draftId: string) => void
  readonly remove: (draftId: string) => void
  /** Fetches 50 older ones; calls while one is under way join it. @throws ApiError */
  readonly loadOlder: () => Promise<void>
  /** Takes the "new messages" divider away. */
  readonly dropDivider: () => void
  readonly close: () => void
}
