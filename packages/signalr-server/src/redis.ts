/**
 * `signalr-hub-server/redis`: connects nodes through Redis with a client of `ioredis` that you provide. Each group
 * and user has a channel, to which only nodes with a member subscribe; in a cluster channels are sharded, so that
 * a message only burdens one shard. Messages published while a node is disconnected are lost for its clients; when
 * it is back, all nodes are notified that something may have been missed.
 */
import type { Backplane } from './backplane/backplane.ts'
import {
  createRedisLink,
  heartbeatKey,
  type RedisLink,
  type RedisLinkOptions,
} from './redis/link.ts'
import { within } from './redis/within.ts'

export { createRedisLink, type RedisLink, type RedisLinkOptions } from './redis/link.ts'

/**
 * Either a client, from which the backplane creates its own link, or an existing link shared with other messages.
 */
export type RedisBackplaneOptions =
  | (Omit<RedisLinkOptions, 'onFault'> & {
      /** Called once when Redis becomes unavailable, and with errors of listeners. */
      readonly onFault?: (error: unknown) => void
    })
  | {
      /** Stays open when the backplane closes. */
      readonly link: RedisLink
      /** Prefix of the hub's channels after the link's prefix. Defaults to none. */
      readonly namespace?: string
    }

export interface RedisBackplane extends Backplane {
  /** True while Redis responds and every wanted channel is subscribed. */
  isConnected(): boolean
}

/** Timeout in ms of a lookup of a request's node. */
const FIND_MS = 500
/** How long a node's address is cached in ms, and for how many nodes. */
const KNOWN_MS = 2000
const MOST_KNOWN = 1000

/** Never fails: without Redis the node works alone until it connects. */
export function createRedisBackplane(options: RedisBackplaneOptions): RedisBackplane {
  const link = 'link' in options ? options.link : openLink(options)
  const namespace = 'link' in options ? (options.namespace ?? '') : ''
  const nameOf = (channel: string) => (namespace === '' ? channel : `${namespace}:${channel}`)
  const known = new Map<string, { address: string | null; at: number }>()
  return {
    node: link.node,
    address: link.address,
    isConnected: () => link.isConnected(),
    publish: (channel, message) => void link.publish(nameOf(channel), message),
    subscribe: (channel, listener) =>
      link.subscribe(nameOf(channel), (message, from) => {
        // This node has already delivered its own messages.
        if (from !== link.node) listener(message)
      }),
    unsubscribe: (channel) => link.unsubscribe(nameOf(channel)),
    onBack: (listener) => link.onBack(listener),
    findNode: async (name, believed) => {
      const before = known.get(name)
      if (before !== undefined && Date.now() - before.at < KNOWN_MS) return before.address
      if (!link.isConnected()) return believed
      try {
        const found = await within(FIND_MS, link.client.get(heartbeatKey(link.prefix, name)))
        // While Redis refuses writes, heartbeats can't be renewed and expire, so a missing one means nothing.
        if (found === null && link.refusal() !== null) return believed
        const [oldest] = known.keys()
        if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest)
        known.set(name, { address: found, at: Date.now() })
        return found
      } catch {
        return believed
      }
    },
    close: () => ('link' in options ? Promise.resolve() : link.close()),
  }
}

function openLink({ onFault, ...options }: Exclude<RedisBackplaneOptions, { link: RedisLink }>) {
  const link = createRedisLink({ ...options, ...(onFault !== undefined && { onFault }) })
  if (onFault !== undefined) link.onAway(onFault)
  return link
}
