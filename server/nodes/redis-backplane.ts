/**
 * Nodes that meet in Redis: one channel a group or user, to which only nodes subscribe that hold somebody of it. Each
 * node's heartbeat says where it takes requests. What is published while a node is cut off is lost for its clients;
 * when the link is back all nodes are notified that something may have been missed.
 */
import { heartbeatKey, type RedisLink } from '#server/redis/link.ts'
import type { Backplane } from '#signalr'

/** How long a node's address is believed without asking, and for how many nodes. */
const KNOWN_MS = 2000
const MOST_KNOWN = 1000
/** A request that looks for its node waits no longer for Redis. */
const FIND_MS = 500

/**
 * A backplane over a link whose heartbeat is `nodeUrl`: how other nodes reach this one, as `http://10.0.0.7:3000`. The
 * link stays open when the backplane is closed: it may carry more than this.
 */
export function createRedisBackplane(link: RedisLink, nodeUrl: string): Backplane {
  const known = new Map<string, { url: string | null; at: number }>()
  const nameOf = (channel: string) => `chat:${channel}`
  return {
    node: link.node,
    address: nodeUrl,
    publish: (channel, message) => void link.publish(nameOf(channel), message),
    subscribe: (channel, listener) =>
      link.subscribe(nameOf(channel), (message, from) => {
        // What this node published itself it has delivered already.
        if (from !== link.node) listener(message)
      }),
    unsubscribe: (channel) => link.unsubscribe(nameOf(channel)),
    onBack: (listener) => link.onBack(listener),
    findNode: async (name, address) => {
      const before = known.get(name)
      if (before !== undefined && Date.now() - before.at < KNOWN_MS) return before.url
      if (!link.isConnected()) return address
      const asked = link.client.get(heartbeatKey(link.prefix, name)).catch(() => address)
      const found = await Promise.race([asked, pause(FIND_MS)])
      if (found === undefined) return address
      // Nobody's heartbeat is written then, and the last ones end.
      if (found === null && link.refusal() !== null) return address
      const [oldest] = known.keys()
      if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest)
      known.set(name, { url: found, at: Date.now() })
      return found
    },
    close: () => Promise.resolve(),
  }
}

const pause = (ms: number) =>
  new Promise<undefined>((resolve) => {
    setTimeout(resolve, ms, undefined)
  })
