/** PostgreSQL servers of the experiments: the processes of the embedded one, and one of our own that stands alone. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
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
} from '#server/db/embedded/cluster.ts'
import { findPackage, preparePackage } from '#server/db/embedded/package.ts'
import { chooseRunner, giveTo, mayRun, placeFor } from '#server/db/embedded/runner.ts'
import { findTestPort } from '#server/testing/port.ts'

const READY_MS = 60_000
const DATABASE = 'bazaar'

/** The process that a data folder's server began as. @throws when there is none */
export function postmasterOf(dataDir: string): number {
  const text = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  return Number.parseInt(text, 10)
}

/** The processes that serve connections of a postmaster; on Linux, where /proc tells. */
export function backendsOf(postmaster: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && isBackend(pid, postmaster))
}

function isBackend(pid: number, postmaster: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    if (parent !== postmaster) return false
    // As PostgreSQL titles them: "postgres: knowledge-bazaar: bazaar bazaar [local] idle".
    return /postgres: .*\[local\]|postgres: .*127\.0\.0\.1/.test(
      readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    )
  } catch {
    return false
  }
}

/** How a server is asked to end; `kill` asks nothing. */
export const ENDINGS = {
  smart: 'SIGTERM',
  fast: 'SIGINT',
  immediate: 'SIGQUIT',
  kill: 'SIGKILL',
} as const satisfies Record<string, NodeJS.Signals>

export type Ending = keyof typeof ENDINGS

export interface LonePostgres {
  /** For DATABASE_URL. */
  readonly url: string
  readonly pid: number
  /** Ends it in a way, and waits until it has; a smart end that people's connections keep from ending becomes fast. */
  end(way: Ending): Promise<void>
  /** Starts it again; resolves when it takes connections. */
  start(): Promise<void>
  /** Ends it and removes its folder. */
  remove(): Promise<void>
}

/** How long a smart end waits for the connections of people. */
const SMART_MS = 2000

/** Starts a server in a temporary folder, on a free port of this machine. */
export async function startLonePostgres(): Promise<LonePostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-lone-'))
  const found = findPackage()
  const runner = chooseRunner(folder, undefined)
  giveTo(runner, folder)
  const home = preparePackage(found, folder, (path) => mayRun(runner, path))
  const cluster = join(folder, 'postgres')
  createCluster(cluster, home, runner, true)
  const sockets = join(folder, 'sockets')
  mkdirSync(sockets, { mode: 0o700 })
  giveTo(runner, sockets)
  const port = await findTestPort()
  const address = (database: string) => `postgres://${SUPERUSER}@127.0.0.1:${port}/${database}`
  let child: ChildProcess | undefined
  let gone: Promise<unknown> = Promise.resolve()

  const start = async () => {
    const { name, cwd } = placeFor(runner, cluster)
    const program = join(home, 'bin', 'postgres')
    const ours = ['-c', 'listen_addresses=127.0.0.1', '-c', `port=${port}`]
    const [command = '', ...args] = runner.prefix.concat(
      [program, '-D', name],
      serverSettings(sockets, true),
      ours,
    )
    const options = { ...runner.ids, cwd, env: serverEnvironment(), stdio: 'ignore' } as const
    const started = spawn(command, args, options)
    child = started
    gone = new Promise((resolve) => started.once('exit', resolve))
    for (const end = Date.now() + READY_MS; !(await answers(address('postgres'))); await sleep(20))
      if (Date.now() > end) throw new Error('the database server did not start')
  }
  const end = async (way: Ending) => {
    child?.kill(ENDINGS[way])
    if (way === 'smart') await Promise.race([gone, sleep(SMART_MS, null, { ref: false })])
    if (way === 'smart') child?.kill(ENDINGS.fast)
    await gone
  }
  await start()
  await ask(address('postgres'), `create database ${DATABASE}`)
  return {
    url: address(DATABASE),
    get pid() {
      return child?.pid ?? 0
    },
    end,
    start,
    remove: async () => {
      await end('immediate')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answers(connectionString: string): Promise<boolean> {
  return ask(connectionString, 'select 1').then(
    () => true,
    () => false,
  )
}

async function ask(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 1000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(text)
  } finally {
    await client.end().catch(() => undefined)
  }
}
