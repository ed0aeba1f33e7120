/**
 * Finds configured servers that are reached unencrypted over public networks. The start and the doctor report them
 * but don't refuse them, because only the operator knows whether a private network or a tunnel protects them
 * (decision 0080).
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { inTime, note, type Finding } from '#server/operate/doctor/finding.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import { isLoopback } from '#server/kernel/loopback.ts'
import { readRedisUrl } from '#server/kernel/settings/redis-settings.ts'
import { createAddressRule } from '#server/operate/webhooks/addresses.ts'

/** Timeout of the name lookup in ms. */
const LOOK_UP_MS = 3000
/** PostgreSQL modes that never fall back to plain text. */
const ENCRYPTS = /^(?:require|verify-ca|verify-full|no-verify)$/
/** Suffixes that no public domain name has. */
const INSIDE = /\.(?:internal|local|localhost|lan|svc|home\.arpa|test)$/

type Settings = Pick<
  Config,
  | 'DATABASE_URL'
  | 'DATABASE_DIRECT_URL'
  | 'DATABASE_REPLICA_URL'
  | 'REDIS_URL'
  | 'S3_URL'
  | 'BACKUP_URL'
  | 'SMTP_URL'
  | 'AI_URL'
  | 'VIDEO_CHECK_URL'
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'NODE_URL'
>

/** A setting with an unencrypted connection to a host. */
interface Plain {
  readonly setting: string
  readonly host: string
  /** What to write instead. */
  readonly instead: string
}

/**
 * Returns a finding for each setting with an unencrypted connection to a host outside this machine and private
 * networks.
 */
export async function findPlainLinks(settings: Settings): Promise<Finding[]> {
  const plain = [
    ...databaseLinks(settings),
    ...redisLinks(settings),
    ...httpLinks(settings),
    ...mailLinks(settings),
  ]
  const judged = await Promise.all(
    plain.map(async (each) => ((await isPublic(each.host)) ? [each] : [])),
  )
  return judged
    .flat()
    .map(({ setting, host, instead }) =>
      note(
        setting,
        `speaks in the clear with ${host}, so whoever is on the way reads and changes it. ${instead}, or reach it by a private network or a tunnel.`,
      ),
    )
}

/** Logs the findings without delaying the start. */
export async function warnOfPlainLinks(settings: Settings, log: Pick<Log, 'warn'>): Promise<void> {
  for (const { part, says } of await findPlainLinks(settings)) log.warn(`${part} ${says}`)
}

function databaseLinks(settings: Settings): Plain[] {
  const names = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'] as const
  return names.flatMap((setting) => {
    const address = settings[setting]
    if (address === undefined || !URL.canParse(address)) return []
    const { hostname, searchParams } = new URL(address)
    const host = searchParams.get('host') ?? hostname
    const encrypts =
      ENCRYPTS.test(searchParams.get('sslmode') ?? '') || searchParams.get('ssl') === 'true'
    // An empty host or a folder means a local socket.
    if (encrypts || host === '' || host.startsWith('/')) return []
    return [{ setting, host, instead: 'Add ?sslmode=verify-full to it' }]
  })
}

function redisLinks({ REDIS_URL }: Settings): Plain[] {
  if (REDIS_URL === undefined) return []
  const { tls, addresses } = readRedisUrl(REDIS_URL)
  const instead = 'Begin it with rediss:// (rediss+sentinel://, rediss+cluster://)'
  return tls ? [] : [{ setting: 'REDIS_URL', host: addresses[0].host, instead }]
}

function httpLinks({ S3_URL, BACKUP_URL, AI_URL, ...others }: Settings): Plain[] {
  const addresses = {
    S3_URL: S3_URL?.endpoint,
    BACKUP_URL:
      BACKUP_URL !== undefined && 'bucket' in BACKUP_URL ? BACKUP_URL.bucket.endpoint : undefined,
    AI_URL,
    VIDEO_CHECK_URL: others.VIDEO_CHECK_URL,
    OTEL_EXPORTER_OTLP_ENDPOINT: others.OTEL_EXPORTER_OTLP_ENDPOINT,
    NODE_URL: others.NODE_URL,
  }
  return Object.entries(addresses).flatMap(([setting, address]) =>
    address?.startsWith('http:') === true
      ? [{ setting, host: new URL(address).hostname, instead: 'Begin it with https://' }]
      : [],
  )
}

/**
 * With a password STARTTLS is required unless the URL says otherwise. Without one, the server need not encrypt.
 */
function mailLinks({ SMTP_URL }: Settings): Plain[] {
  if (SMTP_URL?.startsWith('smtp:') !== true) return []
  const { hostname, username, searchParams } = new URL(SMTP_URL)
  if (username !== '' && !searchParams.has('ignoreTLS')) return []
  const instead = 'Begin it with smtps://, or take ?ignoreTLS away and give it a user and password'
  return [{ setting: 'SMTP_URL', host: hostname, instead }]
}

/** Only public addresses count. A name without a dot, or one that resolves to a private network, is internal. */
async function isPublic(host: string): Promise<boolean> {
  const name = host.replaceAll(/^\[|\]$/g, '')
  const maySend = createAddressRule([])
  if (isIP(name) !== 0) return maySend(name)
  if (isLoopback(name) || !name.includes('.') || INSIDE.test(name)) return false
  try {
    const found = await inTime(LOOK_UP_MS, lookup(name, { all: true }))
    return found.some(({ address }) => maySend(address))
  } catch {
    // The name doesn't resolve, so only the setting can be judged.
    return true
  }
}
