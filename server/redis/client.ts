/** A client of Redis that gives up early: nobody ever waits long for a Redis that is gone or frozen. */
import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { RedisUrlError, type RedisSettings } from '#server/redis/settings.ts'

/** Milliseconds that an answer may take. What takes longer is broken, and the connection is opened again. */
const ANSWER_MS = 2000
/** Between two attempts to reach it. */
const LONGEST_PAUSE_MS = 500
const FIRST_PAUSE_MS = 50
/** How soon a cluster's new shape is noticed. */
const SLOTS_MS = 1000

/**
 * Connects at once and again for as long as it takes; whatever can't be sent now is refused now. Give it an error
 * listener. @throws RedisUrlError when the file of certificates can't be read
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
      // A message that was sent is not sent twice.
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
    // Of a frozen server nothing comes, not even the end of the connection.
    socketTimeout: ANSWER_MS,
    disconnectTimeout: FIRST_PAUSE_MS,
    keepAlive: 10_000,
    // No queue at all: what waited would arrive too late, or would fill the memory.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    retryStrategy: pauseBefore,
    // A primary that became a replica takes no writes: the address may lead to the new one.
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
