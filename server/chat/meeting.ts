/** Where the nodes of an installation meet: a Redis, when there is one. */
import { Redis } from 'ioredis'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import type { Backplane } from '#server/signalr/backplane.ts'
import { createNodeName } from '#server/signalr/connection-server.ts'
import { createRedisBackplane } from '#server/signalr/redis-backplane.ts'

export interface Meeting {
  readonly backplane: Backplane
  /** @throws when Redis does not answer */
  check(): Promise<unknown>
  close(): Promise<void>
}

/** Null without REDIS_URL. @throws when Redis can't be reached at the start */
export async function openMeeting(
  config: Pick<Config, 'REDIS_URL' | 'NODE_URL' | 'HOST'>,
  port: number,
  log: Log,
): Promise<Meeting | null> {
  if (config.REDIS_URL === undefined) return null
  const redis = new Redis(config.REDIS_URL, { maxRetriesPerRequest: 1 })
  redis.on('error', (error) => log.error({ err: error }, 'redis'))
  const backplane = await createRedisBackplane({
    redis,
    node: createNodeName(),
    nodeUrl: config.NODE_URL ?? `http://${config.HOST}:${port}`,
    prefix: 'kb:chat',
    onFault: (error) => log.error({ err: error }, 'redis'),
  })
  return {
    backplane,
    check: () => redis.ping(),
    close: () => {
      redis.disconnect()
      return Promise.resolve()
    },
  }
}
