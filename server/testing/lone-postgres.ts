/** Standalone PostgreSQL servers on a local port, as external ones would be, optionally with a standby. */
import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  createCluster,
  serverEnvironment,
  serverSettings,
  SUPERUSER,
} from '#server/platform/db/embedded/cluster.ts'
import { findPackage, preparePackage } from '#server/platform/db/embedded/package.ts'
import {
  chooseRunner,
  chownTo,
  mayRun,
  pathFor,
  type Runner,
} from '#server/platform/db/embedded/runner.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { migrateQueue } from '#server/platform/jobs/queue.ts'
import { createLog } from '#server/kernel/log.ts'
import { findTestPort } from '#server/testing/port.ts'

const READY_MS = 60_000
const DATABASE = 'bazaar'

/** Shutdown modes. `kill` is immediate. */
const ENDINGS = {
  smart: 'SIGTERM',
  fast: 'SIGINT',
  immediate: 'SIGQUIT',
  kill: 'SIGKILL',
} as const satisfies Record<string, NodeJS.Signals>

export type Ending = keyof typeof ENDINGS

type Settings = Readonly<Record<string, string>>

export interface LonePostgres {
  /** For DATABASE_URL. */
  readonly url: string
  readonly port: number
  readonly pid: number
  /** The data directory. */
  readonly cluster: string
  /** Runs a statement on the database of `url` with its own connection, and returns the rows. */
  ask<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>
  /** Shuts the server down and waits for it. A smart shutdown that open connections block becomes a fast one. */
  end(way: Ending): Promise<void>
  /** Stops or continues all its processes, as if its machine had gone silent. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** Starts it again, and resolves when it accepts connections. */
  start(): Promise<void>
  /** Stops it and removes its folder. */
  remove(): Promise<void>
}

/** How long a smart shutdown waits for open connections, in ms. */
const SMART_MS = 2000

/** Starts a server with fsync in a temporary folder, on a free local port, with an empty database. */
export async function startLonePostgres(settings: Settings = {}): Promise<LonePostgres> {
  const place = await findPlace()
  createCluster(place.cluster, place.home, place.runner, true)
  const server = openServer(place, await findTestPort(), settings)
  await server.start()
  await ask(addressAt(server.port, 'postgres'), `create database ${DATABASE}`)
  return server
}

/** Settings of a server that has standbys. */
export const REPLICATED: Settings = { wal_level: 'replica', max_wal_senders: '5' }

/**
 * Starts a standby of `primary`, which needs the settings REPLICATED and is stopped while its files are copied.
 * `select pg_promote()` promotes the standby.
 */
export async function startStandby(
  primary: LonePostgres,
  settings: Settings = {},
): Promise<LonePostgres> {
  const place = await findPlace()
  await primary.end('fast')
  cpSync(primary.cluster, place.cluster, { recursive: true })
  await primary.start()
  rmSync(join(place.cluster, 'postmaster.pid'), { force: true })
  writeFileSync(join(place.cluster, 'standby.signal'), '')
  giveAllTo(place.runner, place.cluster)
  const server = openServer(place, await findTestPort(), {
    ...REPLICATED,
    hot_standby: 'on',
    wal_retrieve_retry_interval: '200ms',
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${SUPERUSER} application_name=standby`,
    ...settings,
  })
  await server.start()
  return server
}

export async function migrateLone({ url }: Pick<LonePostgres, 'url'>): Promise<void> {
  const log = createLog('silent')
  const pool = openPool({ connectionString: url }, log, { work: 'migrations', size: 1 })
  await migrate(pool)
  await migrateQueue(pool, log)
  await pool.end()
}

interface Place {
  readonly folder: string
  readonly cluster: string
  readonly home: string
  readonly runner: Runner
}

async function findPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-lone-'))
  const found = findPackage()
  const runner = chooseRunner(folder, undefined)
  chownTo(runner, folder)
  const home = preparePackage(found, folder, (path) => mayRun(runner, path))
  return { folder, cluster: join(folder, 'postgres'), home, runner }
}

function giveAllTo(runner: Runner, path: string): void {
  chownTo(runner, path)
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' }))
    chownTo(runner, join(path, name))
}

const addressAt = (port: number, database: string) =>
  `postgres://${SUPERUSER}@127.0.0.1:${port}/${database}`

function openServer(place: Place, port: number, settings: Settings): LonePostgres {
  const { folder, cluster, home, runner } = place
  const sockets = join(folder, 'sockets')
  mkdirSync(sockets, { mode: 0o700 })
  chownTo(runner, sockets)
  const url = addressAt(port, DATABASE)
  let child: ChildProcess | undefined
  let exited: Promise<unknown> = Promise.resolve()

  const start = async () => {
    const { name, cwd } = pathFor(runner, cluster)
    const program = join(home, 'bin', 'postgres')
    const ours = Object.entries({ ...settings, listen_addresses: '127.0.0.1', port: `${port}` })
    const [command = '', ...args] = runner.prefix.concat(
      [program, '-D', name],
      serverSettings(sockets, true),
      ours.flatMap(([setting, value]) => ['-c', `${setting}=${value}`]),
    )
    const options = { ...runner.ids, cwd, env: serverEnvironment(), stdio: 'ignore' } as const
    const started = spawn(command, args, options)
    child = started
    exited = new Promise((resolve) => started.once('exit', resolve))
    const address = addressAt(port, 'postgres')
    for (const end = Date.now() + READY_MS; !(await answers(address)); await sleep(20))
      if (Date.now() > end) throw new Error('the database server did not start')
  }
  const end = async (way: Ending) => {
    child?.kill(ENDINGS[way])
    if (way === 'smart') await Promise.race([exited, sleep(SMART_MS, null, { ref: false })])
    if (way === 'smart') child?.kill(ENDINGS.fast)
    await exited
  }
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    const pid = child?.exitCode === null && child.signalCode === null ? child.pid : undefined
    if (pid === undefined) return
    for (const each of [pid, ...childrenOf(pid)]) signalIfAlive(each, name)
  }
  return {
    url,
    port,
    cluster,
    get pid() {
      return child?.pid ?? 0
    },
    ask: (text) => ask(url, text),
    end,
    signal,
    start,
    remove: async () => {
      signal('SIGCONT')
      await end('immediate')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Ignores a backend that ended after the list of processes was read. */
function signalIfAlive(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Returns the child processes of a postmaster. Linux only, because it reads /proc. */
function childrenOf(postmaster: number): number[] {
  const text = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

async function answers(connectionString: string): Promise<boolean> {
  return ask(connectionString, 'select 1').then(
    () => true,
    () => false,
  )
}

async function ask<Row extends pg.QueryResultRow>(
  connectionString: string,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 1000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}
