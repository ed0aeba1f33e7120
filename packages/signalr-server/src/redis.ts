/**
 * `signalr-hub-server/redis`: connects nodes through Redis with a client of `ioredis` that you provide. Each group
 * and user has a channel, to which only nodes with a member subscribe. In a cluster, channels are sharded, so that
 * a message loads only one shard. Messages published while a node is disconnected are lost for its clients; when
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
  /** True while Redis responds and this node is subscribed to all its channels. */
  isConnected(): boolean
}

/** Timeout in ms for looking up a node's address. */
const FIND_MS = 500
/** In ms. How long a node's address is cached. */
const CACHE_MS = 2000
/** Maximum number of cached addresses. */
const CACHE_SIZE = 1000

/** Doesn't throw if Redis is down: the node works alone until it connects. */
export function createRedisBackplane(options: RedisBackplaneOptions): RedisBackplane {
  const link = 'link' in options ? options.link : openLink(options)
  const namespace = 'link' in options ? (options.namespace ?? '') : ''
  const nameOf = (channel: string) => (namespace === '' ? channel : `${namespace}:${channel}`)
  const cache = new Map<string, { address: string | null; at: number }>()
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
    findNode: async (name, fallbackAddress) => {
      const before = cache.get(name)
      if (before !== undefined && Date.now() - before.at < CACHE_MS) return before.address
      if (!link.isConnected()) return fallbackAddress
      try {
        const found = await within(FIND_MS, link.client.get(heartbeatKey(link.prefix, name)))
        // While Redis refuses writes, heartbeats can't be renewed and expire, so a missing
        // one doesn't mean that the node is gone.
        if (found === null && link.refusal() !== null) return fallbackAddress
        const [oldest] = cache.keys()
        if (cache.size >= CACHE_SIZE && oldest !== undefined) cache.delete(oldest)
        cache.set(name, { address: found, at: Date.now() })
        return found
      } catch {
        return fallbackAddress
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
