/** Connects several nodes in one process like a bus: messages arrive at the others a moment later. */
import type { Backplane } from '../src/backplane/backplane.ts'

type Listener = (message: Uint8Array) => void

export interface MemoryBus {
  /** Adds a node of this name. */
  join(node: string): Backplane
  /** Channels that a node listens to. */
  channelsOf(node: string): readonly string[]
}

/** Doesn't forward requests, because tests connect to each node separately. */
export function createMemoryBus(): MemoryBus {
  const nodes = new Map<string, Map<string, Listener>>()
  return {
    join: (node) => {
      const channels = new Map<string, Listener>()
      nodes.set(node, channels)
      return {
        node,
        address: `http://${node}.invalid`,
        publish: (channel, message) => {
          for (const [name, others] of nodes)
            if (name !== node) setImmediate(() => others.get(channel)?.(message))
        },
        subscribe: (channel, listener) => {
          channels.set(channel, listener)
          return Promise.resolve()
        },
        unsubscribe: (channel) => void channels.delete(channel),
        onBack: () => {},
        findNode: () => Promise.resolve(null),
        close: () => Promise.resolve(),
      }
    },
    channelsOf: (node) => [...(nodes.get(node)?.keys() ?? [])],
  }
}
