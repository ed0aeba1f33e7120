/**
 * Connects the nodes of a hub. A node delivers to its own clients itself; the backplane informs the other nodes.
 */

export interface Backplane {
  /** Identifies this process among the nodes. */
  readonly node: string
  /** How other nodes reach this one, or null if there are none. */
  readonly address: string | null
  /**
   * Sends to the other nodes that listen to the channel. Messages that can't be sent now are dropped, and `onBack`
   * follows.
   */
  publish(channel: string, message: Uint8Array): void
  /**
   * Resolves when future messages arrive, or after the response timeout. In that case they don't arrive yet, and
   * `onBack` follows when they do. Never rejects.
   */
  subscribe(channel: string, listener: (message: Uint8Array) => void): Promise<void>
  unsubscribe(channel: string): void
  /** Called when nodes are connected again after a time in which messages between them may have been lost. */
  onBack(listener: () => void): void
  /**
   * Returns where a running node accepts requests, or null if it is gone. `address` is used if nobody can be
   * asked.
   */
  findNode(node: string, address: string | null): Promise<string | null>
  close(): Promise<void>
}

/** For a single node. */
export function createLocalBackplane(node: string): Backplane {
  return {
    node,
    address: null,
    publish: () => {},
    subscribe: () => Promise.resolve(),
    unsubscribe: () => {},
    onBack: () => {},
    findNode: () => Promise.resolve(null),
    close: () => Promise.resolve(),
  }
}
