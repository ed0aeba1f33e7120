/**
 * One hub connection for all tabs of a browser: the elected leader opens it and passes on its events. Callers use it
 * like any other link. It does not depend on the DOM, so it also runs in Node.
 */
import * as z from 'zod/mini'
import { Message } from '#contract/chat.ts'
import type { TabChannel } from '#web/community/chat/link/channel.ts'
import type { ChatLink, LinkState } from '#web/community/chat/link/chat-link.ts'
import type { Received } from '#web/community/chat/conversation/conversation.ts'
import type { Candidate, Leadership } from '#web/community/chat/link/election.ts'
import { createListeners } from '#web/community/chat/link/listeners.ts'

export interface SharedLinkNeeds {
  /** This tab's own link, which runs while the tab is the leader. */
  readonly own: ChatLink
  /** The channel and the election belong to the signed-in user; another user has others. */
  readonly openChannel: () => TabChannel
  readonly joinElection: (leadership: Leadership) => Candidate
}

export interface SharedLink extends ChatLink {
  readonly isLeader: () => boolean
}

/** A leader that does not answer within this time in ms is frozen or hangs. */
const SILENCE_MS = 5000

const State = z.enum([
  'off',
  'connecting',
  'connected',
  'reconnecting',
  'disconnected',
  'signedOut',
])
const ReceivedInTab = z.object({
  id: z.number(),
  text: z.string(),
  senderUsername: z.string(),
  senderImage: z.string(),
  date: z.string(),
})
/**
 * The messages between tabs. The leader posts the hub's events. Other tabs post `ask` to get its state and `tell` to
 * have a message delivered. Tabs of earlier versions use the same kinds, so do not rename them.
 */
const TabMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('state'), state: State }),
  z.object({ kind: z.literal('received'), one: ReceivedInTab }),
  z.object({ kind: z.literal('sent'), message: Message }),
  z.object({ kind: z.literal('read') }),
  z.object({ kind: z.literal('noticed'), unread: z.nullable(z.number()) }),
  z.object({ kind: z.literal('gap') }),
  z.object({ kind: z.literal('ask'), wakes: z.boolean() }),
  z.object({ kind: z.literal('tell'), message: Message, image: z.string() }),
])
type TabMessage = z.infer<typeof TabMessage>

/** What this tab has open between `start` and `stop`. */
interface Joined {
  readonly channel: TabChannel
  readonly candidate: Candidate
}

/** Connects with `own` while this tab is the leader, and otherwise reports what the leader posts. */
export function createSharedLink({ own, openChannel, joinElection }: SharedLinkNeeds): SharedLink {
  let joined: Joined | null = null
  let isLeader = false
  let state: LinkState = 'off'
  let silence: ReturnType<typeof setTimeout> | undefined
  const states = createListeners<[]>()
  const received = createListeners<[Received]>()
  const sent = createListeners<[Message]>()
  const reads = createListeners<[]>()
  const noticed = createListeners<[number | null]>()
  const gaps = createListeners<[]>()

  const post = (message: TabMessage) => joined?.channel.post(message)
  const enter = (next: LinkState) => {
    if (next === state) return
    state = next
    states.call()
  }
  const postState = () => post({ kind: 'state', state: own.state() })

  own.onState(() => {
    if (!isLeader) return
    enter(own.state())
    postState()
  })
  own.onReceived((one) => {
    received.call(one)
    post({ kind: 'received', one })
  })
  own.onSent((message) => {
    sent.call(message)
    post({ kind: 'sent', message })
  })
  own.onRead(() => {
    reads.call()
    post({ kind: 'read' })
  })
  own.onNoticed((unread) => {
    noticed.call(unread)
    post({ kind: 'noticed', unread })
  })
  own.onGap(() => {
    gaps.call()
    post({ kind: 'gap' })
  })

  function receive(given: unknown): void {
    const { data: posted } = TabMessage.safeParse(given)
    // A tab with another version of the page may still be open after a deployment.
    if (posted === undefined) return
    if (posted.kind === 'ask') {
      if (!isLeader) return
      postState()
      if (posted.wakes) own.wake()
    } else if (posted.kind === 'tell') {
      if (isLeader) own.notify(posted.message, posted.image)
      // The hub notifies all connections except the sender's, which is the one that all tabs here share.
      sent.call(posted.message)
    } else if (posted.kind === 'state') {
      clearTimeout(silence)
      if (!isLeader) enter(posted.state)
    } else if (posted.kind === 'received') received.call(posted.one)
    else if (posted.kind === 'sent') sent.call(posted.message)
    else if (posted.kind === 'read') reads.call()
    else if (posted.kind === 'noticed') noticed.call(posted.unread)
    else gaps.call()
  }

  /** Asks the leader for its state, and takes over if it does not answer. */
  function ask(wakes: boolean): void {
    post({ kind: 'ask', wakes })
    clearTimeout(silence)
    silence = setTimeout(() => {
      if (!isLeader) joined?.candidate.takeOver()
    }, SILENCE_MS)
  }

  const leadership: Leadership = {
    begin: () => {
      clearTimeout(silence)
      isLeader = true
      enter('connecting')
      own.start()
    },
    end: () => {
      isLeader = false
      own.stop()
      ask(false)
    },
  }

  return {
    state: () => state,
    isLeader: () => isLeader,
    onState: states.add,
    onReceived: received.add,
    onSent: sent.add,
    onRead: reads.add,
    onNoticed: noticed.add,
    onGap: gaps.add,
    start: () => {
      if (joined === null) {
        const channel = openChannel()
        channel.listen(receive)
        enter('connecting')
        joined = { channel, candidate: joinElection(leadership) }
        ask(false)
      } else if (isLeader) own.start()
      else ask(true)
    },
    stop: () => {
      const left = joined
      clearTimeout(silence)
      joined = null
      isLeader = false
      own.stop()
      left?.candidate.resign()
      left?.channel.close()
      enter('off')
    },
    wake: () => {
      if (isLeader) own.wake()
      else if (joined !== null) ask(true)
    },
    notify: (message, image) => {
      if (!isLeader) {
        post({ kind: 'tell', message, image })
        return
      }
      own.notify(message, image)
      post({ kind: 'sent', message })
    },
  }
}
