/** How many messages wait for the signed-in person: the menu shows it, the chat knows it. */
import { useSyncExternalStore } from 'react'

let count = 0
const listeners = new Set<() => void>()

/** Sets the number that the menu shows. An equal number wakes no listener. */
export function setUnreadCount(next: number): void {
  if (next === count) return
  count = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** 0 on the server and until the browser has asked. */
export const useUnreadCount = (): number =>
  useSyncExternalStore(
    subscribe,
    () => count,
    () => 0,
  )
