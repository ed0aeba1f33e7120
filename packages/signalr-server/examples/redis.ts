import { Cluster, Redis } from 'ioredis'

const placesOf = (text: string) =>
  text.split(',').map((place) => {
    const [host = '', port = ''] = place.split(':')
    return { host, port: Number(port) }
  })

/** Connects to one server, to one that Sentinels know, or to a cluster of Redis 7. */
export function connectRedis(): Redis | Cluster {
  const { REDIS_URL, REDIS_SENTINELS, REDIS_CLUSTER } = process.env
  if (REDIS_CLUSTER !== undefined) return new Cluster(placesOf(REDIS_CLUSTER))
  if (REDIS_SENTINELS !== undefined)
    return new Redis({ sentinels: placesOf(REDIS_SENTINELS), name: 'main' })
  return new Redis(REDIS_URL ?? 'redis://127.0.0.1')
}
