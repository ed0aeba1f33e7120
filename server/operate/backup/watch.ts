/** Tells whether backups are made: for `/readyz`, the doctor and the metrics. */
import { sql } from 'kysely'
import { DAY_MS, OLDEST_MS } from '#server/operate/audit/watch.ts'
import type { Config } from '#server/kernel/config.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'

export interface BackupState {
  /** False without BACKUP_URL, unless backups are made elsewhere. */
  readonly isConfigured: boolean
  /** The error of the last daily backup, or null if it was made. */
  readonly error: string | null
  /** In ms, of the last backup that was made; null for none. */
  readonly ageMs: number | null
  /** In ms, since the first backup that is remembered was begun; null for none. */
  readonly triedMs: number | null
}

/** Reads a few rows of one small table. Returns null where backups are made elsewhere. */
export async function findBackupState(
  db: DbOrTx,
  { BACKUP_URL, BACKUPS }: Pick<Config, 'BACKUP_URL' | 'BACKUPS'>,
  now: Date,
): Promise<BackupState | null> {
  if (BACKUP_URL === undefined && BACKUPS === 'elsewhere') return null
  const { rows } = await sql<{ error: string | null; made: Date | null; first: Date | null }>`
    select min(began_at) as first, max(began_at) filter (where bytes is not null) as made,
      (select error from backup_runs where daily and ended_at is not null order by began_at desc limit 1) as error
    from backup_runs`.execute(db)
  const since = (at: Date | null | undefined) => (at ? now.getTime() - at.getTime() : null)
  const isConfigured = BACKUP_URL !== undefined
  return {
    isConfigured,
    error: isConfigured ? (rows[0]?.error ?? null) : null,
    ageMs: since(rows[0]?.made),
    triedMs: since(rows[0]?.first),
  }
}

/** Returns what is wrong with the backups, or null. Contains no address and no error, because anybody may read it. */
export function backupTrouble(state: BackupState | null): string | null {
  if (state === null) return null
  const { isConfigured, error, ageMs, triedMs } = state
  if (error !== null) return "the last daily backup failed: the desk's tab Backups shows why"
  if (ageMs !== null && ageMs > OLDEST_MS)
    return `the last backup is ${Math.floor(ageMs / DAY_MS)} days old: ${isConfigured ? "see the desk's tabs Backups and Jobs" : 'set BACKUP_URL'}`
  if (ageMs !== null) return null
  if (!isConfigured)
    return 'no backups are made: set BACKUP_URL, or BACKUPS=elsewhere if you make them by other means'
  return triedMs !== null && triedMs > OLDEST_MS
    ? "no backup was ever completed: see the desk's tabs Backups and Jobs"
    : null
}
