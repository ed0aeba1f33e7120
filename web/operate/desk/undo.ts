/** The deletions of this tab, newest last, so that each can be undone with one press on any page of the desk. */
import { useSyncExternalStore } from 'react'
import { UNDO_DAYS } from '#contract/limits.ts'
import { comments } from '#contract/comments.ts'
import { ratings } from '#contract/ratings.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import type { Texts } from '#web/core/i18n.tsx'

export type DeskKind = 'comment' | 'rating'

export interface Deletion {
  readonly kind: DeskKind
  readonly ids: readonly number[]
  /** Set if restoring failed for these. */
  readonly failed: Restoration | null
}

export interface Restoration {
  readonly back: number
  readonly failed: readonly number[]
  /** The translated reason of the first refusal. */
  readonly why: string
}

/** The architecture test finds message keys by their literals, so each one is spelled out. */
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

export const useLastDeletion = (): Deletion | null =>
  useSyncExternalStore(
    subscribe,
    () => stack.at(-1) ?? null,
    () => null,
  )

/** For code outside of components. */
export const lastDeletion = (): Deletion | null => stack.at(-1) ?? null

/** The architecture test finds message keys by their literals, so each one is spelled out. */
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

/** Throws ApiError. */
export async function deleteAtDesk(kind: DeskKind, ids: readonly number[]): Promise<void> {
  await api(CALLS[kind].removeMany, { ids: [...ids] })
  change([...stack, { kind, ids, failed: null }])
}

/** Restores all in one call, in which a refused one does not stop the others. Never rejects. */
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
      why: first === undefined ? '' : t(WORDS[first.why], { days: UNDO_DAYS }),
    }
  } catch (error) {
    return { back: 0, failed: ids, why: error instanceof ApiError ? error.message : '' }
  }
}

/** Whatever fails stays on the stack for another attempt. */
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

/** Clears the stack. The items stay in the view of deleted ones. */
export function forgetDeletions(): void {
  change([])
}
