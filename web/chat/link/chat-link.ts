/**
 * A tab's connection to the chat hub: starts again whatever ends it, follows the session, and asks its listeners to
 * catch up after each connect. It takes what it needs as arguments and touches no page, so it runs in Node as well.
 */
import * as z from 'zod/mini'
import { Message } from '#contract/chat.ts'
import type { Received } from '#web/chat/conversation/conversation.ts'
import { openHub, type Hub } from '#web/chat/link/hub.ts'
import { createListeners } from '#web/chat/link/listeners.ts'

/**
 * - `off`: not started, or stopped.
 * - `connecting`: for the first time.
 * - `reconnecting`: the connection was lost a moment ago.
 * - `disconnected`: it could not be had twice; it is tried again every 30 s and when the network returns.
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
  /** Of the hub: `/chatHub` in a page. */
  readonly url: string
  /** A token that is good now; null when nobody is signed in. May reject when the server is not reached. */
  readonly token: () => Promise<string | null>
  /** A newer token than the one that was refused; null when the session is over. May reject as `token` does. */
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
  /** The signed-in person's messages were read, here or elsewhere. */
  readonly onRead: (listener: () => void) => () => void
  /** The signed-in person was told of something, or has read it: so many are unread now, null where that is to be asked. */
  readonly onNoticed: (listener: (unread: number | null) => void) => () => void
  /** Something may have been missed: after each connect, when a sleeping tab wakes, and when the server says so. */
  readonly onGap: (listener: () => void) => () => void
  /** Connects and stays connected until `stop`; does nothing when it has begun. */
  readonly start: () => void
  readonly stop: () => void
  /** The network is back or the tab is looked at: tries at once, and makes sure of a connection that looks well. */
  readonly wake: () => void
  /** Asks for the delivery of a stored message. Never fails: what is not asked for is delivered 2 s later. */
  readonly notify: (message: Message, image: string) => void
}

const RETRY_MS = [0, 2000, 10_000, 30_000]
/** A connection that ends sooner was none: else a server that ends each one would be asked without a pause. */
const SETTLED_MS = 5000
const PROBE_MS = 5000
const MOST_WITHIN_MS = 5000

const Details = z.object({ id: z.number(), senderUsername: z.string(), date: z.string() })

/** One `start` up to its `stop`. */
interface Life {
  hub: Hub | null
  /** Ends a pause between two attempts. */
  hurry: () => void
}

/**
 * A link that is off. After `start` it connects, and connects again by itself until `stop` or the end of the session.
 * The function is long because its steps share the state of one connection; each step is a short function of its own.
 * @param needs how to connect, and who is signed in
 */
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
      // The hub knows whose connection it is; the call is part of the wire, and tells that the way is open.
      hub.invoke('Subscribe', needs.username()).catch(() => {})
      return hub
    } catch {
      return 'failed'
    }
  }

  /** What can't be read comes by the next catch-up. */
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
    /** The nodes of the server could not hear each other; in so many milliseconds all who may have missed something ask. */
    CatchUp: (within: unknown) => {
      const own = life
      const most = typeof within === 'number' ? Math.min(within, MOST_WITHIN_MS) : 0
      setTimeout(() => life === own && own !== null && gaps.call(), Math.random() * most)
    },
  }

  /** A network that went and came may have taken the connection without a word. */
  async function probe({ hub }: Life): Promise<void> {
    if (hub === null) return
    const late = new Promise<'late'>((resolve) => setTimeout(resolve, PROBE_MS, 'late'))
    // An answer that refuses is an answer.
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
