/**
 * What this tab has deleted from the desk, the last first, so that one press takes it back. It lives beside the pages:
 * going from one tab of the desk to another leaves it.
 */
import { useSyncExternalStore } from 'react'
import { comments } from '#contract/comments.ts'
import { ratings } from '#contract/ratings.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import type { Texts } from '#web/core/i18n.tsx'

/** What the desk deletes and brings back. */
export type DeskKind = 'comment' | 'rating'

export interface Deletion {
  readonly kind: DeskKind
  readonly ids: readonly number[]
  /** Set when an attempt to bring them back has failed for these. */
  readonly failed: Restoration | null
}

/** How bringing them back went. */
export interface Restoration {
  readonly back: number
  readonly failed: readonly number[]
  /** The first refusal, in words. */
  readonly why: string
}

/** A page has the texts that stand whole in its code. */
const WORDS = {
  commentNotFound: 'commentNotFound',
  commentNotUndoable: 'commentNotUndoable',
  ratingNotFound: 'ratingNotFound',
  ratingNotUndoable: 'ratingNotUndoable',
} as const

let stack: readonly Deletion[] = []
const listeners = new Set<() => void>()

function change(next: readonly Deletion[]): void {
  stack = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The last deletion that can be taken back with one press, or null. */
export const useLastDeletion = (): Deletion | null =>
  useSyncExternalStore(
    subscribe,
    () => stack.at(-1) ?? null,
    () => null,
  )

/** What one press of "undo" would bring back; null when this tab has deleted nothing. */
export const lastDeletion = (): Deletion | null => stack.at(-1) ?? null

/** What the desk says of what it has deleted and brought back; a page has the texts that stand whole in its code. */
export const DESK_WORDS = {
  comment: {
    deleted: 'deskDeletedNow',
    restored: 'deskRestored',
    restoredSome: 'deskRestoredSome',
  },
  rating: {
    deleted: 'deskRatingsDeleted',
    restored: 'deskRatingsRestored',
    restoredSome: 'deskRatingsRestoredSome',
  },
} as const

const CALLS = { comment: comments, rating: ratings } as const

/** Deletes comments or ratings and remembers it. @throws ApiError */
export async function deleteAtDesk(kind: DeskKind, ids: readonly number[]): Promise<void> {
  await api(CALLS[kind].removeMany, { ids: [...ids] })
  change([...stack, { kind, ids, failed: null }])
}

/** Brings them back in one call; one that is refused stops no other. Never rejects: a lost call has failed for all. */
export async function restoreAtDesk(
  kind: DeskKind,
  ids: readonly number[],
  t: Texts['t'],
): Promise<Restoration> {
  try {
    const { restored, refused } = await api(CALLS[kind].restoreMany, { ids: [...ids] })
    const [first] = refused
    return {
      back: restored.length,
      failed: refused.map(({ id }) => id),
      why: first === undefined ? '' : t(WORDS[first.why]),
    }
  } catch (error) {
    return { back: 0, failed: ids, why: error instanceof ApiError ? error.message : '' }
  }
}

/** Takes a deletion back; what fails stays to be tried again. */
export async function undoDeletion(deletion: Deletion, t: Texts['t']): Promise<Restoration> {
  const { kind } = deletion
  const outcome = await restoreAtDesk(kind, deletion.ids, t)
  const remaining = stack.filter((one) => one !== deletion)
  change(
    outcome.failed.length === 0
      ? remaining
      : [...remaining, { kind, ids: outcome.failed, failed: outcome }],
  )
  return outcome
}

/** The person wants none of it; everything stays among the deleted ones. */
export function forgetDeletions(): void {
  change([])
}
