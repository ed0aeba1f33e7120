/**
 * What this tab has deleted from the desk, the last first, so that one press takes it back. It lives beside the pages:
 * going from one tab of the desk to another leaves it.
 */
import { useSyncExternalStore } from 'react'
import { comments } from '#contract/comments.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'

export interface Deletion {
  readonly ids: readonly number[]
  /** Set when an attempt to bring them back has failed for these. */
  readonly failed: Restoration | null
}

/** How bringing comments back went. */
export interface Restoration {
  readonly back: number
  readonly failed: readonly number[]
  /** The server's first refusal, in words. */
  readonly why: string
}

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

/** Deletes comments and remembers it. @throws ApiError */
export async function deleteComments(ids: readonly number[]): Promise<void> {
  await api(comments.removeMany, { ids: [...ids] })
  change([...stack, { ids, failed: null }])
}

/** Brings comments back, one call each: one that is refused stops no other. Never rejects. */
export async function restoreComments(ids: readonly number[]): Promise<Restoration> {
  const outcomes = await Promise.allSettled(ids.map((id) => api(comments.restore, { id })))
  const failed = ids.filter((_, place) => outcomes[place]?.status === 'rejected')
  const refusal: unknown = outcomes.find((outcome) => outcome.status === 'rejected')?.reason
  return {
    back: ids.length - failed.length,
    failed,
    why: refusal instanceof ApiError ? refusal.message : '',
  }
}

/** Takes a deletion back; what fails stays to be tried again. */
export async function undoDeletion(deletion: Deletion): Promise<Restoration> {
  const outcome = await restoreComments(deletion.ids)
  const remaining = stack.filter((one) => one !== deletion)
  change(
    outcome.failed.length === 0
      ? remaining
      : [...remaining, { ids: outcome.failed, failed: outcome }],
  )
  return outcome
}

/** The person wants none of it; everything stays among the deleted ones. */
export function forgetDeletions(): void {
  change([])
}
