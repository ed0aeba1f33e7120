/** Checks the database as a start would: connection, version, settings, migrations and the last audit. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { findRuns } from '#server/operate/audit/store.ts'
import { connect, type Db } from '#server/platform/db/connect.ts'
import { findMissingMigrations } from '#server/platform/db/migrate.ts'
import { checkReplica } from '#server/platform/db/replica/start.ts'
import { openDatabase, type Database } from '#server/platform/db/settings.ts'
import { readTime } from '#server/platform/db/clock.ts'
import { examineBackupRuns } from '#server/operate/doctor/backups.ts'
import { note, ok, reasonOf, wrong, type Finding } from '#server/operate/doctor/finding.ts'
import { examineJobs } from '#server/operate/doctor/jobs.ts'
import { examineRole } from '#server/operate/doctor/role.ts'
import { examineSiteSettings } from '#server/operate/doctor/site-settings.ts'
import { examineSecondFactors } from '#server/operate/doctor/second-factor.ts'
import type { Config } from '#server/kernel/config.ts'
import { createLog } from '#server/kernel/log.ts'
import { sentenceOf } from '#server/kernel/process/start-failure.ts'

const MB = 1024 * 1024
/** Connections of one process with its jobs, and a few for the operator. */
const LEAST_CONNECTIONS = 25
/** Allowed clock difference in ms. */
const CLOCK_MS = 2000
/** An audit runs every night. */
const AUDIT_AGE_MS = 2 * 24 * 60 * 60 * 1000

/** Returns all findings about the database, or only the first if it can't be reached. */
export async function examineDatabase(config: Config): Promise<Finding[]> {
  const part = config.DATABASE_URL === undefined ? 'database' : 'DATABASE_URL'
  const cluster = join(config.DATA_DIR, 'postgres')
  if (config.DATABASE_URL === undefined && !existsSync(cluster))
    return [note(part, `none yet: the first start makes it in ${cluster}.`)]
  let database: Database
  try {
    database = await openDatabase(config, () => {})
  } catch (error) {
    return [wrong(part, sentenceOf(error) ?? reasonOf(error))]
  }
  const connection = connect(database.direct, createLog('silent'), { size: 1 })
  try {
    const { db, pool } = connection
    const found = [await examineServer(db, part, database), ...(await examineSettings(db))]
    if (!database.embedded) found.push(await examineRole(db))
    const indexes = await examineIndexes(db)
    if (indexes !== null) found.push(indexes)
    const migrations = await examineMigrations(pool, config.NEWER_SCHEMA === 'accepted')
    found.push(migrations, await examineClock(db))
    if (database.replica !== null) found.push(await examineReplica(database))
    if (migrations.state === 'ok') {
      found.push(await examineSiteSettings(db, config))
      found.push(await examineJobs(db), await examineAudit(db))
      const backups = await examineBackupRuns(db, config, await readTime(pool))
      if (backups !== null) found.push(backups)
      const factors = await examineSecondFactors(db, config)
      if (factors !== null) found.push(factors)
    }
    return found
  } catch (error) {
    return [wrong(part, reasonOf(error))]
  } finally {
    await connection.close().catch(() => undefined)
    // Stops an embedded database that this check started. One that already ran is left alone.
    await database.stop().catch(() => undefined)
  }
}

async function examineServer(
  db: Db,
  part: string,
  { embedded, pooled }: Database,
): Promise<Finding> {
  const { rows } = await sql<{ version: string; locale: string; grams: string }>`
    select current_setting('server_version') as version,
      (select coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale', d.datctype) from pg_database d
        where datname = current_database()) as locale,
      (select extversion from pg_extension where extname = 'pg_trgm') as grams`.execute(db)
  const { version = '', locale = '', grams = '' } = rows[0] ?? {}
  const where = embedded ? 'embedded' : pooled ? 'behind a pooler' : 'reached'
  // Opening the database has checked version, locale and extension.
  return ok(part, `PostgreSQL ${version}, ${where}, locale ${locale}, pg_trgm ${grams}`)
}

interface Setting {
  readonly name: string
  readonly isWell: (value: number | string) => boolean
  readonly state: 'note' | 'wrong'
  readonly says: string
}

/** Settings that risk data loss or slow everything down. Sizes are in bytes. */
const SETTINGS: readonly Setting[] = [
  {
    name: 'fsync',
    isWell: (value) => value === 'on',
    state: 'wrong',
    says: 'fsync is off: a power cut may lose the whole database. Set fsync = on.',
  },
  {
    name: 'full_page_writes',
    isWell: (value) => value === 'on',
    state: 'wrong',
    says: 'full_page_writes is off: a power cut may break pages. Set full_page_writes = on.',
  },
  {
    name: 'synchronous_commit',
    isWell: (value) => value !== 'off',
    state: 'wrong',
    says: 'synchronous_commit is off: what was answered with success may be lost. Set synchronous_commit = on.',
  },
  {
    name: 'autovacuum',
    isWell: (value) => value === 'on',
    state: 'wrong',
    says: 'autovacuum is off: tables grow without end and plans get worse. Set autovacuum = on.',
  },
  {
    name: 'shared_buffers',
    isWell: (value) => Number(value) >= 128 * MB,
    state: 'note',
    says: 'shared_buffers is below 128 MB: reads go to the disk too often. Set it to a quarter of the memory.',
  },
  {
    name: 'work_mem',
    isWell: (value) => Number(value) >= 4 * MB,
    state: 'note',
    says: 'work_mem is below 4 MB: sorts go to the disk. Set work_mem = 4MB or more.',
  },
  {
    name: 'max_wal_size',
    isWell: (value) => Number(value) >= 512 * MB,
    state: 'note',
    says: 'max_wal_size is below 512 MB: checkpoints come too often while much is written. Set max_wal_size = 1GB.',
  },
  {
    name: 'max_connections',
    isWell: (value) => Number(value) >= LEAST_CONNECTIONS,
    state: 'note',
    says: `max_connections is below ${LEAST_CONNECTIONS}, and each process needs up to 17. Raise it, or put PgBouncer before it.`,
  },
]

async function examineSettings(db: Db): Promise<Finding[]> {
  const { rows } = await sql<{ name: string; value: string }>`
    select name, case when unit in ('B', 'kB', '8kB', 'MB', 'GB') then pg_size_bytes(current_setting(name))::text
      else setting end as value
    from pg_settings where name = any(${SETTINGS.map(({ name }) => name)}::text[])`.execute(db)
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  const found = SETTINGS.filter(({ name, isWell }) => !isWell(values.get(name) ?? ''))
  if (found.length === 0) return [ok('settings', 'nothing that loses data or makes all slow')]
  return found.map(({ state, says }) => ({ part: 'settings', state, says }))
}

/**
 * An interrupted `create index concurrently` leaves an invalid index, which every write maintains and no query
 * uses.
 */
async function examineIndexes(db: Db): Promise<Finding | null> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where not i.indisvalid and c.relnamespace = 'public'::regnamespace order by 1`.execute(db)
  if (rows.length === 0) return null
  const names = rows.map(({ name }) => name).join(', ')
  return wrong('indexes', `Not valid: ${names}. Make them again: reindex index concurrently NAME`)
}

async function examineMigrations(
  client: Parameters<typeof findMissingMigrations>[0],
  isNewerAccepted: boolean,
): Promise<Finding> {
  try {
    const missing = await findMissingMigrations(client, isNewerAccepted)
    return missing.length === 0
      ? ok('migrations', 'the database is at this version')
      : note(
          'migrations',
          `the database lacks ${missing.length} (${missing[0]} is the first): the next start applies them, or npm run admin -- migrate.`,
        )
  } catch (error) {
    return wrong('migrations', reasonOf(error))
  }
}

async function examineClock(db: Db): Promise<Finding> {
  const asked = Date.now()
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const offset = (rows[0]?.now.getTime() ?? asked) - (asked + Date.now()) / 2
  if (Math.abs(offset) <= CLOCK_MS) return ok('clock', 'agrees with that of the database')
  const way = offset > 0 ? 'behind' : 'ahead of'
  return wrong(
    'clock',
    `This machine's clock is ${Math.round(Math.abs(offset) / 1000)} seconds ${way} that of the database. Set both by NTP.`,
  )
}

async function examineReplica({ replica, direct }: Database): Promise<Finding> {
  const part = 'DATABASE_REPLICA_URL'
  if (replica === null) return ok(part, 'none')
  try {
    const says = await checkReplica(replica, direct)
    return says === null ? ok(part, 'follows, and is read from') : wrong(part, says)
  } catch (error) {
    return wrong(part, reasonOf(error))
  }
}

async function examineAudit(db: Db): Promise<Finding> {
  const { last } = await findRuns(db)
  if (last === null || last.finished === null)
    return note('audit', 'none has ended yet: npm run audit proves the database now.')
  const when = last.finished.slice(0, 16).replace('T', ' ')
  const [{ what } = { what: '' }] = last.findings
  if (last.findings.length > 0)
    return wrong(
      'audit',
      `Of ${when} UTC: ${what} (${last.findings.length} rules are broken.) See npm run audit.`,
    )
  if (last.unproved.length > 0)
    return note('audit', `of ${when} UTC: not everything could be proved. See npm run audit.`)
  return Date.now() - Date.parse(last.finished) > AUDIT_AGE_MS
    ? note(
        'audit',
        `all was well, but the last one was at ${when} UTC: look whether a process works on the jobs.`,
      )
    : ok('audit', `all was well at ${when} UTC`)
}
