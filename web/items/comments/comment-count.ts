import { useSyncExternalStore } from 'react'

interface Counted {
  readonly commentCount: number
}

/** Keyed by the fetched data: data that is fetched again includes these changes in its own count. */
const changes = new WeakMap<Counted, number>()
const listeners = new Set<() => void>()

/** Returns the number of comments, including those that were added or deleted since the data was fetched. */
export function useCommentCount(lesson: Counted): number {
  const change = useSyncExternalStore(
    subscribe,
    () => changes.get(lesson) ?? 0,
    () => 0,
  )
  return Math.max(0, lesson.commentCount + change)
}

/** Changes a lesson's comment count wherever it is shown. */
export function addToCommentCount(lesson: Counted, change: number): void {
  if (change === 0) return
  changes.set(lesson, (changes.get(lesson) ?? 0) + change)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
