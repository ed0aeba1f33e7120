/** Listens to channels of Redis through every interruption: what is wanted is subscribed again after each. */
import type { Redis } from 'ioredis'

export type Listener = (data: Buffer) => void
/** Called when `isSubscribed` may have changed. */
export type Look = (error?: unknown) => void

export interface Subscriber {
  /** All that is wanted is heard. */
  isSubscribed(): boolean
  /** Resolves when it is heard, or when Redis is away; never rejects. */
  listen(channel: string, listener: Listener): Promise<void>
  ignore(channel: string): void
  /** Asks for an answer: when none comes, the connection ends and is opened again. */
  ping(): void
  close(): void
}

/** Channels in one command; of a cluster those of one command must lie in one slot. */
const AT_ONCE = { plain: 1000, sharded: 1 } as const

/** `redis`: for nothing else, and not resubscribing by itself. `kind`: sharded channels are those of one node of a cluster. */
export function createSubscriber(
  redis: Redis,
  look: Look,
  kind: keyof typeof AT_ONCE = 'plain',
): Subscriber {
  const wanted = new Map<string, Listener>()
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
    // What is wrong with one channel can be wrong with any: all are asked for over a new connection.
    redis.disconnect(true)
  }

  const inParts = (names: readonly string[], work: (...part: string[]) => Promise<unknown>) => {
    const parts: Promise<unknown>[] = []
    for (let place = 0; place < names.length; place += AT_ONCE[kind])
      parts.push(work(...names.slice(place, place + AT_ONCE[kind])))
    return Promise.all(parts)
  }

  const hearAll = async () => {
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
      look()
    } catch (error) {
      if (own === connections) fail(error)
    }
  }

  redis.on('ready', () => void hearAll())
  redis.on('error', (error) => look(error))
  redis.on('close', () => {
    isSubscribed = false
    look()
  })
  redis.on(isSharded ? 'smessageBuffer' : 'messageBuffer', (channel: Buffer, data: Buffer) => {
    wanted.get(channel.toString('utf8'))?.(data)
  })

  return {
    isSubscribed: () => isSubscribed && redis.status === 'ready',
    listen: async (channel, listener) => {
      wanted.set(channel, listener)
      if (redis.status !== 'ready') return
      await subscribe(channel).catch(fail)
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
