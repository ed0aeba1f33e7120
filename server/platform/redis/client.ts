/** Opens Redis clients with short timeouts, so that nothing waits long for a Redis that is gone or frozen. */
import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { RedisUrlError, type RedisSettings } from '#server/kernel/settings/redis-settings.ts'

/** In ms. A slower response means that the connection is broken, so it is reopened. */
const ANSWER_MS = 2000
/** In ms between two attempts to connect. */
const LONGEST_PAUSE_MS = 500
const FIRST_PAUSE_MS = 50
/** In ms: how soon a change of the cluster's slots is noticed. */
const SLOTS_MS = 1000

/**
 * Connects at once, and reconnects forever; commands fail while it is disconnected. Add an error listener. @throws
 * RedisUrlError when the file of certificates can't be read
 */
export function openRedis(settings: RedisSettings): Redis | Cluster {
  const { kind, addresses, db } = settings
  const [first] = addresses
  const common = optionsOf(settings)
  if (kind === 'single') return new Redis({ ...common, ...first, db })
  if (kind === 'cluster') {
    return new Cluster([...addresses], {
      redisOptions: common,
      enableOfflineQueue: false,
      slotsRefreshTimeout: ANSWER_MS,
      slotsRefreshInterval: SLOTS_MS,
      // A message must not be sent twice.
      maxRedirections: 1,
      clusterRetryStrategy: pauseBefore,
    })
  }
  return new Redis({
    ...common,
    db,
    sentinels: [...addresses],
    name: settings.primary,
    ...(settings.sentinelUsername !== undefined && { sentinelUsername: settings.sentinelUsername }),
    ...(settings.sentinelPassword !== undefined && { sentinelPassword: settings.sentinelPassword }),
    ...(common.tls !== undefined && { sentinelTLS: common.tls, enableTLSForSentinelMode: true }),
    sentinelCommandTimeout: ANSWER_MS,
    sentinelRetryStrategy: pauseBefore,
  })
}

const pauseBefore = (attempt: number) => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * attempt)

function optionsOf({ username, password, tls, ca }: RedisSettings) {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls: ca === undefined ? {} : { ca: [...rootCertificates, readCa(ca)] } }),
    connectTimeout: ANSWER_MS,
    commandTimeout: ANSWER_MS,
    // A frozen server sends nothing, not even the end of the connection.
    socketTimeout: ANSWER_MS,
    disconnectTimeout: FIRST_PAUSE_MS,
    keepAlive: 10_000,
    // Queues nothing: queued commands would arrive too late or fill the memory.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    retryStrategy: pauseBefore,
    // A primary that became a replica takes no writes; reconnecting may reach the new primary.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  } satisfies RedisOptions
}

function readCa(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new RedisUrlError(`name a ca that can be read: ${file} can't`, { cause: error })
  }
}
