/**
 * The state of one conversation as an immutable value. Messages arrive from history pages, catch-up, live events and
 * confirmations, in any order and repeatedly, and the result is always one list ordered by id without duplicates.
 */
import type { Message } from '#contract/chat.ts'
import { HISTORY_PAGE } from '#contract/limits.ts'

export interface ConfirmedMessage {
  readonly id: number
  readonly text: string
  /** ISO 8601. */
  readonly date: string
  /** Written by the signed-in user. */
  readonly isOwn: boolean
  /** Path of the sender's picture. */
  readonly image: string
}

/**
 * - `sending`: in flight or queued.
 * - `waiting`: goes out once the server is reachable or the rate limit has passed; `words` says why.
 * - `refused`: stays until the user retries or removes it; `words` says why.
 */
export type UnsentState = 'sending' | 'waiting' | 'refused'

export interface Unsent {
  readonly draftId: string
  readonly text: string
  /** ISO 8601, by this browser's clock. */
  readonly date: string
  readonly state: UnsentState
  /** A translated explanation, or null. */
  readonly words: string | null
  /**
   * The newest id that was known at the first attempt, null before. If the confirmation was lost, the server stored the
   * message under a later id.
   */
  readonly triedAfter: number | null
}

export interface Conversation {
  /** The current names of both people, as far as this tab knows. */
  readonly me: string
  readonly other: string
  /** Oldest first. */
  readonly confirmed: readonly ConfirmedMessage[]
  /** Oldest first. */
  readonly unsent: readonly Unsent[]
  /** No message is missing between these ids, inclusive. Both are 0 if there is none. */
  readonly known: { readonly from: number; readonly to: number }
  /** There may be messages older than `known.from`. */
  readonly hasOlder: boolean
  /** The "new messages" divider precedes the message with this id. Null if there is no divider. */
  readonly newFrom: number | null
}

/** The hub's event `ReceiveMessage`. */
export interface Received {
  readonly id: number
  readonly text: string
  readonly senderUsername: string
  readonly senderImage: string
  readonly date: string
}

export interface Beginning {
  readonly me: string
  readonly other: string
  /** The newest page of the history, oldest first. */
  readonly history: readonly Message[]
  /** How many of the other person's messages are unread. */
  readonly unread: number
}

export function beginConversation({ me, other, history, unread }: Beginning): Conversation {
  const empty: Conversation = {
    me,
    other,
    confirmed: [],
    unsent: [],
    known: { from: 0, to: 0 },
    hasOlder: false,
    newFrom: null,
  }
  const begun = takeNewest(empty, history, true)
  const theirs = begun.confirmed.filter((one) => !one.isOwn)
  const first = unread > 0 ? theirs.slice(-unread)[0] : undefined
  return { ...begun, newFrom: first?.id ?? null }
}

/** Adds the newest page, fetched without `before` or `after` when nothing is known yet. */
export function takeNewest(
  old: Conversation,
  page: readonly Message[],
  isSeen: boolean,
): Conversation {
  const next = takeNewer(old, page, isSeen)
  return { ...next, hasOlder: page.length >= HISTORY_PAGE }
}

/** Adds the page that was fetched with `before: known.from`. */
export function takeOlder(old: Conversation, page: readonly Message[]): Conversation {
  const range = rangeOf(page)
  const next = takeMessages(old, page)
  return {
    ...next,
    known: range === null ? old.known : widen(old.known, range),
    hasOlder: page.length >= HISTORY_PAGE,
  }
}

/** Adds the page that was fetched with `after: known.to`. `isSeen` means that the user is looking. */
export function takeNewer(
  old: Conversation,
  page: readonly Message[],
  isSeen: boolean,
): Conversation {
  const range = rangeOf(page)
  if (range === null) return old
  const next = { ...takeMessages(old, page), known: widen(old.known, range) }
  if (isSeen) return next
  const first = next.confirmed.find(
    (one) => !one.isOwn && one.id > old.known.to && isNew(old, one.id),
  )
  return first === undefined ? next : divide(next, first.id)
}

/** Adds a live message from the other person. It does not prove that the ones before it are known. */
export function takeReceived(old: Conversation, one: Received, isSeen: boolean): Conversation {
  const { id, text, date, senderImage } = one
  const confirmed = { id, text, date, isOwn: false, image: senderImage }
  const next = { ...insert(old, [confirmed]), other: one.senderUsername }
  return isSeen || !isNew(old, id) ? next : divide(next, id)
}

/** Adds the user's own message: a confirmation, or an event from another tab or device. */
export function takeSent(old: Conversation, message: Message): Conversation {
  return takeMessages(old, [message])
}

/** The user has read the new messages. */
export function dropDivider(old: Conversation): Conversation {
  return old.newFrom === null ? old : { ...old, newFrom: null }
}

/** Does nothing if the message is already there. */
export function addUnsent(
  old: Conversation,
  { draftId, text, date, triedAfter }: Omit<Unsent, 'state' | 'words'>,
): Conversation {
  if (old.unsent.some((one) => one.draftId === draftId)) return old
  const added: Unsent = { draftId, text, date, triedAfter, state: 'sending', words: null }
  return { ...old, unsent: [...old.unsent, added] }
}

/** Ignores an unknown draft id, because the message may have been confirmed or removed meanwhile. */
export function changeUnsent(
  old: Conversation,
  draftId: string,
  change: Partial<Pick<Unsent, 'state' | 'words' | 'triedAfter'>>,
): Conversation {
  const unsent = old.unsent.map((one) => (one.draftId === draftId ? { ...one, ...change } : one))
  return { ...old, unsent }
}

/** Removes a message after its confirmation, or when the user discards it. */
export function dropUnsent(old: Conversation, draftId: string): Conversation {
  return { ...old, unsent: old.unsent.filter((one) => one.draftId !== draftId) }
}

/** Returns 0 if there are no messages. */
export function newestId(conversation: Conversation): number {
  return conversation.confirmed.at(-1)?.id ?? 0
}

/**
 * Hides an unsent message if an own message with the same text has arrived since the first attempt. Its confirmation
 * was most likely lost, and the retry, with the same draft id, will resolve it.
 */
export function unsentShown({ confirmed, unsent }: Conversation): readonly Unsent[] {
  if (unsent.every((one) => one.triedAfter === null)) return unsent
  const taken = new Set<number>()
  return unsent.filter(({ text, triedAfter }) => {
    if (triedAfter === null) return true
    const match = confirmed.find(
      (one) => one.isOwn && one.id > triedAfter && one.text === text && !taken.has(one.id),
    )
    if (match === undefined) return true
    taken.add(match.id)
    return false
  })
}

function takeMessages(old: Conversation, messages: readonly Message[]): Conversation {
  let { me, other } = old
  const confirmed = messages.map((message): ConfirmedMessage => {
    const isOwn = isFromMe(message, me, other)
    me = isOwn ? message.senderUsername : message.receiverUsername
    other = isOwn ? message.receiverUsername : message.senderUsername
    const { id, text, date, senderImage } = message
    return { id, text, date, isOwn, image: senderImage }
  })
  return { ...insert(old, confirmed), me, other }
}

/** Either person may have been renamed. If the sender is not `me`, the other person's name decides. */
function isFromMe(message: Message, me: string, other: string): boolean {
  if (message.senderUsername === me) return true
  return message.receiverUsername !== me && message.receiverUsername === other
}

function insert(old: Conversation, some: readonly ConfirmedMessage[]): Conversation {
  const fresh = some.filter((one) => find(old.confirmed, one.id) === undefined)
  if (fresh.length === 0) return old
  return {
    ...old,
    confirmed: [...old.confirmed, ...fresh].toSorted((one, other) => one.id - other.id),
  }
}

function find(confirmed: readonly ConfirmedMessage[], id: number): ConfirmedMessage | undefined {
  let low = 0
  let high = confirmed.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((confirmed[middle]?.id ?? 0) < id) low = middle + 1
    else high = middle
  }
  return confirmed[low]?.id === id ? confirmed[low] : undefined
}

const isNew = ({ confirmed }: Conversation, id: number): boolean =>
  find(confirmed, id) === undefined

function divide(old: Conversation, id: number): Conversation {
  return { ...old, newFrom: Math.min(old.newFrom ?? id, id) }
}

interface Range {
  readonly from: number
  readonly to: number
}

function rangeOf(page: readonly Message[]): Range | null {
  const ids = page.map((message) => message.id)
  return ids.length === 0 ? null : { from: Math.min(...ids), to: Math.max(...ids) }
}

function widen(one: Range, other: Range): Range {
  const from = one.from === 0 ? other.from : Math.min(one.from, other.from)
  return { from, to: Math.max(one.to, other.to) }
}
