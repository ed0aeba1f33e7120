/** What the user can retry after the server was unreachable, or null. */
type Retry = (() => void) | null

let retry: Retry = null
const listeners = new Set<() => void>()

/** The snapshot for useSyncExternalStore. */
export const readRetry = (): Retry => retry

export function onRetryChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function offerRetry(next: Retry): void {
  if (retry === next) return
  retry = next
  for (const listener of listeners) listener()
}
