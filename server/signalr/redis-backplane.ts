/**
 * Nodes that meet in Redis: one channel a group or user, to which only nodes subscribe that hold somebody of it, and
 * a heartbeat that says where each node takes requests. Redis forgets what nobody hears: a message that is published
 * while a node is cut off from it is lost for that node's clients.
 */
import type { Redis } from 'ioredis'
import type { Backplane } from '#server/signalr/backplane.ts'

const HEARTBEAT_MS = 5000
const ALIVE_SECONDS = 15
/** How long a node's address is believed without asking. */
const KNOWN_MS = 2000

export interface RedisBackplaneOptions {
  readonly redis: Redis
  readonly node: string
  /** How other nodes reach this one, for example `http://10.0.0.7:3000`. */
  readonly nodeUrl: string
  /** Keeps several hubs in one Redis apart. */
  readonly prefix: string
  readonly onFault: (error: unknown) => void
}

export async function createRedisBackplane(options: RedisBackplaneOptions): Promise<Backplane> {
  const { redis, node, nodeUrl, prefix, onFault } = options
  const keyOf = (name: string) => `${prefix}:node:${name}`
  const nameOf = (channel: string) => `${prefix}:${channel}`
  const listeners = new Map<string, (message: Uint8Array) => void>()
  const known = new Map<string, { url: string | null; at: number }>()

  // A connection that listens can do nothing else.
  const ears = redis.duplicate()
  ears.on('error', onFault)
  ears.on('messageBuffer', (channel: Buffer, data: Buffer) => {
    const end = data.indexOf(0)
    // What this node published itself it has delivered already.
    if (data.toString('utf8', 0, end) === node) return
    listeners.get(channel.toString('utf8'))?.(data.subarray(end + 1))
  })
  const beat = () => redis.set(keyOf(node), nodeUrl, 'EX', ALIVE_SECONDS)
  await beat()
  const timer = setInterval(() => {
    beat().catch(onFault)
  }, HEARTBEAT_MS)
  timer.unref()

  return {
    node,
    publish: (channel, message) => {
      redis
        .publish(nameOf(channel), Buffer.concat([Buffer.from(`${node}\0`), message]))
        .catch(onFault)
    },
    subscribe: async (channel, listener) => {
      listeners.set(nameOf(channel), listener)
      await ears.subscribe(nameOf(channel))
    },
    unsubscribe: (channel) => {
      listeners.delete(nameOf(channel))
      ears.unsubscribe(nameOf(channel)).catch(onFault)
    },
    findNode: async (name) => {
      const before = known.get(name)
      if (before !== undefined && Date.now() - before.at < KNOWN_MS) return before.url
      const url = await redis.get(keyOf(name))
      known.set(name, { url, at: Date.now() })
      return url
    },
    close: async () => {
      clearInterval(timer)
      await redis.del(keyOf(node)).catch(onFault)
      ears.disconnect()
    },
  }
}
