/** Explains errors of Redis: whether the settings can't work, or it is only unavailable. */
import { nameOf, type RedisSettings } from '#server/kernel/settings/redis-settings.ts'

/** Patterns of messages of servers and the client, with advice; only those that waiting doesn't fix. */
const FINAL: readonly (readonly [RegExp, (settings: RedisSettings) => string])[] = [
  [
    /Unknown RESP type|Protocol error|RESP type/,
    ({ tls }) =>
      `answers, but not as Redis does. Set it to a Redis${tls ? '' : '; where that speaks TLS, the address begins with rediss://'}.`,
  ],
  [
    /WRONGPASS|NOAUTH|invalid (?:username-)?password|ERR AUTH/,
    () =>
      'refuses the user or the password. Put the right ones into the address: redis://USER:PASSWORD@HOST.',
  ],
  [
    /NOPERM/,
    () => 'lets this user do too little: it needs keys and channels that begin with the prefix.',
  ],
  [
    /self[- ]signed certificate|unable to (?:verify|get)|CERT_|certificate has expired|altnames/i,
    () =>
      'shows a certificate that is not trusted here. Name the file of its authority: rediss://HOST:PORT?ca=/path/ca.pem, and reach it by a name that the certificate has.',
  ],
  [
    /wrong version number|packet length too long|EPROTO/,
    () => 'does not speak TLS. Begin the address with redis:// instead of rediss://.',
  ],
  [
    /cluster support disabled/,
    () => 'is no cluster. Begin the address with redis:// or rediss://, without +cluster.',
  ],
  [/^MOVED |CROSSSLOT/, () => 'is a node of a cluster. Begin the address with redis+cluster://.'],
  [
    /unknown command.*(?:sentinel)/i,
    () => 'is no Sentinel. Name the Sentinels, usually at port 26379, or leave +sentinel out.',
  ],
  [/invalid reply: null/, ({ primary }) => `are Sentinels that know no primary called ${primary}.`],
  [
    /unknown command.*(?:spublish|ssubscribe)/i,
    () => 'is older than Redis 7, which a cluster needs.',
  ],
]

/** Returns a sentence that names the setting when waiting can't help; null when Redis may be only unavailable. */
export function explainFault(settings: RedisSettings, fault: unknown): string | null {
  const text = textOf(fault)
  const found = FINAL.find(([pattern]) => pattern.test(text))
  return found === undefined ? null : `REDIS_URL (${nameOf(settings)}) ${found[1](settings)}`
}

/** Joins the messages of an error and its causes, in a cluster also those of each node. */
function textOf(fault: unknown, depth = 0): string {
  if (!(fault instanceof Error) || depth > 3) return ''
  const causes = [fault.cause, 'lastNodeError' in fault ? fault.lastNodeError : undefined]
  const code = 'code' in fault ? String(fault.code) : ''
  return [fault.message, code, ...causes.map((cause) => textOf(cause, depth + 1))].join(' ')
}
