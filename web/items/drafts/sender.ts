/** Sends the draft of an open form when its author pauses. */
import type { Draft } from '#contract/drafts.ts'
import type { Outcome } from '#web/core/storage/draft-outcome.ts'
import {
  endDraft,
  type ItemText,
  rebaseDraft,
  sendDraft,
  serverKeyOf,
  versionOf,
} from '#web/core/storage/draft-sending.ts'
import {
  isOwn,
  isSent,
  personOf,
  readDraft,
  type StoredDraft,
} from '#web/core/storage/draft-store.ts'

/** In ms: a draft is sent this long after the last key. */
const IDLE_MS = 10_000
/** In ms: while keys keep coming, it is sent at this interval. */
const TYPING_MS = 60_000
/** In ms: the first retry. Each further one waits twice as long. */
const RETRY_MS = 30_000
const MOST_RETRY_MS = 15 * 60_000

export type SendingState =
  | { readonly kind: 'none' }
  /** `isBare` if its picture can't be uploaded. */
  | { readonly kind: 'saved'; readonly at: string; readonly isBare: boolean }
  /** The server was not reached. */
  | { readonly kind: 'waits' }
  /** The server refuses it, with a translated reason. */
  | { readonly kind: 'kept'; readonly why: string }
  | { readonly kind: 'newer' }

interface SenderOptions {
  readonly storeKey: string
  readonly flush: () => void
  /** The key of the draft that this form has put aside. The form's own text may replace it on the server. */
  readonly aside: string | null
  readonly onState: (state: SendingState) => void
  readonly onStored: (key: string, version: number) => void
  /** Gets a newer draft of the same key. Nothing is sent before `resolve`. */
  readonly onNewer: (draft: Draft) => void
}

export interface Sender {
  /** Until the returned function is called, the draft is sent by itself. */
  readonly start: () => () => void
  /** Call it after every change. */
  readonly changed: () => void
  /** Sends now. With `leaves`, the request outlives the page. */
  readonly send: (leaves?: boolean) => void
  /** Goes on after the person has decided about a newer draft. */
  readonly resolve: () => void
  /** Ends the draft here and on the server. Call it before the stored draft is dropped. */
  readonly end: () => void
}

export function createSender(options: SenderOptions): Sender {
  const { storeKey, flush, aside, onState, onStored, onNewer } = options
  let timer: ReturnType<typeof setTimeout> | undefined
  let changedSince: number | null = null
  let running: Promise<Outcome> | undefined
  let retryMs = RETRY_MS
  let isStarted = false
  let isBlocked = false
  let isEnded = false

  const read = () => readDraft<ItemText>(storeKey)
  const later = (ms: number) => {
    clearTimeout(timer)
    if (isStarted) timer = setTimeout(() => void send(), ms)
  }
  const retry = () => {
    later(retryMs)
    retryMs = Math.min(2 * retryMs, MOST_RETRY_MS)
  }
  const send = async (leaves = false): Promise<void> => {
    clearTimeout(timer)
    flush()
    if (isEnded || isBlocked || running !== undefined || !isOwn(storeKey)) return
    adoptAside(storeKey, aside)
    const stored = read()
    if (stored === null || isSent(stored)) return
    changedSince = null
    running = sendDraft(storeKey, stored, leaves)
    const outcome = await running
    running = undefined
    if (!isEnded) react(outcome, serverKeyOf(storeKey, stored))
  }
  const react = (outcome: Outcome, key: string) => {
    switch (outcome.kind) {
      case 'stored':
        onState({ kind: 'saved', at: outcome.savedAt, isBare: outcome.picture === 'refused' })
        onStored(key, outcome.version)
        if (outcome.picture === 'later') {
          retry()
          break
        }
        retryMs = RETRY_MS
        if (!isSentNow(read())) later(IDLE_MS)
        break
      case 'away':
        onState({ kind: 'waits' })
        retry()
        break
      case 'refused':
        onState({ kind: 'kept', why: outcome.message })
        break
      case 'newer': {
        const { version, draft } = outcome.conflict
        if (draft === null) {
          // It was published or discarded elsewhere, but this form is still open and has other text.
          rebaseDraft(storeKey, version)
          void send()
          break
        }
        isBlocked = true
        onState({ kind: 'newer' })
        onNewer(draft)
        break
      }
      default:
        outcome satisfies never
    }
  }
  return {
    start: () => {
      isStarted = true
      return () => {
        isStarted = false
        const sending = running
        void send()
        void sending?.then(() => send())
      }
    },
    changed: () => {
      if (isEnded || isBlocked) return
      changedSince ??= Date.now()
      later(Math.min(IDLE_MS, Math.max(0, changedSince + TYPING_MS - Date.now())))
    },
    send: (leaves) => void send(leaves),
    resolve: () => {
      isBlocked = false
      void send()
    },
    end: () => {
      isEnded = true
      clearTimeout(timer)
      const stored = read()
      if (stored?.sync === undefined) return
      const { draftId } = stored.values
      const end = { base: versionOf(stored), draftId }
      void endDraft(personOf(storeKey), serverKeyOf(storeKey, stored), end)
    },
  }
}

const isSentNow = (stored: StoredDraft<unknown> | null) => stored === null || isSent(stored)

/** The text that was put aside stays in this browser. */
function adoptAside(storeKey: string, aside: string | null): void {
  const own = readDraft<ItemText>(storeKey)
  const other = aside === null ? null : readDraft<ItemText>(aside)
  if (own === null || versionOf(own) > 0 || versionOf(other) <= 0) return
  rebaseDraft(storeKey, versionOf(other))
}
