import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  clusterMajor,
  createCluster,
  requireSameMajor,
  SUPERUSER,
} from '#server/platform/db/embedded/cluster.ts'
import { EmbeddedFailure } from '#server/platform/db/embedded/failure.ts'
import { isAlive, withStartLock } from '#server/platform/db/embedded/lock.ts'
import {
  findPackage,
  preparePackage,
  type PostgresPackage,
} from '#server/platform/db/embedded/package.ts'
import { findServer, type ServerState } from '#server/platform/db/embedded/pidfile.ts'
import { processIdentity } from '#server/platform/db/embedded/process.ts'
import { chooseRunner, chownTo, mayRun } from '#server/platform/db/embedded/runner.ts'
import { startServer } from '#server/platform/db/embedded/server.ts'
import { isSocketDir, makeSocketDir } from '#server/platform/db/embedded/sockets.ts'
import { startWatchdog } from '#server/platform/db/embedded/watchdog.ts'
import { openClient } from '#server/platform/db/pool.ts'
import { waitForDatabase } from '#server/platform/db/waiting.ts'
import { createLog } from '#server/kernel/log.ts'

export interface EmbeddedOptions {
  /** The cluster is in `postgres` below this directory. */
  dataDir: string
  log?: (line: string) => void
  /** Prints a line for the operator when the start must wait. */
  say?: (line: string) => void
  /** False only in tests: a power failure may then lose everything. */
  fsync?: boolean
  /** A PostgreSQL other than ours, to read the data of an older version once more before they are moved. */
  postgres?: PostgresPackage
}

export interface EmbeddedServer {
  connection: { host: string; port: number; user: string; database: string }
  /** The process that started the server; the server stops with it. */
  owner: number
  /** False when another process started it; then `stop` leaves it running. */
  owned: boolean
  stop(): Promise<void>
  /** Also removes the cluster if this start created it; an existing one stays. */
  discard(): Promise<void>
}

const DATABASE = 'bazaar'
const PORT = 5432
const ORPHAN_WAIT_MS = 40_000
const REVIVAL_WAIT_MS = 10_000

/** Starts the PostgreSQL of the product, or joins the one that runs on the directory. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const dataDir = openDataDir(options.dataDir)
  return withStartLock(dataDir, async () => {
    const cluster = join(dataDir, 'postgres')
    const running = await findOwnedServer(dataDir, cluster)
    return running ?? startOwn(dataDir, cluster, options)
  })
}

function openDataDir(path: string): string {
  try {
    if (!existsSync(path)) {
      mkdirSync(path, { recursive: true })
      // When we are root, the server runs as another user, which must reach its part of the directory.
      chmodSync(path, process.getuid?.() === 0 ? 0o711 : 0o700)
    }
    accessSync(path, constants.W_OK | constants.X_OK)
    return realpathSync(path)
  } catch (error) {
    throw new EmbeddedFailure(
      `The data directory ${path} can't be made or written: ` +
        `${error instanceof Error ? error.message : String(error)}. Set DATA_DIR to another place.`,
    )
  }
}

/**
 * Finds the server of a living process. Waits for an orphaned server to exit, or stops it, so that ours can start.
 */
async function findOwnedServer(
  dataDir: string,
  cluster: string,
): Promise<EmbeddedServer | undefined> {
  const isOurs = (state: ServerState) => isAlive(readOwner(dataDir)) && state.socketDir !== ''
  let state = await findRevived(dataDir, cluster)
  for (let waited = 0; state && !(isOurs(state) && state.isReady); waited += 50) {
    if (waited === 2_000 && !isOurs(state)) endOrphan(state.pid, cluster)
    if (waited > ORPHAN_WAIT_MS) {
      throw new EmbeddedFailure(
        `A PostgreSQL (process ${state.pid}) uses ${cluster}; end it first.`,
      )
    }
    await sleep(50)
    const { socketDir } = state
    state = findServer(cluster)
    if (!state && isSocketDir(socketDir)) {
      rmSync(socketDir, { recursive: true, force: true })
    }
  }
  if (!state) return undefined
  return {
    connection: connectionTo(state.socketDir, DATABASE),
    owner: Number.parseInt(readOwner(dataDir), 10),
    owned: false,
    stop: async () => {},
    discard: async () => {},
  }
}

/**
 * Finds the server. If it is missing while its owner lives, the owner is restarting it after a crash, so this
 * waits.
 */
async function findRevived(dataDir: string, cluster: string): Promise<ServerState | undefined> {
  const isOthers = () => {
    const owner = readOwner(dataDir)
    return isAlive(owner) && owner !== processIdentity(process.pid)
  }
  let state = findServer(cluster)
  for (let waited = 0; !state && waited < REVIVAL_WAIT_MS && isOthers(); waited += 50) {
    await sleep(50)
    state = findServer(cluster)
  }
  return state
}

function endOrphan(pid: number, cluster: string): void {
  try {
    process.kill(pid, 'SIGINT')
  } catch (error) {
    throw new EmbeddedFailure(
      `A PostgreSQL (process ${pid}) of another user uses ${cluster}: end it first ` +
        `(${error instanceof Error ? error.message : String(error)}).`,
    )
  }
}

async function startOwn(
  dataDir: string,
  cluster: string,
  {
    log = () => {},
    say = () => {},
    fsync = true,
    postgres: found = findPackage(),
  }: EmbeddedOptions,
): Promise<EmbeddedServer> {
  requireSameMajor(cluster, found.major)
  const isNew = !existsSync(cluster)
  const runner = chooseRunner(dataDir, isNew ? undefined : cluster)
  if (!isNew && clusterMajor(cluster) === undefined) {
    throw new EmbeddedFailure(`${cluster} is no PostgreSQL data directory; move it away.`)
  }
  const home = preparePackage(found, dataDir, (path) => mayRun(runner, path))
  if (isNew) {
    log('Making the database (first start) …')
    createCluster(cluster, home, runner, fsync)
  }
  const socketDir = makeSocketDir(shortTemporaryDir())
  chownTo(runner, socketDir)
  writeFileSync(ownerFile(dataDir), processIdentity(process.pid) ?? '')
  const watchdog = startWatchdog(cluster, socketDir)
  const logFile = join(dataDir, 'postgres.log')
  const isDurable = fsync
  try {
    const server = await startServer({ cluster, home, runner, socketDir, logFile, isDurable, log })
    const stop = async () => {
      await server.stop()
      rmSync(ownerFile(dataDir), { force: true })
      rmSync(socketDir, { recursive: true, force: true })
      watchdog.end()
    }
    const discard = async () => {
      await stop()
      if (!isNew) return
      for (const path of [cluster, logFile]) rmSync(path, { recursive: true, force: true })
    }
    try {
      await waitForDatabase(() => createDatabase(socketDir), { say })
    } catch (error) {
      await stop()
      throw error
    }
    const connection = connectionTo(socketDir, DATABASE)
    return { connection, owner: process.pid, owned: true, stop, discard }
  } catch (error) {
    watchdog.end()
    throw error
  }
}

/** The path of a socket is limited to 103 bytes, so a long TMPDIR isn't used. */
function shortTemporaryDir(): string {
  return tmpdir().length <= 60 ? tmpdir() : '/tmp'
}

function connectionTo(host: string, database: string) {
  return { host, port: PORT, user: SUPERUSER, database }
}

async function createDatabase(socketDir: string): Promise<void> {
  const client = await openClient(
    connectionTo(socketDir, 'postgres'),
    createLog('silent'),
    'requests',
  )
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [
      DATABASE,
    ])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}

function ownerFile(dataDir: string): string {
  return join(dataDir, 'postgres.owner')
}

function readOwner(dataDir: string): string {
  try {
    return readFileSync(ownerFile(dataDir), 'utf8')
  } catch {
    return ''
  }
}
