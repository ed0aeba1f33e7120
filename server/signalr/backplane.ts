/** What connects the nodes of one hub. A node delivers to its own clients by itself; the others hear of it here. */

export interface Backplane {
  /** This process, among the nodes. */
  readonly node: string
  /** To the other nodes that listen to the channel. */
  publish(channel: string, message: Uint8Array): void
  /** Resolves when what others publish from now on arrives. */
  subscribe(channel: string, listener: (message: Uint8Array) => void): Promise<void>
  unsubscribe(channel: string): void
  /** Where a living node takes requests; null when it is gone. */
  findNode(node: string): Promise<string | null>
  close(): Promise<void>
}

/** One node alone. */
export function createLocalBackplane(node: string): Backplane {
  return {
    node,
    publish: () => {},
    subscribe: () => Promise.resolve(),
    unsubscribe: () => {},
    findNode: () => Promise.resolve(null),
    close: () => Promise.resolve(),
  }
}
