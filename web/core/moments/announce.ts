/**
 * A live region for screen readers. It exists from the start, because one that is inserted with its text is not read
 * out.
 */
type Say = (words: string) => void

let say: Say | null = null

/** An empty text clears the region. */
export function announce(words: string): void {
  say?.(words)
}

/** Registers the live region. Returns a function that unregisters it. */
export function hostAnnouncements(region: Say): () => void {
  say = region
  return () => {
    say = null
  }
}
