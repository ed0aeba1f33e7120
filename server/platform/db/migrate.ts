/**
 * Forward-only migrations: plain SQL files in the order of their names, under an advisory lock, each in a
 * transaction unless the file opts out. CONTRIBUTING.md says what a file may do on a busy database.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { LOCK_SPACES } from '#server/platform/db/locks.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
const ASK_AGAIN_MS = 50
/** Number of silent tries while nodes that start together wait for each other. */
const ASKED_TO_SAY = 40
/**
 * First line of a migration that can't run in a transaction (a concurrent index, a change in batches). Its
 * statements run one by one; if it is interrupted, all of them run again at the next start.
 */
export const OUTSIDE = '-- outside a transaction'
/** A line above a statement that changes a bounded number of rows: it runs until it changes none. */
export const IN_BATCHES = '-- in batches'
/** SQLSTATE of a wait that `lock_timeout` ended; such a migration is retried this often, with a pause in ms. */
const LOCK_NOT_AVAILABLE = '55P03'
const TRIES = 30
const TRY_AGAIN_MS = 1000

/** Thrown when another version of the code has made the database; the message says what to do. */
export class SchemaError extends Error {}

interface Migration {
  readonly name: string
  readonly text: string
  readonly sha256: string
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  return Promise.all(
    files.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

export interface MigrateOptions {
  /** Applies only these, so that an older backup finds the tables it was made from. */
  readonly only?: readonly string[]
  /**
   * Called with the missing migrations of a database that has had migrations before, while other processes wait to
   * migrate; if it throws, nothing is applied.
   */
  readonly before?: (missing: readonly string[]) => Promise<void>
  /** Accepts a database that the next version has migrated, on whose schema this one works too. */
  readonly isNewerAccepted?: boolean
  /** Called with the reason when the migration must wait. */
  readonly say?: (reason: string) => void
}

/** Returns the migrations of this version in order. */
export async function listMigrations(): Promise<string[]> {
  return (await readMigrations(FOLDER)).map(({ name }) => name)
}

/**
 * Applies the missing migrations and returns their names. Nodes that start together take turns.
 * @throws SchemaError, errors of `before` and of PostgreSQL
 */
export async function migrate(
  pool: pg.Pool,
  folder: string = FOLDER,
  { only, before, isNewerAccepted = false, say = () => undefined }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = (await readMigrations(folder)).filter(
    ({ name }) => only === undefined || only.includes(name),
  )
  const client = await pool.connect()
  try {
    // Polls, because a statement that waits for the lock would hold a snapshot for which a concurrent index build
    // waits.
    for (let asked = 1; !(await tryLock(client)); asked += 1) {
      if (asked === ASKED_TO_SAY) say('another process migrates it')
      await setTimeout(ASK_AGAIN_MS)
    }
    await client.query(
      'create table if not exists migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    )
    const missing = await findMissing(client, migrations, isNewerAccepted)
    if (missing.length > 0 && missing.length < migrations.length)
      await before?.(missing.map(({ name }) => name))
    for (const migration of missing) await apply(client, migration, say)
    return missing.map((migration) => migration.name)
  } finally {
    await client
      .query('select pg_advisory_unlock($1)', [LOCK_SPACES.migrations])
      .catch(() => undefined)
    client.release()
  }
}

/**
 * Returns the migrations that a database lacks, or all of them if it is empty. Changes nothing.
 * @throws SchemaError, errors of PostgreSQL
 */
export async function findMissingMigrations(
  client: Pick<pg.ClientBase, 'query'>,
  isNewerAccepted = false,
): Promise<string[]> {
  const migrations = await readMigrations(FOLDER)
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('migrations') is not null as there`,
  )
  const missing =
    rows[0]?.there === true ? await findMissing(client, migrations, isNewerAccepted) : migrations
  return missing.map(({ name }) => name)
}

/** @throws SchemaError */
async function findMissing(
  client: Pick<pg.ClientBase, 'query'>,
  migrations: readonly Migration[],
  isNewerAccepted = false,
): Promise<Migration[]> {
  const { rows } = await client.query<Applied>('select name, sha256 from migrations order by name')
  const known = new Set(migrations.map(({ name }) => name))
  const compared = isNewerAccepted ? rows.filter(({ name }) => known.has(name)) : rows
  const why = findDifference(compared, migrations)
  if (why !== null) throw new SchemaError(`${why} Nothing was changed.`)
  const applied = new Set(rows.map((row) => row.name))
  return migrations.filter((migration) => !applied.has(migration.name))
}

type Applied = Pick<Migration, 'name' | 'sha256'>

/** Returns why this version can't use a database with these migrations, or null if it can. */
function findDifference(
  applied: readonly Applied[],
  migrations: readonly Migration[],
): string | null {
  const known = new Map(migrations.map(({ name, sha256 }) => [name, sha256]))
  if (applied.length > 0 && !applied.some(({ name }) => name === migrations[0]?.name))
    return "The database was made by a version before the first release, and can't be upgraded. Use an empty DATA_DIR, or an empty database in DATABASE_URL."
  const newer = applied.find(({ name }) => !known.has(name))
  if (newer !== undefined)
    return `The database has migrations that this version does not know (${newer.name}). Start the version that made them, or restore a backup.`
  const changed = applied.find(({ name, sha256 }) => known.get(name) !== sha256)
  if (changed !== undefined)
    return `The database was made with another text of ${changed.name} than this version has. Start the version that made it, or restore a backup into an empty database.`
  return null
}

async function tryLock(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1) as locked',
    [LOCK_SPACES.migrations],
  )
  return rows[0]?.locked === true
}

async function apply(
  client: pg.PoolClient,
  { name, text, sha256 }: Migration,
  say: (reason: string) => void,
): Promise<void> {
  const record = () =>
    client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256])
  if (text.startsWith(OUTSIDE)) {
    for (const statement of text.split(/;\s*$/m)) await runOutside(client, statement)
    await record()
    return
  }
  for (let tried = 1; ; tried += 1) {
    try {
      await client.query('begin')
      await client.query(text)
      await record()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      // While it waits for a lock, later statements queue behind it. So it gives up soon, lets them pass, and
      // tries again.
      const isBusy = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE
      if (!isBusy || tried === TRIES) throw error
      if (tried === 1) say(`another program holds a lock on a table that ${name} changes`)
      await setTimeout(TRY_AGAIN_MS)
    }
  }
}

async function runOutside(client: pg.PoolClient, statement: string): Promise<void> {
  const inBatches = statement.split('\n').includes(IN_BATCHES)
  let changed = 0
  do {
    changed = (await client.query(statement)).rowCount ?? 0
  } while (inBatches && changed > 0)
}
