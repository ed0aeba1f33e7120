/**
 * Words for screen readers alone. They are put into a region that stands in every page from its start: one that comes
 * with its words is not read out.
 */
type Say = (words: string) => void

let say: Say | null = null

/** Has words read out once; empty ones take the last away. */
export function announce(words: string): void {
  say?.(words)
}

/** The region takes over. Answers a function that ends it. */
export function hostAnnouncements(region: Say): () => void {
  say = region
  return () => {
    say = null
  }
}
