/** Starts and ends both kinds of process, serving and working: settings, database, keys, signals. */
import { setTimeout as sleep } from 'node:timers/promises'
import { BackupError } from '#server/operate/backup/archive/format.ts'
import { backupFolders, clearDeadDrafts } from '#server/operate/backup/archive/drafts.ts'
import { openDatabaseClock, type DatabaseClock } from '#server/platform/db/clock.ts'
import { EmbeddedFailure } from '#server/platform/db/embedded/failure.ts'
import { SchemaError } from '#server/platform/db/migrate.ts'
import { openClient } from '#server/platform/db/pool.ts'
import { checkReplica } from '#server/platform/db/replica/start.ts'
import { DatabaseError, openDatabase, type Database } from '#server/platform/db/settings.ts'
import { waitForDatabase, whyAway } from '#server/platform/db/waiting.ts'
import { configHelp, readConfig, type Config } from '#server/kernel/config.ts'
import { warnOfPlainLinks } from '#server/operate/doctor/plain-links.ts'
import { ConfigError } from '#server/kernel/settings/config-error.ts'
import { readSecrets, type Secrets } from '#server/kernel/keys.ts'
import type { Patience } from '#server/kernel/process/door.ts'
import { createLog, logDestination, type Log } from '#server/kernel/log.ts'
import { isTaken, PortError, takeGivenSocket } from '#server/kernel/process/port.ts'
import { sentenceOf } from '#server/kernel/process/start-failure.ts'
import { packageVersion } from '#server/kernel/version.ts'
import { RedisError } from '#server/platform/nodes/redis.ts'
import { BuildError } from '#server/pages/built/builds.ts'
import { migrateDatabase } from '#server/operate/upgrade/migrate.ts'

/** In ms: maximum from the end of serving to the exit. */
const END_MS = 4800
/** Of these, the ms for running work. */
const PATIENCE_MS = 2500
/** Of these, the ms for requests that a load balancer is just sending over an old connection. */
const LINGER_MS = 500
/** In ms. npm forwards the Ctrl-C that the terminal has already sent to us, which is one signal, not two. */
const SAME_SIGNAL_MS = 500

/** Failures that are printed as one sentence, without a stack. */
const SENTENCES = [
  BackupError,
  ConfigError,
  PortError,
  BuildError,
  DatabaseError,
  EmbeddedFailure,
  SchemaError,
  RedisError,
]

/** Prints a line for the operator. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

export interface Opened {
  readonly database: Database
  readonly secrets: Secrets
  readonly clock: DatabaseClock
  /** Called once each, in reverse order, at the end; what starts later adds itself. */
  readonly stops: ((patience: Patience) => Promise<unknown>)[]
}

/**
 * Opens and migrates the database and reads the keys. `alone` excludes other processes from the embedded database.
 * @throws DatabaseError and the others of SENTENCES, after closing what was opened
 */
export async function openAll(config: Config, log: Log, alone: boolean): Promise<Opened> {
  say('Starting the database …')
  if (config.DATABASE_URL === undefined) {
    // Imports everything that makes and restores backups, which a node with an external database doesn't need.
    const { moveToOurMajor } = await import('#server/operate/upgrade/major.ts')
    await moveToOurMajor({ dataDir: config.DATA_DIR, log, say })
  }
  const debug = (line: string) => log.debug({ line }, 'database')
  const open = () => openDatabase(config, debug, say)
  // Opening an embedded database can't be repeated after a failure, and it waits itself.
  const database = await (config.DATABASE_URL === undefined
    ? open()
    : waitForDatabase(open, { say }))
  if (alone && database.usedBy !== null) {
    throw new DatabaseError(
      `DATA_DIR (${config.DATA_DIR}) is in use by process ${database.usedBy}. Stop it, or set DATA_DIR to another folder.`,
    )
  }
  try {
    const applied = await waitForDatabase(() => migrateDatabase({ config, database, log, say }), {
      say,
    })
    if (applied.length > 0) say(`Migrated the database: ${applied.length} new.`)
    if (database.replica !== null) {
      const { replica, direct } = database
      const wrong = await waitForDatabase(() => checkReplica(replica, direct), { say })
      if (wrong !== null) say(wrong)
    }
    await clearBackups(config, log)
    const secrets = await readSecrets(config.AUTH_SECRETS, config.DATA_DIR)
    const clock = await waitForDatabase(() => readClock(database, log), { say })
    return { database, secrets, clock, stops: [() => database.stop()] }
  } catch (error) {
    await database.stop()
    throw error
  }
}

/** Removes drafts of killed backups, which contain keys. */
async function clearBackups(config: Config, log: Log): Promise<void> {
  for (const folder of backupFolders(config)) {
    const count = await clearDeadDrafts(folder)
    if (count > 0)
      log.warn({ folder, count }, 'unfinished archives of ended processes were removed')
  }
}

async function readClock({ direct }: Database, log: Log): Promise<DatabaseClock> {
  const client = await openClient(direct, log, 'jobs')
  try {
    return await openDatabaseClock(client, log)
  } finally {
    await client.end()
  }
}

/** Closes what was opened in reverse order. A failure is logged and doesn't stop the others. */
export async function stopAll(
  { stops }: Opened,
  log: Log,
  patience: Patience = { lingerMs: 0, patienceMs: PATIENCE_MS },
): Promise<void> {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop())
    await stop(patience).catch((error: unknown) => log.error({ err: error }, 'stopping failed'))
}

export interface Ending {
  /** For the log: a signal, or what happened. */
  readonly why: string
  readonly code: 0 | 1
  /** Keeps serving for DRAIN_SECONDS first, because a load balancer still sends requests here. */
  readonly serves: boolean
}

/** Ends the process once, however often it is called; an exit code of 1 stays. */
export type Drain = (ending: Ending) => void

export interface Leaving {
  readonly drainSeconds: number
  /** Called at once, while everything still runs. */
  beginLeaving(): void
}

/**
 * Ends the process on a signal. SIGTERM comes from a supervisor: the process serves for `drainSeconds` more while
 * load balancers switch. SIGINT and SIGHUP come from a waiting person. Then running work ends and everything stops
 * within 5 seconds, the database last. A second signal exits at once. An uncaught exception ends the process in
 * the same way, with code 1. Returns the function that ends it for other reasons.
 */
export function drainWhenSignalled(opened: Opened, log: Log, leaving: Leaving): Drain {
  let begun: number | null = null
  let code: 0 | 1 = 0
  const end = async ({ serves }: Ending) => {
    leaving.beginLeaving()
    if (serves) await sleep(leaving.drainSeconds * 1000)
    setTimeout(() => {
      // A database that was asked to stop doesn't need this process to finish.
      if (opened.stops.length > 0) log.error('not everything stopped in time')
      process.exit(opened.stops.length > 0 ? 1 : code)
    }, END_MS).unref()
    await stopAll(opened, log, {
      lingerMs: serves || code === 1 ? LINGER_MS : 0,
      patienceMs: PATIENCE_MS,
    })
    process.exit(code)
  }
  const drain: Drain = (ending) => {
    if (ending.code === 1) code = 1
    if (begun !== null) return
    begun = performance.now()
    log.info({ why: ending.why }, 'stopping')
    void end(ending)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (begun === null) drain({ why: signal, code: 0, serves: signal === 'SIGTERM' })
      else if (performance.now() - begun > SAME_SIGNAL_MS) process.exit(1)
    })
  }
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an exception that nobody caught: the process stops')
    // After an uncaught exception the state of the process is unknown.
    drain({ why: 'uncaughtException', code: 1, serves: false })
  })
  return drain
}

/**
 * Serves the metrics unless METRICS_PORT is 0. A second process on one machine must not fail for the default port.
 * @throws PortError when the port was configured and is taken
 */
export async function serveMetrics(
  listen: (port: number, host: string) => Promise<unknown>,
  config: Config,
  log: Log,
): Promise<void> {
  if (config.METRICS_PORT === 0) return
  try {
    await listen(config.METRICS_PORT, config.HOST)
  } catch (error) {
    if (!isTaken(error)) throw error
    const taken = `METRICS_PORT ${config.METRICS_PORT} is taken`
    if (config.metricsPortGiven)
      throw new PortError(`${taken}. Set it to a free port, or to 0 for none.`)
    log.warn(`${taken}: no metrics are served`)
  }
}

/** An unhandled rejection affects only its own work, so the process continues. */
function surviveRejections(log: Log): void {
  process.on('unhandledRejection', (reason) =>
    log.error({ err: reason }, 'a rejection that nobody caught'),
  )
}

/** Returns null for any error except an unavailable dependency of the start. */
function awaySentence(error: unknown): string | null {
  const reason = whyAway(error)
  return reason === null
    ? null
    : `The start gave up, because the database could not be used: ${reason}. Start it, or look at what keeps it busy, then start again.`
}

/** The build to serve, and the origin of pages that are served from source: see server/pages. */
const WORDS = /^--(?:build|pages)=/

/** @throws ConfigError */
function refuseUnknownWords(words: readonly string[]): void {
  const unknown = words.find((word) => !WORDS.test(word))
  if (unknown !== undefined)
    throw new ConfigError(
      `Unknown argument "${unknown}". Settings are environment variables, as in PORT=8080; --help lists them, --version prints the version.`,
    )
}

/**
 * Runs a process with the settings of the environment, which only this function reads. `socket` is a listening one
 * that systemd passes, or null.
 */
export async function runProcess(
  start: (config: Config, log: Log, socket: number | null) => Promise<void>,
): Promise<void> {
  if (process.argv.includes('--help')) return say(configHelp())
  if (process.argv.includes('--version')) return say(packageVersion())
  try {
    refuseUnknownWords(process.argv.slice(2))
    const config = readConfig(process.env)
    // Without it React runs its development checks, and a page costs half as much again.
    process.env['NODE_ENV'] ??= 'production'
    const log = createLog(config.LOG_LEVEL, logDestination(config.LOG_FORMAT))
    surviveRejections(log)
    void warnOfPlainLinks(config, log)
    await start(config, log, takeGivenSocket(process.env, process.pid))
  } catch (error) {
    const known = error instanceof Error && SENTENCES.some((kind) => error instanceof kind)
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(
      `${known ? error.message : (sentenceOf(error) ?? awaySentence(error) ?? why)}\n`,
    )
    process.exitCode = 1
  }
}
