/** Those who want to hear of something. */
export interface Listeners<Event extends readonly unknown[]> {
  /** Answers a function that ends the listening. */
  readonly add: (listener: (...event: Event) => void) => () => void
  readonly call: (...event: Event) => void
}

/** An empty list of listeners, called in the order in which they were added. */
export function createListeners<Event extends readonly unknown[]>(): Listeners<Event> {
  const all = new Set<(...event: Event) => void>()
  return {
    add: (listener) => {
      // One function may listen twice: each has an end of its own.
      const own = (...event: Event) => listener(...event)
      all.add(own)
      return () => all.delete(own)
    },
    call: (...event) => {
      for (const listener of all) listener(...event)
    },
  }
}
