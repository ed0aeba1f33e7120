/** Forward-only migrations: plain SQL files in the order of their names, each in a transaction, under an advisory lock. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { LOCK_SPACES } from '#server/db/locks.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
const ASK_AGAIN_MS = 50
/**
 * First line of a migration that can't run in a transaction (an index built concurrently). Its statements run one
 * by one; should one be cut short, all of them run again.
 */
const OUTSIDE = '-- outside a transaction'

/** Thrown when the database was migrated by a newer version of the code. */
export class NewerSchemaError extends Error {}

interface Migration {
  name: string
  text: string
}

async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).toSorted()
  return Promise.all(
    files.map(async (name) => ({ name, text: await readFile(join(FOLDER, name), 'utf8') })),
  )
}

/** Applies what is missing; returns the names applied. @throws NewerSchemaError */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const migrations = await readMigrations()
  const client = await pool.connect()
  try {
    // Asked again and again: an index that is built concurrently would wait for whoever waits in a statement.
    while (!(await tryLock(client))) await setTimeout(ASK_AGAIN_MS)
    await client.query(
      'create table if not exists migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const applied = new Set(rows.map((row) => row.name))
    const known = new Set(migrations.map((migration) => migration.name))
    const newer = [...applied].filter((name) => !known.has(name)).toSorted()
    if (newer.length > 0) {
      throw new NewerSchemaError(
        `The database has migrations that this version does not know (${newer[0]}). Start the version that made them, or restore a backup. Nothing was changed.`,
      )
    }
    const missing = migrations.filter((migration) => !applied.has(migration.name))
    for (const migration of missing) await apply(client, migration)
    return missing.map((migration) => migration.name)
  } finally {
    await client
      .query('select pg_advisory_unlock($1)', [LOCK_SPACES.migrations])
      .catch(() => undefined)
    client.release()
  }
}

async function tryLock(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1) as locked',
    [LOCK_SPACES.migrations],
  )
  return rows[0]?.locked === true
}

async function apply(client: pg.PoolClient, { name, text }: Migration): Promise<void> {
  const sha256 = createHash('sha256').update(text).digest('hex')
  const record = () =>
    client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256])
  if (text.startsWith(OUTSIDE)) {
    for (const statement of text.split(/;\s*$/m)) await client.query(statement)
    await record()
    return
  }
  try {
    await client.query('begin')
    await client.query(text)
    await record()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
