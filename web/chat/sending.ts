/**
 * Sends the unsent messages of one conversation, one after the other in their order: stored first, by draft id, so
 * that asking again is safe; then the hub is told. Kept in the browser until the server has confirmed them.
 */
import type { Message } from '#contract/chat.ts'
import type { Conversation, Unsent } from '#web/chat/conversation.ts'

/** What is kept of an unsent message. */
export type Kept = Pick<Unsent, 'draftId' | 'text' | 'date' | 'triedAfter'>

/** Where unsent messages outlive the tab; tabs share it. */
export interface UnsentStore {
  /** Null: nothing can be kept here (full or forbidden storage). */
  readonly read: () => readonly Kept[] | null
  readonly put: (one: Kept) => void
  readonly drop: (draftId: string) => void
}

export interface SendingNeeds {
  readonly store: UnsentStore
  readonly read: () => Conversation
  readonly change: (step: (old: Conversation) => Conversation) => void
  /** POST /message/create. @throws ApiError */
  readonly create: (draftId: string, text: string) => Promise<Message>
  /** Asks the hub to deliver it now. */
  readonly tell: (message: Message) => void
}

export interface Sending {
  /** Text of 1 to 200 characters. */
  readonly send: (text: string) => void
  /** Sends a refused or waiting one now. */
  readonly retry: (draftId: string) => void
  readonly remove: (draftId: string) => void
  /** Sends all that wait: the server can be reached again. */
  readonly flush: () => void
  /** No more attempts; what is under way may still be confirmed. */
  readonly stop: () => void
}
