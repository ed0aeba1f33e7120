/**
 * A tab's connection to the chat hub: starts again whatever ends it, follows the session, and asks its listeners to
 * catch up after each connect. It takes what it needs as arguments and touches no page, so it runs in Node as well.
 */
import type { Message } from '#contract/chat.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { Received } from '#web/chat/conversation.ts'

/**
 * - `off`: not started, or stopped.
 * - `connecting`: for the first time.
 * - `reconnecting`: the connection was lost a moment ago.
 * - `disconnected`: it could not be had twice; it is tried again every 30 s and when the network returns.
 * - `signedOut`: the session is over; it starts again with the next sign-in.
 */
export type LinkState =
  | 'off'
  | 'connecting'
  | 'connected'
  | 'reconnecting'
  | 'disconnected'
  | 'signedOut'

/** What to say of a state; null: nothing to say. */
export const LINK_WORDS: Readonly<Record<LinkState, MessageKey | null>> = {
  off: null,
  connecting: 'chatConnecting',
  connected: null,
  reconnecting: 'chatReconnecting',
  disconnected: 'chatDisconnected',
  signedOut: 'chatSignedOut',
}

export interface LinkNeeds {
  /** Of the hub: `/chatHub` in a page. */
  readonly url: string
  /** A token that is good now; null when nobody is signed in. May reject when the server is not reached. */
  readonly token: () => Promise<string | null>
  /** A newer token than the one that was refused; null when the session is over. */
  readonly renew: (stale: string) => Promise<string | null>
  /** The signed-in person's name today. */
  readonly username: () => string
  /** One transport alone, for tests; without it the best that works. */
  readonly transport?: 'WebSockets' | 'ServerSentEvents' | 'LongPolling'
}

/** Each `on…` answers a function that ends the listening. */
export interface ChatLink {
  readonly state: () => LinkState
  readonly onState: (listener: () => void) => () => void
  /** A message for the signed-in person, of whoever. */
  readonly onReceived: (listener: (one: Received) => void) => () => void
  /** A message that the signed-in person sent elsewhere. */
  readonly onSent: (listener: (message: Message) => void) => () => void
  /** Something may have been missed: after each connect, and when a sleeping tab wakes. */
  readonly onGap: (listener: () => void) => () => void
  /** Connects and stays connected until `stop`. */
  readonly start: () => void
  readonly stop: () => Promise<void>
  /** The network is back or the tab is looked at: tries at once, and makes sure of a connection that looks well. */
  readonly wake: () => void
  /** Asks for the delivery of a stored message. Never fails: what is not asked for is delivered 2 s later. */
  readonly tell: (receiver: string, text: string, image: string) => void
}
