import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedFailure, reasonIn } from '#server/platform/db/embedded/failure.ts'
import { chownTo, pathFor, type Runner } from '#server/platform/db/embedded/runner.ts'

/** In ms. It takes a second; on a disk that hangs, the start must say so. */
const INITDB_MS = 120_000
export const SUPERUSER = 'bazaar'

/** Returns the major version that wrote the cluster, or undefined without a cluster. */
export function clusterMajor(cluster: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'), 10)
  } catch {
    return undefined
  }
}

/**
 * Refuses a cluster of another major version of PostgreSQL, because it can't be read. Accepts a missing cluster.
 * @throws EmbeddedFailure
 */
export function requireSameMajor(cluster: string, ours: number): void {
  const theirs = clusterMajor(cluster)
  if (theirs === undefined || theirs === ours) return
  const what = `The database in ${cluster} was written by PostgreSQL ${theirs}, and this version brings PostgreSQL ${ours}. Nothing was changed.`
  throw new EmbeddedFailure(
    theirs < ours
      ? `${what} npm start moves it (docs/operations.md).`
      : `${what} Start the version of Knowledge Bazaar that wrote it, or make a backup with that and restore it here into an empty DATA_DIR, or set DATABASE_URL to a PostgreSQL ${theirs} server.`,
  )
}

/** Creates the cluster in a draft directory and renames it, so that it is either complete or absent. */
export function createCluster(
  cluster: string,
  home: string,
  runner: Runner,
  isDurable: boolean,
): void {
  const parent = join(cluster, '..')
  for (const name of readdirSync(parent)) {
    if (name.startsWith('postgres.new-')) rmSync(join(parent, name), { recursive: true })
  }
  const draft = `${cluster}.new-${process.pid}`
  mkdirSync(draft, { mode: 0o700 })
  chownTo(runner, draft)
  const { name, cwd } = pathFor(runner, draft)
  const [command = '', ...args] = [
    ...runner.prefix,
    join(home, 'bin', 'initdb'),
    `--pgdata=${name}`,
    `--username=${SUPERUSER}`,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
    '--lc-messages=C',
    ...(isDurable ? [] : ['--no-sync']),
  ]
  const made = spawnSync(command, args, {
    ...runner.ids,
    cwd,
    env: serverEnvironment(),
    encoding: 'utf8',
    timeout: INITDB_MS,
  })
  if (made.error || made.status !== 0) {
    // Determines the reason before deleting the draft, because deleting it may free the disk that was full.
    const why = made.error === undefined ? reasonIn(made.stderr, parent) : `${made.error.message}.`
    rmSync(draft, { recursive: true, force: true })
    throw new EmbeddedFailure(
      `The database could not be created in ${cluster}: ${why} ` +
        'Set DATABASE_URL to use a PostgreSQL server of your own.',
    )
  }
  renameSync(draft, cluster)
}

/** PG* variables and the caller's locale must not reach the server. */
export function serverEnvironment(): Record<string, string> {
  return { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }
}

/**
 * Command line settings of the embedded server: reachable only by its socket, and small enough to run next to the
 * product. Tests set `isDurable` to false, because losing their data in a crash doesn't matter.
 */
export function serverSettings(socketDir: string, isDurable: boolean): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    cluster_name: 'knowledge-bazaar',
    max_connections: '50',
    shared_buffers: '128MB',
    effective_cache_size: '512MB',
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    random_page_cost: '1.1',
    jit: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    max_wal_size: '1GB',
    checkpoint_timeout: '15min',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // If one backend crashes, the server exits and we restart it. A server that recovers in place can't be stopped
    // cleanly, which delays the next start.
    restart_after_crash: 'off',
    // Before a recovery PostgreSQL syncs every file; `syncfs` does it in one call.
    ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
    ...(isDurable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
