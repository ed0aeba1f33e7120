import { useSyncExternalStore } from 'react'

let count = 0
const listeners = new Set<() => void>()

export function setNoticeCount(next: number): void {
  if (next === count) return
  count = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** 0 on the server and until the browser has loaded the count. */
export const useNoticeCount = (): number =>
  useSyncExternalStore(
    subscribe,
    () => count,
    () => 0,
  )
