export interface Listeners<Event extends readonly unknown[]> {
  /** Returns a function that unsubscribes. */
  readonly add: (listener: (...event: Event) => void) => () => void
  readonly call: (...event: Event) => void
}

/** Calls the listeners in the order in which they were added. */
export function createListeners<Event extends readonly unknown[]>(): Listeners<Event> {
  const all = new Set<(...event: Event) => void>()
  return {
    add: (listener) => {
      // A wrapper allows the same function to subscribe twice and unsubscribe once.
      const own = (...event: Event) => listener(...event)
      all.add(own)
      return () => all.delete(own)
    },
    call: (...event) => {
      for (const listener of all) listener(...event)
    },
  }
}
