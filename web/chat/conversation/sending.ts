/**
 * Sends the unsent messages of one conversation, one after the other in their order: stored first, by draft id, so
 * that asking again is safe; then the hub is notified. They are stored in the browser until the server has confirmed them.
 */
import { MessageText, type Message } from '#contract/chat.ts'
import {
  addUnsent,
  changeUnsent,
  dropUnsent,
  newestId,
  takeSent,
  type Conversation,
  type Unsent,
} from '#web/chat/conversation/conversation.ts'
import type { UnsentStore } from '#web/chat/conversation/unsent-store.ts'
import { ApiError } from '#web/core/api-error.ts'
import { newDraftId } from '#web/core/storage/draft-id.ts'

export interface SendingNeeds {
  readonly store: UnsentStore
  readonly read: () => Conversation
  readonly change: (step: (old: Conversation) => Conversation) => void
  /** POST /message/create. @throws ApiError */
  readonly create: (draftId: string, text: string) => Promise<Message>
  /** Asks the hub to deliver it now. */
  readonly notify: (message: Message) => void
}

export interface Sending {
  /** False: the text is none of 1 to 200 characters, and nothing happens. */
  readonly send: (text: string) => boolean
  /** Sends a refused or waiting one as soon as it may. */
  readonly retry: (draftId: string) => void
  readonly remove: (draftId: string) => void
  /** The server can be reached again: sends what waits for that. */
  readonly flush: () => void
  /** No more attempts; what is under way may still be confirmed. */
  readonly stop: () => void
}

const RETRY_MS = [2000, 10_000, 30_000]
/** The hub remembers for a minute which message it was notified of; later it would take the words for a new message. */
const NOTIFY_WITHIN_MS = 20_000
const LONG_MS = 600_000

/** Why nothing is sent for a while. A `firm` one was set by the server and is always waited out. */
interface Hold {
  readonly isFirm: boolean
  readonly timer: ReturnType<typeof setTimeout>
}

/**
 * Begins with what the store holds. The function is long because its steps share one queue and its pauses; each step is
 * a short function of its own.
 */
export function createSending(needs: SendingNeeds): Sending {
  const { store, read, change } = needs
  /** In the store: gone from there, another tab has sent or removed it. */
  const stored = new Set<string>()
  /** Written here, and the server can't have it yet: the hub may be notified of these alone. */
  const fresh = new Set<string>()
  let hold: Hold | null = null
  let failures = 0
  let isRunning = false
  let isStopped = false

  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    for (let next = findNext(); next !== undefined; next = findNext()) await attempt(next)
    isRunning = false
  }

  const findNext = () =>
    isStopped || hold !== null ? undefined : read().unsent.find((one) => one.state !== 'refused')

  /** Sends one, or finds out why not. Never rejects. */
  async function attempt(one: Unsent): Promise<void> {
    const { draftId, text } = one
    if (isGone(draftId)) {
      change((old) => dropUnsent(old, draftId))
      return
    }
    const isFirst = fresh.delete(draftId)
    const triedAfter = one.triedAfter ?? newestId(read())
    change((old) => changeUnsent(old, draftId, { state: 'sending', words: null, triedAfter }))
    save(draftId)
    const begun = performance.now()
    try {
      const message = await needs.create(draftId, text)
      failures = 0
      forget(draftId)
      change((old) => takeSent(dropUnsent(old, draftId), message))
      if (isFirst && performance.now() - begun < NOTIFY_WITHIN_MS) needs.notify(message)
    } catch (error) {
      const refusal = error instanceof ApiError ? error : null
      const status = refusal?.status ?? 0
      const words = refusal?.message ?? null
      // Refused by the server itself: it has not taken it.
      if (isFirst && status >= 400 && status < 500) {
        fresh.add(draftId)
        change((old) => changeUnsent(old, draftId, { triedAfter: null }))
      }
      if (isPassing(status)) {
        wait(draftId, words, refusal?.retryAfter, status === 401)
      } else change((old) => changeUnsent(old, draftId, { state: 'refused', words }))
      if (!isGone(draftId)) save(draftId)
    }
  }

  function wait(
    draftId: string,
    words: string | null,
    seconds: number | undefined,
    isForSession: boolean,
  ): void {
    change((old) => {
      const unsent = old.unsent.map((one): Unsent => {
        if (one.draftId === draftId) return { ...one, state: 'waiting', words }
        return one.state === 'sending' ? { ...one, state: 'waiting' } : one
      })
      return { ...old, unsent }
    })
    if (isStopped) return
    const ms =
      seconds === undefined
        ? (RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0)
        : seconds * 1000
    failures += 1
    // A session that is over returns by a sign-in, not by time.
    const timer = setTimeout(release, isForSession ? LONG_MS : ms)
    hold = { isFirm: seconds !== undefined, timer }
  }

  function release(): void {
    if (hold !== null) clearTimeout(hold.timer)
    hold = null
    void run()
  }

  function releaseUnlessFirm(): void {
    if (hold?.isFirm !== true) release()
  }

  const isGone = (draftId: string) =>
    stored.has(draftId) && store.read()?.every((one) => one.draftId !== draftId) === true

  function save(draftId: string): void {
    const one = read().unsent.find((each) => each.draftId === draftId)
    if (one === undefined) return
    const { text, date, triedAfter } = one
    if (store.put({ draftId, text, date, triedAfter })) stored.add(draftId)
  }

  function forget(draftId: string): void {
    stored.delete(draftId)
    store.drop(draftId)
  }

  for (const one of store.read() ?? []) {
    stored.add(one.draftId)
    // Whether it was tried is not known: the tab may have ended in between.
    change((old) => addUnsent(old, { ...one, triedAfter: one.triedAfter ?? newestId(old) }))
  }
  void run()

  return {
    send: (given) => {
      const text = MessageText.safeParse(given)
      if (!text.success) return false
      const draftId = newDraftId()
      const date = new Date().toISOString()
      fresh.add(draftId)
      change((old) => addUnsent(old, { draftId, text: text.data, date, triedAfter: null }))
      save(draftId)
      releaseUnlessFirm()
      if (hold !== null) change((old) => changeUnsent(old, draftId, { state: 'waiting' }))
      return true
    },
    retry: (draftId) => {
      change((old) => changeUnsent(old, draftId, { state: 'waiting', words: null }))
      releaseUnlessFirm()
    },
    remove: (draftId) => {
      fresh.delete(draftId)
      forget(draftId)
      change((old) => dropUnsent(old, draftId))
    },
    flush: () => {
      failures = 0
      releaseUnlessFirm()
    },
    stop: () => {
      isStopped = true
      if (hold !== null) clearTimeout(hold.timer)
      hold = null
    },
  }
}

/** It goes out later as it is: not reached, signed out, too many, the server in trouble. */
const isPassing = (status: number) => [0, 401, 408, 429].includes(status) || status >= 500
