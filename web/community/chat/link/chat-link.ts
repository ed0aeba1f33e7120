/**
 * A tab's connection to the chat hub. It reconnects after any failure, follows the session, and tells its listeners to
 * catch up after each connect. It does not depend on the DOM, so it also runs in Node.
 */
import * as z from 'zod/mini'
import { Message } from '#contract/chat.ts'
import type { Received } from '#web/community/chat/conversation/conversation.ts'
import { openHub, type Hub } from '#web/community/chat/link/hub.ts'
import { createListeners } from '#web/community/chat/link/listeners.ts'

/**
 * - `off`: not started, or stopped.
 * - `connecting`: for the first time.
 * - `reconnecting`: the connection has just been lost.
 * - `disconnected`: two attempts failed; it retries every 30 s and when the network returns.
 * - `signedOut`: the session is over; `start` begins again after the next sign-in.
 */
export type LinkState =
  | 'off'
  | 'connecting'
  | 'connected'
  | 'reconnecting'
  | 'disconnected'
  | 'signedOut'

export interface LinkNeeds {
  /** `/chatHub` in a page. */
  readonly url: string
  /** A valid token, or null if nobody is signed in. May reject if the server is unreachable. */
  readonly token: () => Promise<string | null>
  /** A newer token than the refused one, or null if the session is over. May reject as `token` does. */
  readonly renew: (stale: string) => Promise<string | null>
  /** The signed-in user's current name. */
  readonly username: () => string
  /** Forces one transport, for tests. Default: the best one that works. */
  readonly transport?: 'WebSockets' | 'ServerSentEvents' | 'LongPolling'
}

/** Each `on…` function returns a function that unsubscribes. */
export interface ChatLink {
  readonly state: () => LinkState
  readonly onState: (listener: () => void) => () => void
  /** A message for the signed-in user, from anybody. */
  readonly onReceived: (listener: (one: Received) => void) => () => void
  /** A message that the signed-in user sent in another tab or device. */
  readonly onSent: (listener: (message: Message) => void) => () => void
  /** The signed-in user has read messages, here or elsewhere. */
  readonly onRead: (listener: () => void) => () => void
  /** The signed-in user's unread notices have changed. The count is null if it must be fetched. */
  readonly onNoticed: (listener: (unread: number | null) => void) => () => void
  /** Messages may have been missed: after each connect, when a sleeping tab wakes, and when the server says so. */
  readonly onGap: (listener: () => void) => () => void
  /** Stays connected until `stop`. Does nothing if it is already started. */
  readonly start: () => void
  readonly stop: () => void
  /** Reconnects at once, and probes a connection that seems fine. For a tab that becomes visible or online. */
  readonly wake: () => void
  /** Asks for the delivery of a stored message. Never fails, because the server delivers it 2 s later anyway. */
  readonly notify: (message: Message, image: string) => void
}

const RETRY_MS = [0, 2000, 10_000, 30_000]
/** A connection that ends sooner counts as failed, so that the next attempt waits. */
const SETTLED_MS = 5000
const PROBE_MS = 5000
const MOST_WITHIN_MS = 5000

const Details = z.object({ id: z.number(), senderUsername: z.string(), date: z.string() })

/** The state between `start` and `stop`. */
interface Life {
  hub: Hub | null
  /** Ends the pause before the next attempt. */
  hurry: () => void
}

/** Creates a link that is off. */
export function createChatLink(needs: LinkNeeds): ChatLink {
  let state: LinkState = 'off'
  let life: Life | null = null
  const states = createListeners<[]>()
  const received = createListeners<[Received]>()
  const sent = createListeners<[Message]>()
  const reads = createListeners<[]>()
  const noticed = createListeners<[number | null]>()
  const gaps = createListeners<[]>()

  function enter(next: LinkState): void {
    if (next === state) return
    state = next
    states.call()
  }

  async function live(own: Life): Promise<void> {
    let failures = 0
    let isFirst = true
    while (life === own) {
      if (failures < 2) enter(isFirst ? 'connecting' : 'reconnecting')
      const began = await connect(own)
      if (life !== own) break
      if (began === 'signedOut') {
        life = null
        enter('signedOut')
        return
      }
      if (began === 'failed') failures += 1
      else {
        const since = Date.now()
        enter('connected')
        gaps.call()
        await began.ended
        own.hub = null
        isFirst = false
        if (Date.now() - since >= SETTLED_MS) failures = 0
        else failures += 1
      }
      if (life === own && failures >= 2) enter('disconnected')
      if (life === own) await pause(own, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0)
    }
  }

  /** Never rejects. */
  async function connect(own: Life): Promise<Hub | 'failed' | 'signedOut'> {
    try {
      let token = await needs.token()
      if (token === null) return 'signedOut'
      let hub = await openHub({ ...needs, listen })
      if (hub === 'refused') {
        token = await needs.renew(token)
        if (token === null) return 'signedOut'
        hub = await openHub({ ...needs, listen })
      }
      if (hub === 'refused') return 'failed'
      if (life !== own) {
        hub.close()
        return 'failed'
      }
      own.hub = hub
      // The hub identifies the user by the token. This call is part of its protocol, and its answer shows that the
      // connection works.
      hub.invoke('Subscribe', needs.username()).catch(() => {})
      return hub
    } catch {
      return 'failed'
    }
  }

  /** Ignores an event that cannot be parsed, because the next catch-up fetches its message. */
  const listen = {
    ReceiveMessage: (text: unknown, senderImage: unknown, more: unknown) => {
      const details = Details.safeParse(more)
      if (typeof text !== 'string' || typeof senderImage !== 'string' || !details.success) return
      received.call({ text, senderImage, ...details.data })
    },
    MessageSent: (given: unknown) => {
      const message = Message.safeParse(given)
      if (message.success) sent.call(message.data)
    },
    MessagesRead: () => reads.call(),
    Noticed: (unread: unknown) => noticed.call(typeof unread === 'number' ? unread : null),
    /** The nodes were disconnected from each other, so all clients refetch at a random time within this many ms. */
    CatchUp: (within: unknown) => {
      const own = life
      const most = typeof within === 'number' ? Math.min(within, MOST_WITHIN_MS) : 0
      setTimeout(() => life === own && own !== null && gaps.call(), Math.random() * most)
    },
  }

  /** A network change may have broken the connection silently. */
  async function probe({ hub }: Life): Promise<void> {
    if (hub === null) return
    const late = new Promise<'late'>((resolve) => setTimeout(resolve, PROBE_MS, 'late'))
    // A refusal is an answer too.
    const answer = hub.invoke('Subscribe', needs.username()).catch(() => null)
    if ((await Promise.race([answer, late])) === 'late') hub.close()
    else gaps.call()
  }

  return {
    state: () => state,
    onState: states.add,
    onReceived: received.add,
    onSent: sent.add,
    onRead: reads.add,
    onNoticed: noticed.add,
    onGap: gaps.add,
    start: () => {
      if (life !== null) return
      life = { hub: null, hurry: () => {} }
      void live(life)
    },
    stop: () => {
      const own = life
      life = null
      enter('off')
      own?.hurry()
      own?.hub?.close()
    },
    wake: () => {
      if (life === null) return
      life.hurry()
      void probe(life)
    },
    notify: ({ receiverUsername, text }, image) => {
      life?.hub?.invoke('SendMessageToGroup', receiverUsername, text, image).catch(() => {})
    },
  }
}

function pause(life: Life, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    life.hurry = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}
