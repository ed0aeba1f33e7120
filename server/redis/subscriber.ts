/** Listens to channels of Redis through every interruption: what is wanted is subscribed again after each. */
import type { Redis } from 'ioredis'

/** Called when `isSubscribed` may have changed. */
type Look = (error?: unknown) => void

export interface Subscriber {
  /** All that is wanted is heard. */
  isSubscribed(): boolean
  /** Resolves when it is heard, or when Redis is away; never rejects. */
  listen(channel: string, listener: (data: Buffer) => void): Promise<void>
  ignore(channel: string): void
  close(): void
}

/** Channels in one command. */
const AT_ONCE = 1000

/** `redis`: for nothing else, and not resubscribing by itself. `look`: called when `isSubscribed` may have changed. */
export function createSubscriber(redis: Redis, look: Look): Subscriber {
  const wanted = new Map<string, (data: Buffer) => void>()
  let isSubscribed = false
  let connections = 0

  const fail = (error: unknown) => {
    isSubscribed = false
    look(error)
    // What is wrong with one channel can be wrong with any: all are asked for over a new connection.
    redis.disconnect(true)
  }

  const hearAll = async () => {
    connections += 1
    const own = connections
    const names = [...wanted.keys()]
    try {
      for (let place = 0; place < names.length; place += AT_ONCE)
        await redis.subscribe(...names.slice(place, place + AT_ONCE))
      if (own !== connections || redis.status !== 'ready') return
      const idle = names.filter((name) => !wanted.has(name))
      if (idle.length > 0) await redis.unsubscribe(...idle)
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
  redis.on('messageBuffer', (channel: Buffer, data: Buffer) => {
    wanted.get(channel.toString('utf8'))?.(data)
  })

  return {
    isSubscribed: () => isSubscribed && redis.status === 'ready',
    listen: async (channel, listener) => {
      wanted.set(channel, listener)
      if (redis.status !== 'ready') return
      await redis.subscribe(channel).catch(fail)
    },
    ignore: (channel) => {
      wanted.delete(channel)
      if (redis.status === 'ready') redis.unsubscribe(channel).catch(fail)
    },
    close: () => redis.disconnect(),
  }
}
