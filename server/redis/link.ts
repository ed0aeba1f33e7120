/**
 * The one way in which a process speaks and listens over Redis: two connections, a heartbeat, and what is known of
 * their state. Redis forgets what nobody hears: a message that is published while somebody is cut off is lost for
 * them. So nobody waits for a Redis that is away, nothing is queued for it, and when it is back all who listen are
 * notified that something may have been missed.
 */
import { Cluster, type Redis } from 'ioredis'
import { openRedis } from '#server/redis/client.ts'
import type { RedisSettings } from '#server/redis/settings.ts'
import { createShardedSubscriber } from '#server/redis/sharded-subscriber.ts'
import { createSubscriber } from '#server/redis/subscriber.ts'

/** How often Redis is checked, and given the heartbeat. */
const BEAT_MS = 1000
const ALIVE_SECONDS = 15
/** What may wait to be taken by Redis. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024
/** Who leaves waits no longer to say so. */
const LEAVE_MS = 500
/**
 * A primary that has lost its replicas, or has no room, writes nothing (`min-replicas-to-write`, `maxmemory`), but
 * still passes on what is published. A fail-over leaves it so for as long as the old primary is away.
 */
const WRITES_REFUSED = /^(?:NOREPLICAS|OOM|MISCONF)/

/** Writes nothing of others: who uses a link closes only what is theirs. */
export interface RedisLink {
  /** This process, among those that meet here. */
  readonly node: string
  /** For keys of their own, which begin with `prefix`. Refuses at once while Redis is away. */
  readonly client: Redis | Cluster
  readonly prefix: string
  /** True while Redis answers and all that is wanted is heard. */
  isConnected(): boolean
  /** Why Redis takes no writes at the moment, though it answers and passes messages on; null: it does. */
  refusal(): Error | null
  /** To all who listen to the channel, this process among them. False when it is lost: Redis is away or too slow. */
  publish(channel: string, message: Uint8Array): boolean
  /** Resolves when what is published from now on is heard, or when Redis is away; never rejects. `from`: the sender. */
  subscribe(channel: string, listener: (message: Buffer, from: string) => void): Promise<void>
  unsubscribe(channel: string): void
  /** Called when Redis does not answer any more, once until it is back. */
  onAway(listener: (error: unknown) => void): void
  /** Called when it answers again and all is heard: until then something may have been missed. */
  onBack(listener: () => void): void
  /** Resolves when it is connected, or after so many milliseconds; `fault` says why it is not. */
  settle(ms: number): Promise<void>
  /** What was wrong last. */
  fault(): unknown
  /** @throws when Redis does not answer now */
  check(): Promise<unknown>
  close(this: void): Promise<void>
}

export interface RedisLinkOptions {
  readonly settings: RedisSettings
  readonly node: string
  /** What stands under the key `PREFIX:node:NODE` as long as this process lives. */
  readonly heartbeat: string
  /** Gets what a listener threw, for example at a message of somebody else: that must not end the process. */
  readonly report: (error: unknown, channel: string) => void
}

/** The key of a process's heartbeat. */
export const heartbeatKey = (prefix: string, node: string): string => `${prefix}:node:${node}`

/**
 * Connects by itself and never fails: without Redis the process is alone until it comes. The function is long because
 * its steps share one connection and what is subscribed over it; each step is a short function of its own.
 * @throws RedisUrlError when a file that the address names can't be read
 */
export function openLink({ settings, node, heartbeat, report }: RedisLinkOptions): RedisLink {
  const { prefix } = settings
  const key = heartbeatKey(prefix, node)
  const nameOf = (channel: string) => `${prefix}:${channel}`
  const awayListeners: ((error: unknown) => void)[] = []
  const backListeners: (() => void)[] = []
  const settled = Promise.withResolvers<void>()
  const voice = openRedis(settings)
  let state: 'starting' | 'connected' | 'away' = 'starting'
  let speaks = false
  let waiting = 0
  let isClosed = false
  let fault: unknown
  let refusal: Error | null = null

  /** Looks at both connections. The first fault is reported, then the return. */
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
      for (const listener of awayListeners) listener(error ?? new Error('the connection was lost'))
    }
  }
  // A connection that listens can do nothing else.
  const ear = voice instanceof Cluster ? null : openRedis(settings)
  const subscriber =
    ear === null || ear instanceof Cluster
      ? createShardedSubscriber(voice as Cluster, settings, look)
      : createSubscriber(ear, look)
  const losesVoice = (error?: unknown) => {
    speaks = false
    look(error)
  }
  const beat = async () => {
    try {
      await voice.set(key, heartbeat, 'EX', ALIVE_SECONDS)
      refusal = null
    } catch (error) {
      refusal = error instanceof Error && WRITES_REFUSED.test(error.message) ? error : null
      if (refusal === null) return losesVoice(error)
    }
    speaks = true
    look()
  }
  const send = (channel: string, data: Buffer) =>
    voice instanceof Cluster ? voice.spublish(channel, data) : voice.publish(channel, data)
  voice.on('error', look)
  voice.on('close', () => losesVoice())
  voice.on('ready', () => void beat())
  const timer = setInterval(() => {
    if (voice.status === 'ready') void beat()
    // No answer ends the connection, see `socketTimeout`.
    subscriber.ping()
  }, BEAT_MS)
  timer.unref()

  return {
    node,
    client: voice,
    prefix,
    isConnected: () => state === 'connected',
    refusal: () => refusal,
    publish: (channel, message) => {
      if (!speaks) return false
      if (waiting + message.length > MOST_WAITING_BYTES) {
        losesVoice(new Error('too much waits for Redis'))
        voice.disconnect(true)
        return false
      }
      waiting += message.length
      send(nameOf(channel), Buffer.concat([Buffer.from(`${node}\0`), message]))
        .catch(losesVoice)
        .finally(() => {
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
          report(error, channel)
        }
      }),
    unsubscribe: (channel) => subscriber.ignore(nameOf(channel)),
    onAway(listener) {
      awayListeners.push(listener)
    },
    onBack(listener) {
      backListeners.push(listener)
    },
    fault: () => fault,
    settle: async (ms) => {
      await Promise.race([settled.promise, pause(ms)])
      if (state === 'starting') look(fault ?? new Error('there was no answer in time'))
    },
    check: async () => {
      if (state !== 'connected') throw new Error('Redis is away', { cause: fault })
      await voice.ping()
      if (refusal !== null) throw refusal
    },
    close: async () => {
      if (isClosed) return
      isClosed = true
      clearInterval(timer)
      if (speaks) await Promise.race([voice.del(key).catch(() => {}), pause(LEAVE_MS)])
      voice.disconnect()
      subscriber.close()
    },
  }
}

const pause = (ms: number) =>
  new Promise<undefined>((resolve) => {
    setTimeout(resolve, ms, undefined)
  })
