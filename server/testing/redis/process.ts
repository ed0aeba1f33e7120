import { startRedisServers, type RedisServers } from '#signalr/testing/redis-servers.ts'

/** A single Redis server. */
export interface RedisProcess extends Pick<RedisServers, 'restart' | 'freeze' | 'thaw' | 'close'> {
  readonly url: string
  /** Kills the server (kill -9) but keeps its port. */
  readonly stop: () => Promise<void>
}

/** `absent`: nothing listens until `restart`. */
export async function startRedis({ absent = false } = {}): Promise<RedisProcess> {
  const { places, kill, ...server } = await startRedisServers('single')
  if (absent) await kill()
  return { ...server, url: `redis://${places.join()}`, stop: kill }
}
