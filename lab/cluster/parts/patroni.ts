/** Patroni starts PostgreSQL servers and promotes a replica when the primary fails. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { addressOf } from '#lab/cluster/network.ts'
import { answersWell, type PartPlan, type Site } from '#lab/cluster/part.ts'
import { etcdAddress } from './etcd.ts'

const VERSIONS = '/usr/lib/postgresql'
const API_PORT = 8008
const PORT = 5432
export const SUPERUSER = 'postgres'

/** Returns the folder of the newest server's programs, or null if none is installed. */
export function findPrograms(): string | null {
  if (!existsSync(VERSIONS)) return null
  const newest = readdirSync(VERSIONS)
    .filter((each) => existsSync(join(VERSIONS, each, 'bin', 'postgres')))
    .toSorted((one, other) => Number(other) - Number(one))[0]
  return newest === undefined ? null : join(VERSIONS, newest, 'bin')
}

/** Ready when it is the primary or a streaming replica. @throws Error when no server is installed */
export function patroni(site: Site, name: string): PartPlan {
  const address = addressOf(site.network, name)
  const programs = findPrograms()
  if (programs === null) throw new Error(`no PostgreSQL is installed below ${VERSIONS}`)
  return {
    name,
    host: name,
    what: 'PostgreSQL under Patroni',
    address: `${address}:${PORT}, http://${address}:${API_PORT}/cluster`,
    user: 'postgres',
    command: ['patroni', 'patroni.json'],
    // Patroni reads YAML, of which JSON is a subset.
    files: { 'patroni.json': JSON.stringify(configuration(site, name, programs), null, 1) },
    isReady: () => answersWell(`http://${address}:${API_PORT}/health`),
    againMs: 1000,
  }
}

/** In the part's folder. */
export const POSTGRES_FOLDER = 'data'

/**
 * A primary that stops renewing its key loses it after `ttl`, which is at least 20 and at least `loop_wait + 2 *
 * retry_timeout`. A dead primary is replaced immediately (`primary_start_timeout: 0`).
 */
function configuration(site: Site, name: string, programs: string): unknown {
  const { folder, network, password } = site
  const address = addressOf(network, name)
  const own = join(folder, name)
  const shared = {
    ttl: 20,
    loop_wait: 3,
    retry_timeout: 5,
    maximum_lag_on_failover: 1_048_576,
    // The name in Patroni 3.
    master_start_timeout: 0,
    primary_start_timeout: 0,
    synchronous_mode: true,
    failsafe_mode: true,
    postgresql: {
      use_pg_rewind: true,
      use_slots: true,
      parameters: {
        max_connections: 200,
        shared_buffers: '64MB',
        wal_keep_size: '256MB',
        // For connections whose other end lost power.
        tcp_keepalives_idle: 5,
        tcp_keepalives_interval: 2,
        tcp_keepalives_count: 3,
        wal_receiver_timeout: '10s',
        wal_sender_timeout: '10s',
      },
    },
  }
  return {
    scope: 'bazaar',
    name,
    restapi: { listen: `${address}:${API_PORT}`, connect_address: `${address}:${API_PORT}` },
    etcd3: { hosts: etcdAddress(site) },
    bootstrap: {
      dcs: shared,
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${address}:${PORT}`,
      connect_address: `${address}:${PORT}`,
      data_dir: join(own, POSTGRES_FOLDER),
      bin_dir: programs,
      pgpass: join(own, 'pgpass'),
      authentication: {
        superuser: { username: SUPERUSER, password },
        replication: { username: 'replicator', password },
        rewind: { username: 'rewinder', password },
      },
      pg_hba: [
        'host replication replicator 0.0.0.0/0 scram-sha-256',
        'host all all 0.0.0.0/0 scram-sha-256',
      ],
      parameters: { unix_socket_directories: own, password_encryption: 'scram-sha-256' },
    },
    tags: {},
  }
}

/** Returns the host of the primary, or null if no server claims to be. */
export async function findPrimary(network: Site['network']): Promise<string | null> {
  const servers = Object.entries(network.hosts).filter(([host]) => /^pg\d+$/.test(host))
  const answers = await Promise.all(
    servers.map(async ([host, address]) =>
      (await answersWell(`http://${address}:${API_PORT}/primary`).catch(() => false)) ? host : null,
    ),
  )
  return answers.find((host) => host !== null) ?? null
}
