/** Subscribes to channels of Redis, and again to all of them after each interruption. */
import type { Redis, RedisOptions } from 'ioredis'
import { createDeferred } from '../deferred.ts'
import { ANSWER_MS, within } from './within.ts'

export type Listener = (data: Buffer) => void
/** Called when `isSubscribed` may have changed. */
export type Look = (error?: unknown) => void

export interface Subscriber {
  /** True while every wanted channel is subscribed. */
  isSubscribed(): boolean
  /** Resolves when the channel is subscribed, or when Redis is unavailable. Never rejects. */
  listen(channel: string, listener: Listener): Promise<void>
  ignore(channel: string): void
  /** Reconnects if Redis doesn't respond in time. */
  ping(): void
  close(): void
}

/** Channels per command. In a cluster they would have to share a slot. */
const AT_ONCE = { plain: 1000, sharded: 1 } as const

/**
 * Options of a subscribing connection. The subscriber repeats its subscriptions itself, so nothing is queued or
 * sent again. The timeouts end the connection to a frozen server, which would not even confirm the close.
 */
export const LISTENS = {
  lazyConnect: false,
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: ANSWER_MS,
  socketTimeout: ANSWER_MS,
  disconnectTimeout: 50,
} satisfies Partial<RedisOptions>

/**
 * `redis` is opened with `LISTENS` and used for nothing else. Sharded channels are those of one node of a cluster.
 */
export function createSubscriber(
  redis: Redis,
  look: Look,
  kind: keyof typeof AT_ONCE = 'plain',
): Subscriber {
  const wanted = new Map<string, Listener>()
  const opened = createDeferred<void>()
  let isSubscribed = false
  let connections = 0
  const isSharded = kind === 'sharded'
  const subscribe = (...names: string[]) =>
    isSharded ? redis.ssubscribe(...names) : redis.subscribe(...names)
  const unsubscribe = (...names: string[]) =>
    isSharded ? redis.sunsubscribe(...names) : redis.unsubscribe(...names)

  const fail = (error: unknown) => {
    isSubscribed = false
    look(error)
    // An error of one channel may affect all, so all are subscribed again over a new connection.
    redis.disconnect(true)
  }

  const inParts = (names: readonly string[], work: (...part: string[]) => Promise<unknown>) => {
    const parts: Promise<unknown>[] = []
    for (let place = 0; place < names.length; place += AT_ONCE[kind])
      parts.push(work(...names.slice(place, place + AT_ONCE[kind])))
    return Promise.all(parts)
  }

  const subscribeAll = async () => {
    connections += 1
    const own = connections
    const names = [...wanted.keys()]
    try {
      await inParts(names, subscribe)
      if (own !== connections || redis.status !== 'ready') return
      await inParts(
        names.filter((name) => !wanted.has(name)),
        unsubscribe,
      )
      isSubscribed = true
      opened.resolve()
      look()
    } catch (error) {
      if (own === connections) fail(error)
    }
  }

  redis.on('ready', () => void subscribeAll())
  redis.on('error', (error) => look(error))
  redis.on('close', () => {
    isSubscribed = false
    opened.resolve()
    look()
  })
  redis.on(isSharded ? 'smessageBuffer' : 'messageBuffer', (channel: Buffer, data: Buffer) => {
    wanted.get(channel.toString('utf8'))?.(data)
  })

  return {
    isSubscribed: () => isSubscribed && redis.status === 'ready',
    listen: async (channel, listener) => {
      wanted.set(channel, listener)
      if (redis.status === 'ready') await subscribe(channel).catch(fail)
      // The first connection subscribes to everything wanted by then.
      else await within(ANSWER_MS, opened.promise).catch(() => {})
    },
    ignore: (channel) => {
      wanted.delete(channel)
      if (redis.status === 'ready') unsubscribe(channel).catch(fail)
    },
    ping: () => {
      if (redis.status === 'ready') redis.ping().catch(() => {})
    },
    close: () => redis.disconnect(),
  }
}
