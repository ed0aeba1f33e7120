/**
 * Sends a conversation's unsent messages one at a time, in order. It stores each message on the server under its draft
 * id, so that a retry is safe, and then notifies the hub.
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
} from '#web/community/chat/conversation/conversation.ts'
import type { UnsentStore } from '#web/community/chat/conversation/unsent-store.ts'
import { ApiError } from '#web/core/api-error.ts'
import { newDraftId } from '#web/core/storage/draft-id.ts'

export interface SendingNeeds {
  readonly store: UnsentStore
  readonly read: () => Conversation
  readonly change: (step: (old: Conversation) => Conversation) => void
  /** POST /message/create. Throws ApiError. */
  readonly create: (draftId: string, text: string) => Promise<Message>
  /** Asks the hub to deliver the message at once. */
  readonly notify: (message: Message) => void
}

export interface Sending {
  /** Returns false, and does nothing, if the text does not have 1 to 200 characters. */
  readonly send: (text: string) => boolean
  /** Sends a refused or waiting message as soon as possible. */
  readonly retry: (draftId: string) => void
  readonly remove: (draftId: string) => void
  /** Sends waiting messages. Call it when the server is reachable again. */
  readonly flush: () => void
  /** Stops further attempts. A message in flight may still be confirmed. */
  readonly stop: () => void
}

const RETRY_MS = [2000, 10_000, 30_000]
/** The hub remembers for a minute which message it was notified of. Later it would deliver a duplicate. */
const NOTIFY_WITHIN_MS = 20_000
const LONG_MS = 600_000

/** Pauses sending. A `firm` pause comes from the server's Retry-After and is never cut short. */
interface Hold {
  readonly isFirm: boolean
  readonly timer: ReturnType<typeof setTimeout>
}

/** Starts with the messages in the store. */
export function createSending(needs: SendingNeeds): Sending {
  const { store, read, change } = needs
  /** Draft ids in the store. If one disappears from it, another tab has sent or removed the message. */
  const stored = new Set<string>()
  /** Messages that the server cannot have stored yet. Only for these may the hub be notified. */
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

  /** Never rejects: a failure becomes the message's state. */
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
      // The server refused the message, so it has not stored it.
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
    // A sign-in, not the timer, ends the pause for a lost session.
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
    // It is unknown whether the message was tried, because its tab may have been closed.
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

/** Errors after which the same message is retried: unreachable, signed out, rate-limited or a server error. */
const isPassing = (status: number) => [0, 401, 408, 429].includes(status) || status >= 500
