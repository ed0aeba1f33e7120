/** What can be tried again, because the server could not be reached: null while there is nothing. */
type Retry = (() => void) | null

let retry: Retry = null
const listeners = new Set<() => void>()

/** What to try again, for useSyncExternalStore. */
export const readRetry = (): Retry => retry

/** Calls a listener whenever `readRetry` gives something else. */
export function onRetryChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Sets what can be tried again. */
export function offerRetry(next: Retry): void {
  if (retry === next) return
  retry = next
  for (const listener of listeners) listener()
}
