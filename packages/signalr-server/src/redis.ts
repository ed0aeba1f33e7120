/**
 * `signalr-hub-server/redis`: nodes that meet in Redis, over a client of `ioredis` that you have. There is one channel
 * for each group and user, to which only nodes with a member subscribe; in a cluster channels are sharded, so that a
 * message burdens one shard only. Messages that are published while a node is cut off are lost for its clients; when it
 * is back, all nodes are told that something may have been missed.
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

/** Either a client, of which the backplane makes a link of its own, or a link that carries other messages too. */
export type RedisBackplaneOptions =
  | (Omit<RedisLinkOptions, 'onFault'> & {
      /** Called once when Redis goes away, and with what a message of somebody else has broken. */
      readonly onFault?: (error: unknown) => void
    })
  | {
      /** It stays open when the backplane closes. */
      readonly link: RedisLink
      /** Before the hub's channels, behind the link's prefix. The default is none. */
      readonly namespace?: string
    }

export interface RedisBackplane extends Backplane {
  /** True while Redis answers and every wanted channel is subscribed to. */
  isConnected(): boolean
}

/** A request that looks for its node waits no longer, in ms. */
const FIND_MS = 500
/** How long a node's address is believed without asking, and for how many nodes. */
const KNOWN_MS = 2000
const MOST_KNOWN = 1000

/** Never fails: without Redis the node is alone until it comes. */
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
        // This node has delivered its own messages already.
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
        // While Redis refuses writes, no heartbeat is renewed and the last ones expire.
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
