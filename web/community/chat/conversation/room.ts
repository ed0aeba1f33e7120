/**
 * One open conversation: its state, arriving messages and sending. A page opens it in an effect with the loader's data
 * and subscribes with `useSyncExternalStore(room.subscribe, room.current)`.
 */
import { chat, type Message } from '#contract/chat.ts'
import { catchUp } from '#web/community/chat/conversation/catch-up.ts'
import type { ChatLink } from '#web/community/chat/link/chat-link.ts'
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
} from '#web/community/chat/conversation/conversation.ts'
import { createListeners } from '#web/community/chat/link/listeners.ts'
import { createSending, type Sending } from '#web/community/chat/conversation/sending.ts'
import type { UnsentStore } from '#web/community/chat/conversation/unsent-store.ts'
import type { Api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'

export interface RoomNeeds {
  readonly api: Api
  readonly link: ChatLink
  readonly store: UnsentStore
  readonly me: { readonly username: string; readonly imageUrl: string }
  /** May be a former name. */
  readonly other: string
  /** Identifies the conversation to the API if the name does not. */
  readonly receiver?: string | undefined
  /** The newest page of the history, as the loader fetched it. */
  readonly history: readonly Message[]
  readonly unread: number
  /** Whether the user is looking at the conversation. */
  readonly isSeen: () => boolean
}

export interface Room extends Pick<Sending, 'send' | 'retry' | 'remove'> {
  readonly current: () => Conversation
  readonly subscribe: (listener: () => void) => () => void
  /** The other person's messages have arrived, live or by catch-up. The page plays a sound and marks them as read. */
  readonly onArrival: (listener: () => void) => () => void
  /** A live message from somebody else. */
  readonly onElsewhere: (listener: (one: Received) => void) => () => void
  readonly dropDivider: () => void
  /** Fetches the 50 previous messages. A concurrent call joins the running one. Throws ApiError. */
  readonly loadOlder: () => Promise<void>
  readonly close: () => void
}

const RETRY_MS = [2000, 10_000, 30_000]

/**
 * Subscribes to the hub and sends what an earlier visit left unsent. The caller must close it, or its listeners
 * stay on the tab's link.
 */
export function openRoom(needs: RoomNeeds): Room {
  const { api, link } = needs
  const listeners = createListeners<[]>()
  const arrivals = createListeners<[]>()
  const elsewhere = createListeners<[Received]>()
  let conversation = beginConversation({ ...needs, me: needs.me.username })
  let isClosed = false
  const receiver = () => needs.receiver ?? conversation.other
  /** Senders that are known not to be the other person under a new name. */
  const otherSenders = new Set<string>()

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

  /** Calls the arrival listeners if the step added messages from the other person. */
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

  /** Retries until it succeeds, because the call can fail while the link is up. Never rejects. */
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
    if (!otherSenders.has(one.senderUsername)) {
      // The other person may have a new name. In that case the history contains the message.
      await fillGap()
      if (conversation.confirmed.some((message) => message.id === one.id)) return
      otherSenders.add(one.senderUsername)
    }
    elsewhere.call(one)
  }

  const ends = [
    link.onReceived((one) => void takeLive(one)),
    link.onSent((message) => {
      if (message.receiverUsername === conversation.other) change((old) => takeSent(old, message))
      // The receiver may be the other person under a new name.
      else if (!otherSenders.has(message.receiverUsername)) void fillGap()
    }),
    link.onGap(() => {
      sending.flush()
      void fillGap()
    }),
  ]
  // Fetches what arrived after the loader's answer.
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

const countTheirs = ({ confirmed }: Conversation): number =>
  confirmed.reduce((count, one) => count + (one.isOwn ? 0 : 1), 0)

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs one call at a time. `now` joins the running call; `again` waits for one that starts after this moment. */
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
