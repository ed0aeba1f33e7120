/** What connects the nodes of one hub. A node delivers to its own clients by itself; the others hear of it here. */

export interface Backplane {
  /** This process, among the nodes. */
  readonly node: string
  /** How other nodes reach this one; null when there are none. */
  readonly address: string | null
  /** To the other nodes that listen to the channel. What can't be sent now is dropped, and `onBack` follows. */
  publish(channel: string, message: Uint8Array): void
  /**
   * Resolves when what others publish from now on arrives, and at the latest after the time that an answer may take:
   * then it does not arrive yet, and `onBack` follows when it does. Never rejects.
   */
  subscribe(channel: string, listener: (message: Uint8Array) => void): Promise<void>
  unsubscribe(channel: string): void
  /** Called when nodes hear each other again after a time in which messages may have been lost between them. */
  onBack(listener: () => void): void
  /** Where a living node takes requests; null when it is gone. `address`: what is believed while nobody can be asked. */
  findNode(node: string, address: string | null): Promise<string | null>
  close(): Promise<void>
}

/** One node alone. */
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
