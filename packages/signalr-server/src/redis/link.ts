/**
 * How a process speaks and listens over Redis: the client that it was given, a second connection that listens, a
 * heartbeat, and the state of both. Redis forgets what nobody hears: a message that is published while a process is cut
 * off is lost for it. So nothing waits for a Redis that is away and nothing is queued for it; when it is back,
 * listeners are told that something may have been missed.
 */
import type { Cluster, Redis } from 'ioredis'
import { createNodeName } from '../connections/connection-server.ts'
import { createDeferred } from '../deferred.ts'
import { createShardedSubscriber } from './sharded-subscriber.ts'
import { createSubscriber, LISTENS } from './subscriber.ts'
import { ANSWER_MS, within } from './within.ts'

/** Between two heartbeats. */
const BEAT_MS = 1000
const ALIVE_SECONDS = 15
/** Bytes that may wait to be taken by Redis. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024
/** The end of a process waits no longer for its heartbeat to go. */
const LEAVE_MS = 500
/**
 * A primary without replicas or without room refuses writes (`min-replicas-to-write`, `maxmemory`), but still passes on
 * what is published. A fail-over leaves it so for as long as the old primary is away.
 */
const WRITES_REFUSED = /^(?:NOREPLICAS|OOM|MISCONF)/

export interface RedisLinkOptions {
  /**
   * One server, Sentinels or a cluster. It stays open when the link closes. Connections that listen are made of it; in
   * a cluster these are one for each node with a wanted channel.
   */
  readonly client: Redis | Cluster
  /** How other nodes reach this one, as `http://10.0.0.7:3000`. It is stored under `PREFIX:node:NODE` while the process lives. */
  readonly address: string
  /** Before all keys and channels; the same on all nodes. The default is `hub`. */
  readonly prefix?: string
  /** Gets what a listener threw, for example at a message that is not understood. */
  readonly onFault?: (error: unknown, channel: string) => void
}

export interface RedisLink {
  /** This process, among those that meet here. */
  readonly node: string
  readonly address: string
  readonly prefix: string
  readonly client: Redis | Cluster
  /** True while Redis answers and every wanted channel is subscribed to. */
  isConnected(): boolean
  /** Why Redis takes no writes at the moment, though it answers and passes messages on; null when it takes them. */
  refusal(): Error | null
  /** To all who listen to the channel, this process among them. Returns false when the message is lost. */
  publish(channel: string, message: Uint8Array): boolean
  /**
   * Resolves when what is published from now on is heard, or when Redis is away. Never rejects. `from` is the node of
   * the sender.
   */
  subscribe(channel: string, listener: (message: Buffer, from: string) => void): Promise<void>
  unsubscribe(channel: string): void
  /** Called once when Redis stops answering, or has not answered at the start. */
  onAway(listener: (error: unknown) => void): void
  /** Called when Redis answers again and every channel is subscribed to: until then messages may have been missed. */
  onBack(listener: () => void): void
  /** Resolves when the link is connected, or after so many milliseconds; `fault` then says why it is not. */
  settle(ms: number): Promise<void>
  /** The last error. */
  fault(): unknown
  /** @throws Error when Redis does not answer now, or refuses writes */
  check(): Promise<void>
  close(): Promise<void>
}

/** The key of a node's heartbeat. */
export const heartbeatKey = (prefix: string, node: string): string => `${prefix}:node:${node}`

/**
 * Connects by itself and never fails: without Redis the process is alone until it comes. The function is long because
 * its steps share the state of two connections; each step is a short function of its own.
 */
export function createRedisLink({
  client,
  address,
  prefix = 'hub',
  onFault = () => {},
}: RedisLinkOptions): RedisLink {
  const node = createNodeName()
  const key = heartbeatKey(prefix, node)
  const nameOf = (channel: string) => `${prefix}:${channel}`
  const awayListeners: ((error: unknown) => void)[] = []
  const backListeners: (() => void)[] = []
  const settled = createDeferred<void>()
  let state: 'starting' | 'connected' | 'away' = 'starting'
  let speaks = false
  let waiting = 0
  let isBeating = false
  let isClosed = false
  let fault: unknown
  let refusal: Error | null = null

  /** Looks at both connections. Reports the first fault, then the return. */
  const look = (error?: unknown) => {
    if (isClosed) return
    fault = error ?? fault
    if (speaks && subscriber.isSubscribed()) {
      const before = state
      state = 'connected'
      settled.resolve()
      if (before === 'away') for (const listener of backListeners) listener()
    } else if (state === 'connected' || (state === 'starting' && error !== undefined)) {
      state = 'away'
      for (const listener of awayListeners)
        listener(error ?? new Error('The connection to Redis was lost.'))
    }
  }
  // A connection that listens can do nothing else.
  const subscriber = client.isCluster
    ? createShardedSubscriber(client as Cluster, look)
    : createSubscriber((client as Redis).duplicate(LISTENS), look)
  const losesVoice = (error?: unknown) => {
    speaks = false
    look(error)
  }
  const beat = async () => {
    if (isBeating || isClosed || client.status !== 'ready') return
    isBeating = true
    try {
      await within(ANSWER_MS, client.set(key, address, 'EX', ALIVE_SECONDS))
      refusal = null
    } catch (error) {
      refusal = error instanceof Error && WRITES_REFUSED.test(error.message) ? error : null
      if (refusal === null) return losesVoice(error)
    } finally {
      isBeating = false
    }
    speaks = client.status === 'ready'
    look()
  }
  const ready = () => void beat()
  const closed = () => losesVoice()
  const listeners = { error: look, close: closed, ready }
  for (const [name, listener] of Object.entries(listeners)) client.on(name, listener)
  const timer = setInterval(() => {
    ready()
    subscriber.ping()
  }, BEAT_MS)
  timer.unref()
  ready()

  return {
    node,
    address,
    prefix,
    client,
    isConnected: () => state === 'connected',
    refusal: () => refusal,
    publish: (channel, message) => {
      if (!speaks) return false
      if (waiting + message.length > MOST_WAITING_BYTES) {
        losesVoice(new Error('Too much waits for Redis.'))
        return false
      }
      waiting += message.length
      const data = Buffer.concat([Buffer.from(`${node}\0`), message])
      const name = nameOf(channel)
      const sent = client.isCluster ? client.spublish(name, data) : client.publish(name, data)
      sent.catch(losesVoice).finally(() => {
        waiting -= message.length
      })
      return true
    },
    subscribe: (channel, listener) =>
      subscriber.listen(nameOf(channel), (data) => {
        const end = data.indexOf(0)
        try {
          if (end >= 0) listener(data.subarray(end + 1), data.toString('utf8', 0, end))
        } catch (error) {
          onFault(error, channel)
        }
      }),
    unsubscribe: (channel) => subscriber.ignore(nameOf(channel)),
    onAway: (listener) => void awayListeners.push(listener),
    onBack: (listener) => void backListeners.push(listener),
    fault: () => fault,
    settle: async (ms) => {
      await within(ms, settled.promise).catch(() => {})
      if (state === 'starting') look(fault ?? new Error('Redis did not answer in time.'))
    },
    check: async () => {
      if (state !== 'connected') throw new Error('Redis is away', { cause: fault })
      await within(ANSWER_MS, client.ping())
      if (refusal !== null) throw refusal
    },
    close: async () => {
      if (isClosed) return
      isClosed = true
      clearInterval(timer)
      for (const [name, listener] of Object.entries(listeners)) client.off(name, listener)
      if (speaks) await within(LEAVE_MS, client.del(key)).catch(() => {})
      subscriber.close()
    },
  }
}
