/**
 * `signalr-hub-server/redis`: nodes that meet in Redis, over a client of `ioredis` that one has. One channel a group or
 * user, to which only nodes subscribe that hold somebody of it; in a cluster sharded channels, so that each message
 * burdens one shard alone. Redis forgets what nobody hears, so nobody waits for a Redis that is away and nothing is queued
 * for it; when it is back, all who listen are told that something may have been missed.
 */
import type { Cluster, Redis } from 'ioredis'
import type { Backplane } from './backplane/backplane.ts'
import { createNodeName } from './connections/connection-server.ts'

export interface RedisBackplaneOptions {
  /** One server, Sentinels or a cluster. It stays open when the backplane closes; a second one is made of it to listen. */
  readonly client: Redis | Cluster
  /** How other nodes reach this one, as `http://10.0.0.7:3000`. */
  readonly address: string
  /** Before all keys and channels; the same on all nodes. */
  readonly prefix?: string
  /** Hears once when Redis is away, and what a message of somebody else has broken. */
  readonly onFault?: (error: unknown) => void
}

export interface RedisBackplane extends Backplane {
  /** True while Redis answers and all that is wanted is heard. */
  isConnected(): boolean
}

const BEAT_MS = 1000
const ALIVE_SECONDS = 15
/** An answer that takes longer is none. */
const ANSWER_MS = 2000
/** A request that looks for its node waits no longer. */
const FIND_MS = 500
/** How long a node's address is believed without asking, and for how many nodes. */
const KNOWN_MS = 2000
const MOST_KNOWN = 1000
/** What may wait to be taken by Redis. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024
/** Channels in one command; of a cluster those of one command must lie in one slot. */
const AT_ONCE = 1000

/**
 * Connects by itself and never fails: without Redis the node is alone until it comes. The function is long because its
 * steps share what is subscribed; each of them is a short function of its own.
 */
export function createRedisBackplane({
  client,
  address,
  prefix = 'hub',
  onFault = () => {},
}: RedisBackplaneOptions): RedisBackplane {
  const node = createNodeName()
  const { isCluster } = client
  let ear = listenerOf(client)
  let shape = ''
  const wanted = new Map<string, (message: Uint8Array) => void>()
  const known = new Map<string, { address: string | null; at: number }>()
  const backListeners: (() => void)[] = []
  const keyOf = (name: string) => `${prefix}:node:${name}`
  let state: 'starting' | 'connected' | 'away' = 'starting'
  /** Rises when something may not have been heard, or not been said. */
  let breaks = 0
  let waiting = 0
  let isBeating = false

  const broken = (error: unknown) => {
    breaks += 1
    if (state === 'connected') onFault(error)
    state = 'away'
  }
  const subscribe = async (channels: readonly string[]) => {
    const parts = inParts(channels, isCluster ? 1 : AT_ONCE)
    const done = parts.map((part) => (isCluster ? ear.ssubscribe(...part) : ear.subscribe(...part)))
    await within(ANSWER_MS, Promise.all(done))
  }
  /** A cluster that has moved channels is met by a new listener, which knows where they are now. */
  const look = () => {
    const now = shapeOf(client)
    if (shape !== '' && shape !== now) broken(new Error('The cluster has changed.'))
    shape = now
  }
  const renew = async () => {
    ignore(ear)
    ear.disconnect()
    ear = listenerOf(client)
    attend(ear)
    await within(ANSWER_MS, new Promise<void>((resolve) => ear.once('ready', resolve)))
  }
  /** Says that this node lives, and after a break listens to everything again. */
  const beat = async () => {
    if (isBeating || client.status !== 'ready' || (!isCluster && ear.status !== 'ready')) return
    isBeating = true
    if (isCluster) look()
    const before = breaks
    try {
      await within(ANSWER_MS, client.set(keyOf(node), address, 'EX', ALIVE_SECONDS))
      if (state !== 'connected') {
        if (isCluster && (state === 'away' || ear.status !== 'ready')) await renew()
        await subscribe([...wanted.keys()])
        if (before === breaks) {
          const wasAway = state === 'away'
          state = 'connected'
          if (wasAway) for (const listener of backListeners) listener()
        }
      }
    } catch (error) {
      broken(error)
    } finally {
      isBeating = false
    }
  }
  const hear = (channel: Buffer, data: Buffer) => {
    const end = data.indexOf(0)
    // What this node published itself it has delivered already.
    if (end < 0 || data.toString('utf8', 0, end) === node) return
    try {
      wanted.get(channel.toString('utf8'))?.(data.subarray(end + 1))
    } catch (error) {
      onFault(error)
    }
  }
  const heardOf = isCluster ? 'smessageBuffer' : 'messageBuffer'
  const ready = () => void beat()
  const closed = () => broken(new Error('The connection to Redis was lost.'))
  // The last two are a cluster's.
  const events = { ready, close: closed, '-node': closed, 'node error': broken }
  const attend = (each: Redis | Cluster) => {
    each.on('error', broken)
    for (const [name, listener] of Object.entries(events)) each.on(name, listener)
    if (each !== client) each.on(heardOf, hear)
  }
  const ignore = (each: Redis | Cluster) => {
    for (const [name, listener] of Object.entries(events)) each.off(name, listener)
    each.off(heardOf, hear)
    // One that nobody listens to would end the process with its last error.
    if (each === client) each.off('error', broken)
  }
  attend(client)
  attend(ear)
  const timer = setInterval(ready, BEAT_MS)
  timer.unref()
  ready()

  return {
    node,
    address,
    isConnected: () => state === 'connected',
    publish: (channel, message) => {
      if (client.status !== 'ready' || waiting + message.length > MOST_WAITING_BYTES) {
        broken(new Error('Redis is away or too slow.'))
        return
      }
      waiting += message.length
      const name = `${prefix}:${channel}`
      const data = Buffer.concat([Buffer.from(`${node}\0`), message])
      const sent = isCluster ? client.spublish(name, data) : client.publish(name, data)
      sent.catch(broken).finally(() => {
        waiting -= message.length
      })
    },
    subscribe: async (channel, listener) => {
      const name = `${prefix}:${channel}`
      wanted.set(name, listener)
      if (ear.status === 'ready') await subscribe([name]).catch(broken)
    },
    unsubscribe: (channel) => {
      const name = `${prefix}:${channel}`
      wanted.delete(name)
      if (ear.status !== 'ready') return
      // What is heard without being wanted is let go.
      const done = isCluster ? ear.sunsubscribe(name) : ear.unsubscribe(name)
      done.catch(() => {})
    },
    onBack: (listener) => void backListeners.push(listener),
    findNode: async (name, believed) => {
      const before = known.get(name)
      if (before !== undefined && Date.now() - before.at < KNOWN_MS) return before.address
      if (client.status !== 'ready') return believed
      try {
        const found = await within(FIND_MS, client.get(keyOf(name)))
        const [oldest] = known.keys()
        if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest)
        known.set(name, { address: found, at: Date.now() })
        return found
      } catch {
        return believed
      }
    },
    close: async () => {
      clearInterval(timer)
      ignore(client)
      ignore(ear)
      if (client.status === 'ready') await within(FIND_MS, client.del(keyOf(node))).catch(() => {})
      ear.disconnect()
    },
  }
}

/** A connection that listens can do nothing else. */
function listenerOf(client: Redis | Cluster): Redis | Cluster {
  if (client.isCluster) return (client as Cluster).duplicate([], { shardedSubscribers: true })
  // What is wanted is asked for again after each break, so not by the client as well.
  return (client as Redis).duplicate({ autoResubscribe: false })
}

/** Who has which slots. */
function shapeOf(client: Redis | Cluster): string {
  const slots = 'slots' in client ? client.slots : []
  const runs: string[] = []
  let last: string | undefined
  for (const [slot, [owner] = []] of slots.entries()) {
    if (owner !== last) runs.push(`${slot} ${owner}`)
    last = owner
  }
  return runs.join()
}

function inParts(names: readonly string[], size: number): string[][] {
  const parts: string[][] = []
  for (let place = 0; place < names.length; place += size)
    parts.push(names.slice(place, place + size))
  return parts
}

/** @throws when there is no answer by then */
async function within<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Redis does not answer.')), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
