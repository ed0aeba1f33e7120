/**
 * Brings a database to this version, as every start does: first the backup of what is there, then the migrations. The
 * backup is made under the lock of the migrations, so that of nodes that start together one makes it.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '#server/db/migrate.ts'
import { openPool } from '#server/db/pool.ts'
import type { Database } from '#server/db/settings.ts'
import { migrateQueue } from '#server/jobs/queue.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import { repairFutureTimes } from '#server/upgrade/future-times.ts'

/** Below DATA_DIR. */
export const FOLDER = join('backups', 'before-migration')
/**
 * Names the archive of the first try of an upgrade, until it succeeds: a start that fails again and again would else
 * remove the only archive of how all was before.
 */
export const FIRST = 'first-of-this-upgrade'

export interface Upgrading {
  readonly config: Config
  readonly database: Pick<Database, 'direct' | 'embedded'>
  readonly log: Log
  /** A line for who started the process. */
  readonly say: (line: string) => void
}

/**
 * Makes the backup that BACKUP_BEFORE_MIGRATION asks for, where there is anything to migrate, and migrates; answers the
 * names of the migrations.
 * @throws BackupError when that backup fails: then nothing was migrated; NewerSchemaError, and what PostgreSQL throws
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
  const { backUp } = await import('#server/upgrade/first-backup.ts')
  await backUp(upgrading, count)
}
