/**
 * Which of the servers that the settings name are spoken with in the clear over a network that others may read. They
 * are named, at the start and by the doctor, and not refused: only whoever runs it knows whether a network of their
 * own, or a tunnel, carries them (decision 0080).
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { inTime, note, type Finding } from '#server/doctor/finding.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import { isLoopback } from '#server/kernel/loopback.ts'
import { readRedisUrl } from '#server/redis/settings.ts'
import { createAddressRule } from '#server/webhooks/addresses.ts'

/** Milliseconds for the question where a name leads. */
const LOOK_UP_MS = 3000
/** Modes of PostgreSQL that never go on in the clear. */
const ENCRYPTS = /^(?:require|verify-ca|verify-full|no-verify)$/
/** Endings that no name of the open internet has. */
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

/** A setting that speaks in the clear with a host. */
interface Plain {
  readonly setting: string
  readonly host: string
  /** What to write instead. */
  readonly instead: string
}

/** A line for each setting that speaks in the clear with a host that is not of this machine or of a private network. */
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

/** Says so in the log, without making the start wait. */
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
    // Without a host, or with a folder, it is a socket of this machine.
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

/** With a password STARTTLS is demanded, unless the address says otherwise; without one a server may do without. */
function mailLinks({ SMTP_URL }: Settings): Plain[] {
  if (SMTP_URL?.startsWith('smtp:') !== true) return []
  const { hostname, username, searchParams } = new URL(SMTP_URL)
  if (username !== '' && !searchParams.has('ignoreTLS')) return []
  const instead = 'Begin it with smtps://, or take ?ignoreTLS away and give it a user and password'
  return [{ setting: 'SMTP_URL', host: hostname, instead }]
}

/** Nothing but public addresses counts: a name without a dot, or one that leads to a private network, is one's own. */
async function isPublic(host: string): Promise<boolean> {
  const name = host.replaceAll(/^\[|\]$/g, '')
  const maySend = createAddressRule([])
  if (isIP(name) !== 0) return maySend(name)
  if (isLoopback(name) || !name.includes('.') || INSIDE.test(name)) return false
  try {
    const found = await inTime(LOOK_UP_MS, lookup(name, { all: true }))
    return found.some(({ address }) => maySend(address))
  } catch {
    // Nobody knows where it leads; the setting is what there is to judge by.
    return true
  }
}
