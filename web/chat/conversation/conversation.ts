/**
 * What one tab knows of one conversation, as a value: each step answers a new one. Messages come by history pages,
 * catch-up, live events and answers to what was sent, in any order and again and again: the list is always the same,
 * each message once, in the order of their ids. A page shows `said` and then `unsentShown`; `room.ts` takes the steps.
 */
import type { Message } from '#contract/chat.ts'
import { HISTORY_PAGE } from '#contract/limits.ts'

/** A message that the server has. */
export interface Said {
  readonly id: number
  readonly text: string
  /** ISO 8601. */
  readonly date: string
  /** Written by the signed-in person. */
  readonly isOwn: boolean
  /** Path of the writer's picture. */
  readonly image: string
}

/**
 * - `sending`: under way or next in turn.
 * - `waiting`: goes out by itself when the server can be reached or the minute is over; `words` says why it waits.
 * - `refused`: stays until the person retries or removes it; `words` says why.
 */
export type UnsentState = 'sending' | 'waiting' | 'refused'

/** A message that the server has not confirmed. */
export interface Unsent {
  readonly draftId: string
  readonly text: string
  /** ISO 8601, by this browser's clock. */
  readonly date: string
  readonly state: UnsentState
  /** A sentence for the person, or null. */
  readonly words: string | null
  /**
   * The newest id known when it was first sent; null before. An answer may have been lost, and then the server has it
   * under a later id.
   */
  readonly triedAfter: number | null
}

export interface Conversation {
  /** The two, as they are called today as far as this tab has heard. */
  readonly me: string
  readonly other: string
  /** Oldest first. */
  readonly said: readonly Said[]
  /** Oldest first. */
  readonly unsent: readonly Unsent[]
  /** Between these ids, both included, nothing is missing; both 0 while there is none. */
  readonly known: { readonly from: number; readonly to: number }
  /** There may be messages older than `known.from`. */
  readonly hasOlder: boolean
  /** The "new messages" divider stands before the message of this id; null for nowhere. */
  readonly newFrom: number | null
}

/** The event `ReceiveMessage` of the hub. */
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
  /** How many of the other's messages were not read. */
  readonly unread: number
}

/** A conversation after its first history page. */
export function beginConversation({ me, other, history, unread }: Beginning): Conversation {
  const empty: Conversation = {
    me,
    other,
    said: [],
    unsent: [],
    known: { from: 0, to: 0 },
    hasOlder: false,
    newFrom: null,
  }
  const begun = takeNewest(empty, history, true)
  const theirs = begun.said.filter((one) => !one.isOwn)
  const first = unread > 0 ? theirs.slice(-unread)[0] : undefined
  return { ...begun, newFrom: first?.id ?? null }
}

/** Takes the newest page of the history while nothing is known, as the call without `before` and `after` answers it. */
export function takeNewest(
  old: Conversation,
  page: readonly Message[],
  isSeen: boolean,
): Conversation {
  const next = takeNewer(old, page, isSeen)
  return { ...next, hasOlder: page.length >= HISTORY_PAGE }
}

/** Takes the page that `before: known.from` answered. */
export function takeOlder(old: Conversation, page: readonly Message[]): Conversation {
  const range = rangeOf(page)
  const next = takeMessages(old, page)
  return {
    ...next,
    known: range === null ? old.known : widen(old.known, range),
    hasOlder: page.length >= HISTORY_PAGE,
  }
}

/** Takes what `after: known.to` answered. `isSeen`: the person is looking. */
export function takeNewer(
  old: Conversation,
  page: readonly Message[],
  isSeen: boolean,
): Conversation {
  const range = rangeOf(page)
  if (range === null) return old
  const next = { ...takeMessages(old, page), known: widen(old.known, range) }
  if (isSeen) return next
  const first = next.said.find((one) => !one.isOwn && one.id > old.known.to && isNew(old, one.id))
  return first === undefined ? next : divide(next, first.id)
}

/** Takes a live message of the other person. It says nothing of those before it. */
export function takeReceived(old: Conversation, one: Received, isSeen: boolean): Conversation {
  const { id, text, date, senderImage } = one
  const said = { id, text, date, isOwn: false, image: senderImage }
  const next = { ...insert(old, [said]), other: one.senderUsername }
  return isSeen || !isNew(old, id) ? next : divide(next, id)
}

/** Takes a message of one's own: the answer to sending it, or the word of another tab or device. */
export function takeSent(old: Conversation, message: Message): Conversation {
  return takeMessages(old, [message])
}

/** The person has read what stands there. */
export function dropDivider(old: Conversation): Conversation {
  return old.newFrom === null ? old : { ...old, newFrom: null }
}

/** Adds a message to be sent; one that is there already stays as it is. */
export function addUnsent(
  old: Conversation,
  { draftId, text, date, triedAfter }: Omit<Unsent, 'state' | 'words'>,
): Conversation {
  if (old.unsent.some((one) => one.draftId === draftId)) return old
  const added: Unsent = { draftId, text, date, triedAfter, state: 'sending', words: null }
  return { ...old, unsent: [...old.unsent, added] }
}

/**
 * Changes what is known of one unsent message. An unknown draft id changes nothing: the message was confirmed or
 * removed meanwhile.
 */
export function changeUnsent(
  old: Conversation,
  draftId: string,
  change: Partial<Pick<Unsent, 'state' | 'words' | 'triedAfter'>>,
): Conversation {
  const unsent = old.unsent.map((one) => (one.draftId === draftId ? { ...one, ...change } : one))
  return { ...old, unsent }
}

/** After its answer, or when the person wants it no more. */
export function dropUnsent(old: Conversation, draftId: string): Conversation {
  return { ...old, unsent: old.unsent.filter((one) => one.draftId !== draftId) }
}

/** The newest id of all that were heard of; 0 for none. */
export function newestId(conversation: Conversation): number {
  return conversation.said.at(-1)?.id ?? 0
}

/**
 * The unsent ones to show. One whose answer was lost is left out when a message of one's own with its words has come
 * since: most likely it is that one, and asking again, by the same draft id, will show it.
 */
export function unsentShown({ said, unsent }: Conversation): readonly Unsent[] {
  if (unsent.every((one) => one.triedAfter === null)) return unsent
  const taken = new Set<number>()
  return unsent.filter(({ text, triedAfter }) => {
    if (triedAfter === null) return true
    const match = said.find(
      (one) => one.isOwn && one.id > triedAfter && one.text === text && !taken.has(one.id),
    )
    if (match === undefined) return true
    taken.add(match.id)
    return false
  })
}

function takeMessages(old: Conversation, messages: readonly Message[]): Conversation {
  let { me, other } = old
  const said = messages.map((message): Said => {
    const isOwn = isFromMe(message, me, other)
    me = isOwn ? message.senderUsername : message.receiverUsername
    other = isOwn ? message.receiverUsername : message.senderUsername
    const { id, text, date, senderImage } = message
    return { id, text, date, isOwn, image: senderImage }
  })
  return { ...insert(old, said), me, other }
}

/** Either may have been renamed: the other's name decides then. */
function isFromMe(message: Message, me: string, other: string): boolean {
  if (message.senderUsername === me) return true
  return message.receiverUsername !== me && message.receiverUsername === other
}

function insert(old: Conversation, some: readonly Said[]): Conversation {
  const fresh = some.filter((one) => find(old.said, one.id) === undefined)
  if (fresh.length === 0) return old
  return { ...old, said: [...old.said, ...fresh].toSorted((one, other) => one.id - other.id) }
}

function find(said: readonly Said[], id: number): Said | undefined {
  let low = 0
  let high = said.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((said[middle]?.id ?? 0) < id) low = middle + 1
    else high = middle
  }
  return said[low]?.id === id ? said[low] : undefined
}

const isNew = ({ said }: Conversation, id: number): boolean => find(said, id) === undefined

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
