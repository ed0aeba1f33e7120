/** Words between the tabs of one browser. */

export interface TabChannel {
  /** To the others, not to this tab. */
  readonly say: (word: unknown) => void
  readonly listen: (listener: (word: unknown) => void) => void
  readonly close: () => void
}

/** Tabs that open a channel of one name hear each other. */
export function openChannel(name: string): TabChannel {
  const channel = new BroadcastChannel(name)
  return {
    say: (word) => channel.postMessage(word),
    listen: (listener) => channel.addEventListener('message', ({ data }) => listener(data)),
    close: () => channel.close(),
  }
}
