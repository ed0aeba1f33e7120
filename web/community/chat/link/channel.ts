export interface TabChannel {
  /** Reaches all other tabs, but not this one. */
  readonly post: (message: unknown) => void
  readonly listen: (listener: (message: unknown) => void) => void
  readonly close: () => void
}

export function openChannel(name: string): TabChannel {
  const channel = new BroadcastChannel(name)
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => channel.addEventListener('message', ({ data }) => listener(data)),
    close: () => channel.close(),
  }
}
