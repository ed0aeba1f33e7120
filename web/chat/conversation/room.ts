/**
 * One open conversation: its state, what arrives, what is sent. A page opens it with the loader's data in an effect,
 * shows `useSyncExternalStore(room.subscribe, room.current)` and closes it.
 */
import { chat, type Message } from '#contract/chat.ts'
import { catchUp } from '#web/chat/conversation/catch-up.ts'
import type { ChatLink } from '#web/chat/link/chat-link.ts'
import {
  beginConversation,
  dropDivider,
  takeNewer,
  takeNewest,
  takeOlder,
  takeReceived,
  takeSent,
  type Conversation,
  type Received,
} from '#web/chat/conversation/conversation.ts'
import { createListeners } from '#web/chat/link/listeners.ts'
import { createSending, type Sending } from '#web/chat/conversation/sending.ts'
import type { UnsentStore } from '#web/chat/conversation/unsent-store.ts'
import type { Api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'

export interface RoomNeeds {
  readonly api: Api
  readonly link: ChatLink
  readonly store: UnsentStore
  readonly me: { readonly username: string; readonly imageUrl: string }
  /** Their name; a former one will do. */
  readonly other: string
  /** What their history is asked by, when not by the name. */
  readonly receiver?: string | undefined
  /** The newest page of the history and the number of unread ones, as the loader has them. */
  readonly history: readonly Message[]
  readonly unread: number
  /** Whether the person is looking at the conversation, and so at what arrives now. */
  readonly isSeen: () => boolean
}

export interface Room extends Pick<Sending, 'send' | 'retry' | 'remove'> {
  readonly current: () => Conversation
  readonly subscribe: (listener: () => void) => () => void
  /** New messages of the other person have come, live or by catch-up: for the sound, and to mark them as read. */
  readonly onArrival: (listener: () => void) => () => void
  /** A live message of somebody else. */
  readonly onElsewhere: (listener: (one: Received) => void) => () => void
  /** Takes the "new messages" divider away. */
  readonly dropDivider: () => void
  /** Fetches 50 older ones; a call while one is under way joins it. @throws ApiError */
  readonly loadOlder: () => Promise<void>
  readonly close: () => void
}

const RETRY_MS = [2000, 10_000, 30_000]

/**
 * Opens a conversation: it begins to listen to the hub and to send what an earlier visit left unsent. Whoever opens it
 * closes it, otherwise its listeners stay on the link of the tab.
 * The function is long because its steps share one conversation; each step is a short function of its own.
 * @param needs the API, the tab's link, the store of unsent messages, and the loader's data
 */
export function openRoom(needs: RoomNeeds): Room {
  const { api, link } = needs
  const listeners = createListeners<[]>()
  const arrivals = createListeners<[]>()
  const elsewhere = createListeners<[Received]>()
  let conversation = beginConversation({ ...needs, me: needs.me.username })
  let isClosed = false
  const receiver = () => needs.receiver ?? conversation.other
  /** Names that are not a new one of the other person's. */
  const strangers = new Set<string>()

  function change(step: (old: Conversation) => Conversation): void {
    const next = step(conversation)
    if (next === conversation) return
    conversation = next
    listeners.call()
  }

  const sending = createSending({
    store: needs.store,
    read: () => conversation,
    change,
    create: (draftId, text) =>
      api(chat.create, { text, receiverUsername: conversation.other, draftId }),
    notify: (message) => link.notify(message, needs.me.imageUrl),
  })

  /** Takes what the other person may have written. */
  function takeTheirs(step: (old: Conversation, isSeen: boolean) => Conversation): void {
    const isSeen = needs.isSeen()
    const before = countTheirs(conversation)
    change((old) => step(old, isSeen))
    if (countTheirs(conversation) > before) arrivals.call()
  }

  const catchUpOnce = join(async () => {
    if (conversation.known.to === 0) {
      const page = await api(chat.history, { receiver: receiver() })
      takeTheirs((old, isSeen) => takeNewest(old, page, isSeen))
      return
    }
    await catchUp({
      from: () => conversation.known.to,
      ask: (after) => api(chat.history, { receiver: receiver(), after }),
      take: (page) => takeTheirs((old, isSeen) => takeNewer(old, page, isSeen)),
    })
  })

  /** Until it works: the link may be well while the call fails. Never rejects. */
  async function fillGap(): Promise<void> {
    for (let failures = 0; !isClosed; failures += 1) {
      try {
        await catchUpOnce.again()
        return
      } catch (error) {
        if (error instanceof ApiError && error.status >= 400 && error.status < 429) return
        await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0)
      }
    }
  }

  async function takeLive(one: Received): Promise<void> {
    if (one.senderUsername === conversation.other) {
      takeTheirs((old, isSeen) => takeReceived(old, one, isSeen))
      return
    }
    if (!strangers.has(one.senderUsername)) {
      // Perhaps the other person under a new name: then the history has it.
      await fillGap()
      if (conversation.said.some((said) => said.id === one.id)) return
      strangers.add(one.senderUsername)
    }
    elsewhere.call(one)
  }

  const ends = [
    link.onReceived((one) => void takeLive(one)),
    link.onSent((message) => {
      if (message.receiverUsername === conversation.other) change((old) => takeSent(old, message))
      // As above.
      else if (!strangers.has(message.receiverUsername)) void fillGap()
    }),
    link.onGap(() => {
      sending.flush()
      void fillGap()
    }),
  ]
  // What came between the loader's answer and now.
  void fillGap()
  const older = join(async () => {
    const { known, hasOlder } = conversation
    if (!hasOlder) return
    const page = await api(chat.history, { receiver: receiver(), before: known.from })
    change((old) => takeOlder(old, page))
  })
  return {
    current: () => conversation,
    subscribe: listeners.add,
    onArrival: arrivals.add,
    onElsewhere: elsewhere.add,
    send: sending.send,
    retry: sending.retry,
    remove: sending.remove,
    dropDivider: () => change(dropDivider),
    loadOlder: older.now,
    close: () => {
      isClosed = true
      sending.stop()
      for (const end of ends) end()
    },
  }
}

const countTheirs = ({ said }: Conversation): number =>
  said.reduce((count, one) => count + (one.isOwn ? 0 : 1), 0)

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** One run at a time. `now` joins the one under way; `again` waits for one that begins from now on. */
function join(work: () => Promise<void>) {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const begin = (): Promise<void> => {
    const own = work().finally(() => {
      running = null
    })
    running = own
    return own
  }
  const now = () => running ?? begin()
  const again = (): Promise<void> => {
    if (running === null) return begin()
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null
        return now()
      })
    return next
  }
  return { now, again }
}
