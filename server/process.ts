/** What both processes begin with, the one that serves and the one that works: settings, database, keys, signals. */
import { setTimeout as sleep } from 'node:timers/promises'
import { BackupError } from '#server/backup/archive/format.ts'
import { backupFolders, clearDeadDrafts } from '#server/backup/archive/drafts.ts'
import { openDatabaseClock, type DatabaseClock } from '#server/db/clock.ts'
import { EmbeddedFailure } from '#server/db/embedded/failure.ts'
import { NewerSchemaError } from '#server/db/migrate.ts'
import { openClient } from '#server/db/pool.ts'
import { checkReplica } from '#server/db/replica/start.ts'
import { DatabaseError, openDatabase, type Database } from '#server/db/settings.ts'
import { waitForDatabase, whyAway } from '#server/db/waiting.ts'
import { configHelp, readConfig, type Config } from '#server/kernel/config.ts'
import { warnOfPlainLinks } from '#server/doctor/plain-links.ts'
import { ConfigError } from '#server/kernel/settings/config-error.ts'
import { readSecrets, type Secrets } from '#server/kernel/keys.ts'
import type { Patience } from '#server/kernel/process/door.ts'
import { collectWhenIdle, limitHeapGrowth } from '#server/kernel/process/memory.ts'
import { createLog, type Log } from '#server/kernel/log.ts'
import { isTaken, PortError } from '#server/kernel/process/port.ts'
import { sentenceOf } from '#server/kernel/process/start-failure.ts'
import { packageVersion } from '#server/kernel/version.ts'
import { RedisError } from '#server/nodes/redis.ts'
import { BuildError } from '#server/pages/built/builds.ts'
import { migrateDatabase } from '#server/upgrade/migrate.ts'

/** From the end of serving to the exit, at most. */
const END_MS = 4800
/** Of these, for what is under way. */
const PATIENCE_MS = 2500
/** Of these, for what a balancer is sending over an old connection right now. */
const LINGER_MS = 500
/** npm hands on the Ctrl-C that the terminal has given us already: that is one signal, not two. */
const SAME_SIGNAL_MS = 500

/** Failures that are printed as one sentence, without a stack. */
const SENTENCES = [
  BackupError,
  ConfigError,
  PortError,
  BuildError,
  DatabaseError,
  EmbeddedFailure,
  NewerSchemaError,
  RedisError,
]

/** A line for who started the process. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

export interface Opened {
  readonly database: Database
  readonly secrets: Secrets
  readonly clock: DatabaseClock
  /** Called in reverse order at the end, each once; what begins later is put in. */
  readonly stops: ((patience: Patience) => Promise<unknown>)[]
}

/**
 * Opens and migrates the database, reads the keys. `alone`: nobody else may have the embedded database.
 * @throws DatabaseError and the others of SENTENCES; what was opened is closed then
 */
export async function openAll(config: Config, log: Log, alone: boolean): Promise<Opened> {
  say('Starting the database …')
  if (config.DATABASE_URL === undefined) {
    // With it comes all that makes and restores a backup, which a node on a database elsewhere need not load.
    const { moveToOurMajor } = await import('#server/upgrade/major.ts')
    await moveToOurMajor({ dataDir: config.DATA_DIR, log, say })
  }
  const debug = (line: string) => log.debug({ line }, 'database')
  const open = () => openDatabase(config, debug, say)
  // What was begun of an embedded one can't be begun twice; it waits by itself.
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

/** Removes what killed backups left, which holds keys. */
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

/** Closes what was opened, the last first. What fails to close is logged and does not hold up the others. */
export async function stopAll(
  { stops }: Opened,
  log: Log,
  patience: Patience = { lingerMs: 0, patienceMs: PATIENCE_MS },
): Promise<void> {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop())
    await stop(patience).catch((error: unknown) => log.error({ err: error }, 'stopping failed'))
}

/** Why a process ends. */
export interface Ending {
  /** For the log: a signal, or what happened. */
  readonly why: string
  /** The exit code. */
  readonly code: 0 | 1
  /** It first serves on for DRAIN_SECONDS, because somebody else sends requests here. */
  readonly serves: boolean
}

/** Ends the process: once, however often it is called; an exit code of 1 stays. */
export type Drain = (ending: Ending) => void

export interface Leaving {
  readonly drainSeconds: number
  /** Told at once, while everything still runs. */
  beginLeaving(): void
}

/**
 * Ends the process at a signal. SIGTERM comes from what runs it: it serves on for `drainSeconds` while balancers look
 * elsewhere. SIGINT and SIGHUP come from a person at a terminal, who waits. Then what is under way ends and all is
 * stopped, the database last, in 5 seconds at most. A second signal ends it at once. An exception that nobody caught
 * ends it in the same way, with the code 1. Answers what ends it for other reasons.
 */
export function drainWhenSignalled(opened: Opened, log: Log, leaving: Leaving): Drain {
  let begun: number | null = null
  let code: 0 | 1 = 0
  const end = async ({ serves }: Ending) => {
    leaving.beginLeaving()
    if (serves) await sleep(leaving.drainSeconds * 1000)
    setTimeout(() => {
      // A database that was asked to stop does so without us.
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
    // Nobody knows what still holds after it.
    drain({ why: 'uncaughtException', code: 1, serves: false })
  })
  return drain
}

/**
 * Serves the metrics unless METRICS_PORT is 0. A second process on one machine must not stop for a port that nobody asked
 * for. @throws PortError when the port was asked for and is taken
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

/** A promise that failed with nobody listening spoilt what it was for and nothing else. */
function surviveRejections(log: Log): void {
  process.on('unhandledRejection', (reason) =>
    log.error({ err: reason }, 'a rejection that nobody caught'),
  )
}

/** Null for what is no absence of something that the start needs. */
function awaySentence(error: unknown): string | null {
  const reason = whyAway(error)
  return reason === null
    ? null
    : `The start gave up, because the database could not be used: ${reason}. Start it, or look at what keeps it busy, then start again.`
}

/** Runs what a process does, with the settings of the environment; it alone reads that. */
export async function runProcess(
  start: (config: Config, log: Log) => Promise<void>,
): Promise<void> {
  if (process.argv.includes('--help')) return say(configHelp())
  if (process.argv.includes('--version')) return say(packageVersion())
  // Unset, what renders the pages checks itself as in development, and a page costs half as much again.
  process.env['NODE_ENV'] ??= 'production'
  try {
    const config = readConfig(process.env)
    const log = createLog(config.LOG_LEVEL)
    surviveRejections(log)
    void warnOfPlainLinks(config, log)
    limitHeapGrowth()
    collectWhenIdle(log)
    await start(config, log)
  } catch (error) {
    const known = error instanceof Error && SENTENCES.some((kind) => error instanceof kind)
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(
      `${known ? error.message : (sentenceOf(error) ?? awaySentence(error) ?? why)}\n`,
    )
    process.exitCode = 1
  }
}
