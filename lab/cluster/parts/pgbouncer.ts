/** PgBouncer in transaction mode, in front of HAProxy. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { addressOf } from '#lab/cluster/network.ts'
import { listens, PATHS, type PartPlan, type Site } from '#lab/cluster/part.ts'
import { PRIMARY_PORT, PROXY, REPLICA_PORT } from './haproxy.ts'

const PORT = 6432
export const DATABASE = 'bazaar'
export const OWNER = 'bazaar'
const REPLICAS = 'bazaar_replicas'
/** The version that supports prepared statements. */
const NAMED_SINCE = [1, 21] as const

export function pgbouncer(site: Site): PartPlan {
  const { folder, network, password } = site
  const address = addressOf(network, PROXY)
  return {
    name: 'pgbouncer',
    host: PROXY,
    what: 'pool of connections, transaction mode',
    address: `${address}:${PORT}`,
    // It refuses to run as root.
    user: 'postgres',
    command: ['pgbouncer', 'pgbouncer.ini'],
    files: {
      'pgbouncer.ini': configuration(address, join(folder, 'pgbouncer')),
      'users.txt': `"${OWNER}" "${password}"\n`,
    },
    isReady: () => listens(address, PORT),
    againMs: 1000,
  }
}

export function knowsStatements(): boolean {
  const text = execFileSync('pgbouncer', ['--version'], {
    encoding: 'utf8',
    env: { PATH: PATHS },
  })
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(text) ?? []).map(Number)
  return major > NAMED_SINCE[0] || (major === NAMED_SINCE[0] && minor >= NAMED_SINCE[1])
}

export function databaseAddresses({ network, password }: Site) {
  const proxy = addressOf(network, PROXY)
  const address = (port: number, name: string) =>
    `postgres://${OWNER}:${password}@${proxy}:${port}/${name}`
  return {
    pooled: address(PORT, DATABASE),
    pooledReplicas: address(PORT, REPLICAS),
    direct: address(PRIMARY_PORT, DATABASE),
  }
}

const configuration = (address: string, folder: string) => `[databases]
${DATABASE} = host=${address} port=${PRIMARY_PORT} dbname=${DATABASE}
${REPLICAS} = host=${address} port=${REPLICA_PORT} dbname=${DATABASE}
[pgbouncer]
listen_addr = ${address}
listen_port = ${PORT}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
${knowsStatements() ? 'max_prepared_statements = 200\n' : ''}max_client_conn = 1000
default_pool_size = 20
ignore_startup_parameters = extra_float_digits
server_login_retry = 1
server_connect_timeout = 3
query_wait_timeout = 10
server_lifetime = 600
server_check_delay = 5
tcp_keepalive = 1
tcp_keepidle = 5
tcp_keepintvl = 2
tcp_keepcnt = 3
`
