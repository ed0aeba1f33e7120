/**
 * One connection to the chat hub for all tabs of a browser: one of them holds it and passes on what comes; when
 * it closes, the next one connects. To who uses it, it is a link like any other. It touches no page, so it runs in Node.
 */
import * as z from 'zod/mini'
import { Message } from '#contract/chat.schemas.ts'
import type { TabChannel } from '#web/chat/link/channel.ts'
import type { ChatLink, LinkState } from '#web/chat/link/chat-link.ts'
import type { Received } from '#web/chat/conversation/conversation.ts'
import type { Candidate, Office } from '#web/chat/link/election.ts'
import { createListeners } from '#web/chat/link/listeners.ts'

export interface SharedLinkNeeds {
  /** Of this tab alone; begins when it holds the connection. */
  readonly own: ChatLink
  /** Both of the person who is signed in: another one has others. */
  readonly openChannel: () => TabChannel
  readonly stand: (office: Office) => Candidate
}

export interface SharedLink extends ChatLink {
  /** This tab holds the connection. */
  readonly holds: () => boolean
}

/** A holder that says nothing for so long is frozen or hangs. */
const SILENCE_MS = 5000

const State = z.enum([
  'off',
  'connecting',
  'connected',
  'reconnecting',
  'disconnected',
  'signedOut',
])
const ReceivedWord = z.object({
  id: z.number(),
  text: z.string(),
  senderUsername: z.string(),
  senderImage: z.string(),
  date: z.string(),
})
/**
 * What tabs say to each other. The holder says what came; `ask` and `tell` come from the others, who ask for its state
 * and name a message that the hub is to deliver.
 */
const Word = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('state'), state: State }),
  z.object({ kind: z.literal('received'), one: ReceivedWord }),
  z.object({ kind: z.literal('sent'), message: Message }),
  z.object({ kind: z.literal('read') }),
  z.object({ kind: z.literal('gap') }),
  z.object({ kind: z.literal('ask'), wakes: z.boolean() }),
  z.object({ kind: z.literal('tell'), message: Message, image: z.string() }),
])
type Word = z.infer<typeof Word>

/** One `start` up to its `stop`. */
interface Seat {
  readonly channel: TabChannel
  readonly candidate: Candidate
}

/**
 * A link that takes part in the election of its tabs: it connects by `own` while this tab is the holder, and otherwise
 * shows what the holder says. The function is long because its steps share which tab holds the connection; each step is
 * a short function of its own.
 */
export function createSharedLink({ own, openChannel, stand }: SharedLinkNeeds): SharedLink {
  let seat: Seat | null = null
  let holds = false
  let state: LinkState = 'off'
  let silence: ReturnType<typeof setTimeout> | undefined
  const states = createListeners<[]>()
  const received = createListeners<[Received]>()
  const sent = createListeners<[Message]>()
  const reads = createListeners<[]>()
  const gaps = createListeners<[]>()

  const say = (word: Word) => seat?.channel.say(word)
  const enter = (next: LinkState) => {
    if (next === state) return
    state = next
    states.call()
  }
  const sayState = () => say({ kind: 'state', state: own.state() })

  own.onState(() => {
    if (!holds) return
    enter(own.state())
    sayState()
  })
  own.onReceived((one) => {
    received.call(one)
    say({ kind: 'received', one })
  })
  own.onSent((message) => {
    sent.call(message)
    say({ kind: 'sent', message })
  })
  own.onRead(() => {
    reads.call()
    say({ kind: 'read' })
  })
  own.onGap(() => {
    gaps.call()
    say({ kind: 'gap' })
  })

  function hear(given: unknown): void {
    const { data: word } = Word.safeParse(given)
    // Also of another version of the page, which an upgrade left open.
    if (word === undefined) return
    if (word.kind === 'ask') {
      if (!holds) return
      sayState()
      if (word.wakes) own.wake()
    } else if (word.kind === 'tell') {
      if (holds) own.notify(word.message, word.image)
      // The hub notifies all connections but the one that spoke, which is that of all tabs here.
      sent.call(word.message)
    } else if (word.kind === 'state') {
      clearTimeout(silence)
      if (!holds) enter(word.state)
    } else if (word.kind === 'received') received.call(word.one)
    else if (word.kind === 'sent') sent.call(word.message)
    else if (word.kind === 'read') reads.call()
    else gaps.call()
  }

  /** Asks the holder how it is, and does without one that does not answer. */
  function ask(wakes: boolean): void {
    say({ kind: 'ask', wakes })
    clearTimeout(silence)
    silence = setTimeout(() => {
      if (!holds) seat?.candidate.seize()
    }, SILENCE_MS)
  }

  const office: Office = {
    hold: () => {
      clearTimeout(silence)
      holds = true
      enter('connecting')
      own.start()
    },
    lose: () => {
      holds = false
      own.stop()
      ask(false)
    },
  }

  return {
    state: () => state,
    holds: () => holds,
    onState: states.add,
    onReceived: received.add,
    onSent: sent.add,
    onRead: reads.add,
    onGap: gaps.add,
    start: () => {
      if (seat === null) {
        const channel = openChannel()
        channel.listen(hear)
        enter('connecting')
        seat = { channel, candidate: stand(office) }
        ask(false)
      } else if (holds) own.start()
      else ask(true)
    },
    stop: () => {
      const left = seat
      clearTimeout(silence)
      seat = null
      holds = false
      own.stop()
      left?.candidate.leave()
      left?.channel.close()
      enter('off')
    },
    wake: () => {
      if (holds) own.wake()
      else if (seat !== null) ask(true)
    },
    notify: (message, image) => {
      if (!holds) {
        say({ kind: 'tell', message, image })
        return
      }
      own.notify(message, image)
      say({ kind: 'sent', message })
    },
  }
}
