/** Parses REDIS_URL: one server, Sentinels or a cluster, with or without TLS. */

export interface RedisAddress {
  readonly host: string
  readonly port: number
}

export interface RedisSettings {
  /**
   * `single`: one server, or a proxy in front of it; `sentinel`: Sentinels that know the primary; `cluster`: some
   * of the cluster's nodes.
   */
  readonly kind: 'single' | 'sentinel' | 'cluster'
  readonly addresses: readonly [RedisAddress, ...RedisAddress[]]
  readonly username: string | undefined
  readonly password: string | undefined
  readonly db: number
  /** The primary's name for the Sentinels; empty otherwise. */
  readonly primary: string
  readonly sentinelUsername: string | undefined
  readonly sentinelPassword: string | undefined
  readonly tls: boolean
  /** A file of certificates that are trusted in addition to the system's. */
  readonly ca: string | undefined
  /** Separates several installations in one Redis. */
  readonly prefix: string
}

/** Its message continues a sentence after `must` and never contains a password. */
export class RedisUrlError extends Error {}

const URL_PATTERN =
  /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/
const HOST_PATTERN = /^(\[[0-9a-f:.]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/i
const WORD = /^[\w:.-]{1,40}$/
const PARAMETERS = ['ca', 'prefix', 'sentinel-user', 'sentinel-password']
const PORTS = { single: 6379, sentinel: 26_379, cluster: 6379 } as const
const SHAPES =
  'be redis://HOST:PORT, rediss:// for TLS, redis+sentinel://HOST:PORT,HOST:PORT/NAME or redis+cluster://HOST:PORT,HOST:PORT; special signs in a password are percent-encoded'

/** See docs/operations.md for the forms of an address. @throws RedisUrlError */
export function readRedisUrl(url: string): RedisSettings {
  const [, scheme, form, login = '', hosts = '', path = '', query = ''] =
    URL_PATTERN.exec(url) ?? []
  if (scheme === undefined) throw new RedisUrlError(SHAPES)
  const kind = form === 'sentinel' || form === 'cluster' ? form : 'single'
  const [first, ...others] = hosts.split(',').map((host) => readHost(host, PORTS[kind]))
  if (first === undefined) throw new RedisUrlError(SHAPES)
  if (kind === 'single' && others.length > 0)
    throw new RedisUrlError('name one server; several are redis+sentinel:// or redis+cluster://')
  const parameters = readParameters(query)
  const [username, password] = readLogin(login)
  const tls = scheme === 'rediss'
  const ca = parameters.get('ca')
  if (ca !== undefined && !tls) throw new RedisUrlError('begin with rediss to have a ca')
  return {
    kind,
    addresses: [first, ...others],
    username,
    password,
    ...readPath(kind, path),
    sentinelUsername: parameters.get('sentinel-user'),
    sentinelPassword: parameters.get('sentinel-password'),
    tls,
    ca,
    prefix: parameters.get('prefix') ?? 'kb',
  }
}

/** Lists the servers of an address for a sentence, without user and password. */
export function nameOf({ kind, addresses, primary }: RedisSettings): string {
  const list = addresses.map(({ host, port }) => `${host}:${port}`).join(', ')
  return kind === 'sentinel' ? `${list}, primary ${primary}` : list
}

function readHost(text: string, usual: number): RedisAddress {
  const [, host, port] = HOST_PATTERN.exec(text.trim()) ?? []
  if (host === undefined || Number(port ?? usual) > 65_535) throw new RedisUrlError(SHAPES)
  return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port ?? usual) }
}

function readLogin(login: string): [string | undefined, string | undefined] {
  const colon = login.indexOf(':')
  const [user, password] = colon < 0 ? [login, ''] : [login.slice(0, colon), login.slice(colon + 1)]
  return [decode(user), decode(password)]
}

function decode(text: string): string | undefined {
  try {
    return text === '' ? undefined : decodeURIComponent(text)
  } catch {
    throw new RedisUrlError('have special signs of user and password percent-encoded')
  }
}

function readPath(kind: RedisSettings['kind'], path: string): { primary: string; db: number } {
  const parts = path === '' ? [] : path.split('/')
  const primary = kind === 'sentinel' ? (parts.shift() ?? '') : ''
  if (kind === 'sentinel' && !WORD.test(primary))
    throw new RedisUrlError('name the primary behind the Sentinels, as in …:26379/mymaster')
  const [db = '0', ...more] = parts
  if (!/^\d{1,4}$/.test(db) || more.length > 0)
    throw new RedisUrlError('end in the number of a database, or in nothing')
  if (kind === 'cluster' && db !== '0')
    throw new RedisUrlError('name no database: a cluster has only number 0')
  return { primary, db: Number(db) }
}

function readParameters(query: string): ReadonlyMap<string, string> {
  const parameters = new Map(new URLSearchParams(query))
  for (const name of parameters.keys())
    if (!PARAMETERS.includes(name))
      throw new RedisUrlError(`have no other parameters than ${PARAMETERS.join(', ')}`)
  if (!WORD.test(parameters.get('prefix') ?? 'kb'))
    throw new RedisUrlError('have a prefix of at most 40 letters, digits and :._-')
  return parameters
}
