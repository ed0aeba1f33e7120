/** How many notices the signed-in person has not read: the bell shows it, its watch knows it. */
import { useSyncExternalStore } from 'react'

let count = 0
const listeners = new Set<() => void>()

/** Sets the number that the bell shows. An equal number wakes no listener. */
export function setNoticeCount(next: number): void {
  if (next === count) return
  count = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** 0 on the server and until the browser has asked. */
export const useNoticeCount = (): number =>
  useSyncExternalStore(
    subscribe,
    () => count,
    () => 0,
  )
