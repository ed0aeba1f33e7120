import { useSyncExternalStore } from 'react'

interface Counted {
  readonly commentCount: number
}

/** By the fetched data itself: data that is fetched again has counted them. */
const changes = new WeakMap<Counted, number>()
const listeners = new Set<() => void>()

/** A lesson's comments as they are counted now: those that came and went since its data was fetched included. */
export function useCommentCount(lesson: Counted): number {
  const change = useSyncExternalStore(
    subscribe,
    () => changes.get(lesson) ?? 0,
    () => 0,
  )
  return Math.max(0, lesson.commentCount + change)
}

/**
 * Adds to the number of comments of a lesson, at once and wherever it is shown.
 * @param change how many came; negative for those that went
 */
export function noteComments(lesson: Counted, change: number): void {
  if (change === 0) return
  changes.set(lesson, (changes.get(lesson) ?? 0) + change)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
