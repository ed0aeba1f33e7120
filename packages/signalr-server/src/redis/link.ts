/**
 * A process's connection to Redis: the given client, a second connection that subscribes, a heartbeat, and the
 * state of both. Redis doesn't store messages: those published while a process is disconnected are lost for it. So
 * nothing waits or is queued while Redis is unavailable; when it is back, listeners are notified that something
 * may have been missed.
 */
import type { Cluster, Redis } from 'ioredis'
import { createNodeName } from '../connections/connection-server.ts'
import { createDeferred } from '../deferred.ts'
import { createShardedSubscriber } from './sharded-subscriber.ts'
import { createSubscriber, LISTENS } from './subscriber.ts'
import { ANSWER_MS, within } from './within.ts'

/** Interval of heartbeats in ms. */
const BEAT_MS = 1000
const ALIVE_SECONDS = 15
/** Maximum size of output that Redis has not consumed. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024
/** Longest time in ms that closing waits for the removal of the heartbeat. */
const LEAVE_MS = 500
/**
 * A primary without replicas or memory refuses writes (`min-replicas-to-write`, `maxmemory`) but still delivers
 * published messages. After a failover this lasts until the old primary is back.
 */
const WRITES_REFUSED = /^(?:NOREPLICAS|OOM|MISCONF)/

export interface RedisLinkOptions {
  /**
   * A client of a single server, Sentinels or a cluster. It stays open when the link closes. Subscribing
   * connections are created from it; in a cluster there is one for each node with a wanted channel.
   */
  readonly client: Redis | Cluster
  /**
   * How other nodes reach this one, such as `http://10.0.0.7:3000`. Stored under `PREFIX:node:NODE` while the
   * process runs.
   */
  readonly address: string
  /** Prefix of all keys and channels, the same on all nodes. Defaults to `hub`. */
  readonly prefix?: string
  /** Receives errors of listeners, for example for a message that can't be decoded. */
  readonly onFault?: (error: unknown, channel: string) => void
}

export interface RedisLink {
  /** Identifies this process among the nodes. */
  readonly node: string
  readonly address: string
  readonly prefix: string
  readonly client: Redis | Cluster
  /** True while Redis responds and every wanted channel is subscribed. */
  isConnected(): boolean
  /** Returns why Redis currently refuses writes although it responds and delivers messages, or null. */
  refusal(): Error | null
  /** Publishes to all listeners of the channel, including this process. Returns false if the message is lost. */
  publish(channel: string, message: Uint8Array): boolean
  /**
   * Resolves when future messages arrive, or when Redis is unavailable. Never rejects. `from` is the sender's
   * node.
   */
  subscribe(channel: string, listener: (message: Buffer, from: string) => void): Promise<void>
  unsubscribe(channel: string): void
  /** Called once when Redis stops responding, or has not responded at the start. */
  onAway(listener: (error: unknown) => void): void
  /**
   * Called when Redis responds again and every channel is subscribed. Messages before that may have been missed.
   */
  onBack(listener: () => void): void
  /** Resolves when the link is connected, or after this time in ms; `fault` then returns the reason. */
  settle(ms: number): Promise<void>
  /** Returns the last error. */
  fault(): unknown
  /** @throws Error when Redis doesn't respond now, or refuses writes */
  check(): Promise<void>
  close(): Promise<void>
}

export const heartbeatKey = (prefix: string, node: string): string => `${prefix}:node:${node}`

/** Connects automatically and never fails: without Redis the process works alone until it connects. */
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

  /** Checks both connections. Reports the first fault, then the recovery. */
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
  // A subscribing connection can't be used for other commands.
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
