/**
 * Nodes that meet in Redis: one channel a group or user, to which only nodes subscribe that hold somebody of it, and
 * a heartbeat that says where each node takes requests. Redis forgets what nobody hears: a message that is published
 * while a node is cut off from it is lost for that node's clients. So nobody waits for a Redis that is away, nothing
 * is queued for it, and when it is back all nodes are notified that something may have been missed.
 */
import type { Backplane } from '#server/signalr/backplane/backplane.ts'
import { openRedis } from '#server/redis/client.ts'
import { createSubscriber } from '#server/redis/subscriber.ts'

/** How often Redis is checked, and given this node's address. */
const BEAT_MS = 1000
const ALIVE_SECONDS = 15
/** How long a node's address is believed without asking, and for how many nodes. */
const KNOWN_MS = 2000
const MOST_KNOWN = 1000
/** What may wait to be taken by Redis. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024
/** A request that looks for its node waits no longer for Redis. */
const FIND_MS = 500

export interface RedisBackplaneOptions {
  /** Of Redis. */
  readonly url: string
  readonly node: string
  /** How other nodes reach this one, for example `http://10.0.0.7:3000`. */
  readonly nodeUrl: string
  /** Keeps several hubs in one Redis apart. */
  readonly prefix: string
  /** Redis does not answer; said once, until it is back. */
  readonly onAway: (error: unknown) => void
  /** Redis answers again, and all channels are heard. */
  readonly onBack: () => void
}

export interface RedisBackplane extends Backplane {
  /** Resolves when all is well, or after so many milliseconds. */
  settle(ms: number): Promise<void>
  /** @throws when Redis does not answer now */
  check(): Promise<unknown>
}

/**
 * Connects by itself and never fails: without Redis the node is alone until it comes. The function is long because its
 * steps share one connection and what is subscribed over it; each step is a short function of its own.
 */
export function createRedisBackplane(options: RedisBackplaneOptions): RedisBackplane {
  const { url, node, nodeUrl, prefix } = options
  const keyOf = (name: string) => `${prefix}:node:${name}`
  const nameOf = (channel: string) => `${prefix}:${channel}`
  const known = new Map<string, { url: string | null; at: number }>()
  const backListeners: (() => void)[] = []
  const settled = Promise.withResolvers<void>()
  const voice = openRedis(url)
  // A connection that listens can do nothing else.
  const ear = openRedis(url)
  let state: 'starting' | 'whole' | 'away' = 'starting'
  let speaks = false
  let waiting = 0
  let isClosed = false

  /** Looks at both connections. The first fault is reported, then the return. */
  const look = (error?: unknown) => {
    if (isClosed) return
    if (speaks && subscriber.isSubscribed()) {
      const before = state
      state = 'whole'
      settled.resolve()
      if (before !== 'away') return
      options.onBack()
      for (const listener of backListeners) listener()
    } else if (state === 'whole' || (state === 'starting' && error !== undefined)) {
      state = 'away'
      options.onAway(error ?? new Error('the connection was lost'))
    }
  }
  const subscriber = createSubscriber(ear, look)
  const losesVoice = (error?: unknown) => {
    speaks = false
    look(error)
  }
  const beat = async () => {
    try {
      await voice.set(keyOf(node), nodeUrl, 'EX', ALIVE_SECONDS)
      speaks = true
      look()
    } catch (error) {
      losesVoice(error)
    }
  }
  voice.on('error', look)
  voice.on('close', () => losesVoice())
  voice.on('ready', () => void beat())
  const timer = setInterval(() => {
    if (voice.status === 'ready') void beat()
    // No answer ends the connection, see `socketTimeout`.
    if (ear.status === 'ready') ear.ping().catch(() => {})
  }, BEAT_MS)
  timer.unref()

  return {
    node,
    address: nodeUrl,
    publish: (channel, message) => {
      if (!speaks) return
      if (waiting + message.length > MOST_WAITING_BYTES) {
        losesVoice(new Error('too much waits for Redis'))
        voice.disconnect(true)
        return
      }
      waiting += message.length
      voice
        .publish(nameOf(channel), Buffer.concat([Buffer.from(`${node}\0`), message]))
        .catch(losesVoice)
        .finally(() => {
          waiting -= message.length
        })
    },
    subscribe: (channel, listener) =>
      subscriber.listen(nameOf(channel), (data) => {
        const end = data.indexOf(0)
        // What this node published itself it has delivered already.
        if (data.toString('utf8', 0, end) !== node) listener(data.subarray(end + 1))
      }),
    unsubscribe: (channel) => subscriber.ignore(nameOf(channel)),
    onBack: (listener) => void backListeners.push(listener),
    findNode: async (name, address) => {
      const before = known.get(name)
      if (before !== undefined && Date.now() - before.at < KNOWN_MS) return before.url
      if (!speaks) return address
      const asked = voice.get(keyOf(name)).catch(() => address)
      const found = await Promise.race([asked, pause(FIND_MS)])
      if (found === undefined) return address
      const [oldest] = known.keys()
      if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest)
      known.set(name, { url: found, at: Date.now() })
      return found
    },
    settle: async (ms) => {
      await Promise.race([settled.promise, pause(ms)])
      look(new Error('there was no answer in time'))
    },
    check: async () => {
      if (state !== 'whole') throw new Error('Redis is away')
      await voice.ping()
    },
    close: async () => {
      if (isClosed) return
      isClosed = true
      clearInterval(timer)
      if (speaks) await Promise.race([voice.del(keyOf(node)).catch(() => {}), pause(FIND_MS)])
      voice.disconnect()
      subscriber.close()
    },
  }
}

const pause = (ms: number) =>
  new Promise<undefined>((resolve) => {
    setTimeout(resolve, ms, undefined)
  })
