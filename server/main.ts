/** The process: configuration, database, app, listening, signals. The only reader of the environment. */
import { createApp, DIST, type App } from '#server/app.ts'
import { openMeeting } from '#server/chat/meeting.ts'
import { EmbeddedFailure } from '#server/db/embedded-failure.ts'
import { migrate, NewerSchemaError } from '#server/db/migrate.ts'
import { DatabaseError, openDatabase } from '#server/db/settings.ts'
import { isLoopback, openDemo, type DemoSignIn } from '#server/demo/demo.ts'
import { migrateQueue } from '#server/jobs/queue.ts'
import { systemClock } from '#server/kernel/clock.ts'
import { ConfigError, configHelp, readConfig, type Config } from '#server/kernel/config.ts'
import { readSecrets } from '#server/kernel/keys.ts'
import { createLog, type Log } from '#server/kernel/log.ts'
import { findPort, isTaken, PortError } from '#server/kernel/port.ts'
import { loadRenderer } from '#server/pages/renderer.ts'
import pg from 'pg'

const NEXT_PORTS = 11
const SHUTDOWN_MS = 15_000

/** Failures that are told in one sentence, without a stack. */
const SENTENCES = [ConfigError, PortError, DatabaseError, EmbeddedFailure, NewerSchemaError]

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function start(config: Config): Promise<void> {
  const log = createLog(config.LOG_LEVEL)
  if (config.RATE_LIMITS === 'off')
    log.warn('RATE_LIMITS is off: only for benchmarks and test suites')
  const port = await findPort(
    config.HOST,
    config.PORT,
    config.portGiven || config.PORT === 0 ? 1 : NEXT_PORTS,
  )
  const publicUrl = config.PUBLIC_URL ?? `http://localhost:${port}`
  say('Starting the database …')
  const database = await openDatabase(config, (line) => log.debug({ line }, 'database'))
  if (database.usedBy !== null) {
    throw new DatabaseError(
      `DATA_DIR (${config.DATA_DIR}) is in use by process ${database.usedBy}. Stop it, or set DATA_DIR to another folder.`,
    )
  }
  const stops: (() => Promise<unknown>)[] = [() => database.stop()]
  const stopAll = async () => {
    for (const stop of stops.toReversed())
      await stop().catch((error: unknown) => log.error({ err: error }, 'stopping failed'))
  }
  try {
    await applyMigrations(database.direct, log)
    const secrets = await readSecrets(config.AUTH_SECRETS, config.DATA_DIR)
    const meeting = await openMeeting(config, port, log)
    if (meeting !== null) stops.push(() => meeting.close())
    const app = await createApp({
      config,
      meeting,
      connection: database.connection,
      direct: database.direct,
      secrets,
      publicUrl,
      clock: systemClock,
      log,
      renderer: await loadRenderer(DIST),
    })
    stops.push(() => app.close())
    const signIns = database.embedded
      ? await openDemo({
          ...app.demo,
          dataDir: config.DATA_DIR,
          secret: secrets[0] ?? '',
          wanted: config.DEMO === '1',
          loopback: isLoopback(config.HOST),
          say,
        })
      : []
    await app.listen(port, config.HOST)
    if (config.METRICS_PORT !== 0) await serveMetrics(app, config, log)
    announce(publicUrl, signIns)
  } catch (error) {
    await stopAll()
    throw error
  }
  onceSignalled(() => {
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
    void stopAll().then(() => process.exit(0))
  })
}

/** A second installation on one machine must not stop for a port that nobody asked for. */
async function serveMetrics(app: App, config: Config, log: Log): Promise<void> {
  try {
    await app.listenMetrics(config.METRICS_PORT, config.HOST)
  } catch (error) {
    if (!isTaken(error)) throw error
    const taken = `METRICS_PORT ${config.METRICS_PORT} is taken`
    if (config.metricsPortGiven)
      throw new PortError(`${taken}. Set it to a free port, or to 0 for none.`)
    log.warn(`${taken}: no metrics are served`)
  }
}

async function applyMigrations(connection: pg.ClientConfig, log: Log): Promise<void> {
  const pool = new pg.Pool({ ...connection, max: 1 })
  try {
    const applied = await migrate(pool)
    await migrateQueue(pool, log)
    if (applied.length > 0) say(`Migrated the database: ${applied.length} new.`)
  } finally {
    await pool.end()
  }
}

function announce(url: string, signIns: readonly DemoSignIn[]): void {
  say(`\nKnowledge Bazaar is open: ${url}`)
  for (const { username, password, what } of signIns)
    say(`  ${what.padEnd(14)} ${username}  ${password}`)
  say('Ctrl-C stops it.')
}

function onceSignalled(stop: () => void): void {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      stop()
    })
  }
}

if (process.argv.includes('--help')) say(configHelp())
else {
  // Unset, what renders the pages checks itself as in development, and a page costs half as much again.
  process.env['NODE_ENV'] ??= 'production'
  try {
    await start(readConfig(process.env))
  } catch (error) {
    const known = error instanceof Error && SENTENCES.some((kind) => error instanceof kind)
    process.stderr.write(
      `${known ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
    process.exitCode = 1
  }
}
