/** The SQL of past backups; only this file writes their table. */
import { sql } from 'kysely'
import type { BackupRun } from '#contract/backup.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'
import { LOCK_SPACES } from '#server/platform/db/locks.ts'

/** Runs that are listed. */
const REMEMBERED = 100

/** Records the start of a backup and returns its id. */
export async function beginRun(
  db: DbOrTx,
  run: { readonly daily: boolean; readonly place: string; readonly name: string },
  now: Date,
): Promise<number> {
  const { id } = await db
    .insertInto('backup_runs')
    .values({ began_at: now, ...run })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    delete from backup_runs where id in (
      select id from backup_runs order by began_at desc offset ${sql.lit(REMEMBERED)}
    )`.execute(db)
  return id
}

/** Records the result of a backup: its size or its error. */
export async function endRun(
  db: DbOrTx,
  id: number,
  result: { readonly bytes: number } | { readonly error: string },
  now: Date,
): Promise<void> {
  await db
    .updateTable('backup_runs')
    .set({ ended_at: now, ...result })
    .where('id', '=', id)
    .execute()
}

/** If no backup is running, marks all unfinished runs as interrupted. */
export async function endLostRuns(db: DbOrTx, now: Date): Promise<void> {
  await sql`
    update backup_runs set ended_at = ${now}, error = 'its process ended in the middle'
    where ended_at is null and not ${isBeingMade}`.execute(db)
}

/** True when a session holds the lock of backups, which is a single 64-bit key. */
const isBeingMade = sql<boolean>`exists (
  select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${sql.lit(LOCK_SPACES.backups)}
    and objsubid = 1 and granted and database = (select oid from pg_database where datname = current_database())
)`

/** Lists the newest first. A run without an end is running, or its process ended in the middle. */
export async function listRuns(db: DbOrTx): Promise<BackupRun[]> {
  const { rows } = await sql<RunRow>`
    select * from backup_runs order by began_at desc, id desc limit ${sql.lit(REMEMBERED)}`.execute(
    db,
  )
  return rows.map(toRun)
}

/** What the administration shows and the daily job needs. */
export interface Runs {
  readonly underWay: BackupRun | null
  /** The last one that ended, successfully or not. */
  readonly last: BackupRun | null
  /** The last successful one. */
  readonly good: BackupRun | null
  /** When the daily job last started a backup, and last started a successful one. */
  readonly dailyTriedAt: Date | null
  readonly dailyMadeAt: Date | null
  readonly isBeingMade: boolean
}

export async function findRuns(db: DbOrTx): Promise<Runs> {
  const { rows } = await sql<RunRow & { what: 'underWay' | 'last' | 'good' }>`
    (select 'underWay' as what, * from backup_runs where ended_at is null and ${isBeingMade}
      order by began_at desc limit 1)
    union all (select 'last', * from backup_runs where ended_at is not null order by began_at desc limit 1)
    union all (select 'good', * from backup_runs where bytes is not null order by began_at desc limit 1)`.execute(
    db,
  )
  const { rows: daily } = await sql<{ tried: Date | null; made: Date | null; running: boolean }>`
    select max(began_at) as tried, max(began_at) filter (where bytes is not null) as made,
      ${isBeingMade} as running from backup_runs where daily`.execute(db)
  const found = (what: string) => {
    const row = rows.find((each) => each.what === what)
    return row === undefined ? null : toRun(row)
  }
  return {
    underWay: found('underWay'),
    last: found('last'),
    good: found('good'),
    dailyTriedAt: daily[0]?.tried ?? null,
    dailyMadeAt: daily[0]?.made ?? null,
    isBeingMade: daily[0]?.running ?? false,
  }
}

interface RunRow {
  readonly began_at: Date
  readonly ended_at: Date | null
  readonly daily: boolean
  readonly place: string
  readonly name: string
  readonly bytes: number | null
  readonly error: string | null
}

const toRun = ({ began_at, ended_at, daily, place, name, bytes, error }: RunRow): BackupRun => ({
  began: began_at.toISOString(),
  ended: ended_at?.toISOString() ?? null,
  daily,
  place,
  name,
  bytes,
  error,
})
