/** What both processes begin with, the one that serves and the one that works: settings, database, keys, signals. */
import type { ClientConfig } from 'pg'
import { EmbeddedFailure } from '#server/db/embedded-failure.ts'
import { migrate, NewerSchemaError } from '#server/db/migrate.ts'
import { openPool } from '#server/db/pool.ts'
import { DatabaseError, openDatabase, type Database } from '#server/db/settings.ts'
import { migrateQueue } from '#server/jobs/queue.ts'
import { ConfigError, configHelp, readConfig, type Config } from '#server/kernel/config.ts'
import { readSecrets } from '#server/kernel/keys.ts'
import { createLog, type Log } from '#server/kernel/log.ts'
import { PortError } from '#server/kernel/port.ts'
import { sentenceOf } from '#server/kernel/start-failure.ts'
import { BuildError } from '#server/pages/builds.ts'

const SHUTDOWN_MS = 15_000

/** Failures that are told in one sentence, without a stack. */
const SENTENCES = [
  ConfigError,
  PortError,
  BuildError,
  DatabaseError,
  EmbeddedFailure,
  NewerSchemaError,
]

/** A line for who started the process. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

export interface Opened {
  readonly database: Database
  /** The first signs, all verify. */
  readonly secrets: readonly string[]
  /** Called in reverse order at the end; what begins later is put in. */
  readonly stops: (() => Promise<unknown>)[]
}

/**
 * Opens and migrates the database, reads the keys. `alone`: nobody else may have the embedded database.
 * @throws DatabaseError and the others of SENTENCES; what was opened is closed then
 */
export async function openAll(config: Config, log: Log, alone: boolean): Promise<Opened> {
  say('Starting the database …')
  const database = await openDatabase(config, (line) => log.debug({ line }, 'database'))
  if (alone && database.usedBy !== null) {
    throw new DatabaseError(
      `DATA_DIR (${config.DATA_DIR}) is in use by process ${database.usedBy}. Stop it, or set DATA_DIR to another folder.`,
    )
  }
  try {
    await applyMigrations(database.direct, log)
    const secrets = await readSecrets(config.AUTH_SECRETS, config.DATA_DIR)
    return { database, secrets, stops: [() => database.stop()] }
  } catch (error) {
    await database.stop()
    throw error
  }
}

async function applyMigrations(connection: ClientConfig, log: Log): Promise<void> {
  const pool = openPool(connection, log, { work: 'migrations', size: 1 })
  try {
    const applied = await migrate(pool)
    await migrateQueue(pool, log)
    if (applied.length > 0) say(`Migrated the database: ${applied.length} new.`)
  } finally {
    await pool.end()
  }
}

export async function stopAll({ stops }: Opened, log: Log): Promise<void> {
  for (const stop of stops.toReversed())
    await stop().catch((error: unknown) => log.error({ err: error }, 'stopping failed'))
}

/**
 * Ends the process at a signal, when all is stopped or after 15 seconds. An exception that nobody caught ends it in
 * the same way, with the code 1: nobody knows what still holds after it.
 */
export function stopWhenSignalled(opened: Opened, log: Log): void {
  let stopping = false
  const stop = (code: number) => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
    void stopAll(opened, log).then(() => process.exit(code))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an exception that nobody caught: the process stops')
    stop(1)
  })
}

/** A promise that failed with nobody listening spoilt what it was for and nothing else. */
function surviveRejections(log: Log): void {
  process.on('unhandledRejection', (reason) =>
    log.error({ err: reason }, 'a rejection that nobody caught'),
  )
}

/** Runs what a process does, with the settings of the environment; it alone reads that. */
export async function runProcess(
  start: (config: Config, log: Log) => Promise<void>,
): Promise<void> {
  if (process.argv.includes('--help')) return say(configHelp())
  // Unset, what renders the pages checks itself as in development, and a page costs half as much again.
  process.env['NODE_ENV'] ??= 'production'
  try {
    const config = readConfig(process.env)
    const log = createLog(config.LOG_LEVEL)
    surviveRejections(log)
    await start(config, log)
  } catch (error) {
    const known = error instanceof Error && SENTENCES.some((kind) => error instanceof kind)
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`${known ? error.message : (sentenceOf(error) ?? why)}\n`)
    process.exitCode = 1
  }
}
