/** Messages between the tabs of one browser. */

export interface TabChannel {
  /** To the others, not to this tab. */
  readonly post: (message: unknown) => void
  readonly listen: (listener: (message: unknown) => void) => void
  readonly close: () => void
}

/** Opens the channel of a name: tabs that open the same one receive what the others post. */
export function openChannel(name: string): TabChannel {
  const channel = new BroadcastChannel(name)
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => channel.addEventListener('message', ({ data }) => listener(data)),
    close: () => channel.close(),
  }
}
