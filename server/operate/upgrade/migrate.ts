/**
 * Migrates a database to this version at every start, after a backup. The backup is made under the migration lock,
 * so that of nodes which start together one makes it.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import type { Database } from '#server/platform/db/settings.ts'
import { migrateQueue } from '#server/platform/jobs/queue.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import { repairFutureTimes } from '#server/operate/upgrade/future-times.ts'

/** Below DATA_DIR. */
export const FOLDER = join('backups', 'before-migration')
/**
 * Names the archive of the first attempt of an upgrade until it succeeds: otherwise repeated failing starts would
 * remove the only archive of the original state.
 */
export const FIRST = 'first-of-this-upgrade'

export interface Upgrading {
  readonly config: Config
  readonly database: Pick<Database, 'direct' | 'embedded'>
  readonly log: Log
  /** Prints a line for the operator. */
  readonly say: (line: string) => void
}

/**
 * If there is anything to migrate, makes the backup that BACKUP_BEFORE_MIGRATION asks for, and migrates. Returns
 * the names of the migrations.
 * @throws BackupError when that backup fails, before any migration; SchemaError, and errors of PostgreSQL
 */
export async function migrateDatabase(upgrading: Upgrading): Promise<string[]> {
  const { config, database, log, say } = upgrading
  const isWanted =
    config.BACKUP_BEFORE_MIGRATION === undefined
      ? database.embedded
      : config.BACKUP_BEFORE_MIGRATION === '1'
  const pool = openPool(database.direct, log, { work: 'migrations', size: 1 })
  try {
    const applied = await migrate(pool, undefined, {
      ...(isWanted && { before: (missing) => backUpFirst(upgrading, missing.length) }),
      isNewerAccepted: config.NEWER_SCHEMA === 'accepted',
      say: (reason) => say(`Waiting for the database: ${reason}.`),
    })
    await migrateQueue(pool, log)
    await repairFutureTimes(pool, log)
    if (applied.length > 0) await rm(join(config.DATA_DIR, FOLDER, FIRST), { force: true })
    return applied
  } finally {
    await pool.end()
  }
}

async function backUpFirst(upgrading: Upgrading, count: number): Promise<void> {
  const { backUp } = await import('#server/operate/upgrade/first-backup.ts')
  await backUp(upgrading, count)
}
