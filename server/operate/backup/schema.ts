/** Prepares the database for a restore: empty, unused, and with the tables that the backup had. */
import type pg from 'pg'
import type { ClientConfig } from 'pg'
import { BackupError } from '#server/operate/backup/archive/format.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { migrateQueue } from '#server/platform/jobs/queue.ts'
import type { Log } from '#server/kernel/log.ts'

/** Our tables in this schema, without those of extensions. */
const OWN_TABLES = `select c.relname::text as name from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e') order by 1`

const OWN_FUNCTIONS = `select p.oid::regprocedure::text as signature from pg_proc p
  where p.pronamespace = current_schema()::regnamespace and p.prokind = 'f'
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`

/**
 * Checks that a backup may be restored here. Changes nothing.
 * @throws BackupError when the database has content, a server runs on it, or it isn't ours
 */
export async function refuseUsed(client: pg.Client): Promise<void> {
  const names = await listOwnTables(client)
  if (names.length > 0 && !names.includes('migrations'))
    throw new BackupError(
      `The database is not empty: it has a table ${names[0]} that is none of ours. Name an empty database. Nothing was changed.`,
    )
  if (names.includes('users')) {
    const { rows } = await client.query('select from users limit 1')
    if (rows.length > 0)
      throw new BackupError(
        'There are people in this installation already. Restore into an empty one: another DATA_DIR, or an empty database in DATABASE_URL. Nothing was changed.',
      )
  }
  if (names.includes('nodes')) {
    const { rows } = await client.query<{ url: string }>(
      `select url from nodes where seen_at > now() - interval '15 seconds' limit 1`,
    )
    if (rows[0] !== undefined)
      throw new BackupError(
        `A server runs on this database (${rows[0].url}). Stop it first. Nothing was changed.`,
      )
  }
}

/** @throws BackupError in a database that was never migrated */
export async function refuseUnmigrated(client: pg.Client): Promise<void> {
  const names = await listOwnTables(client)
  if (!names.includes('migrations'))
    throw new BackupError(
      'There is no installation in this database: start the site on it first, or name the right one in DATABASE_URL. Nothing was written.',
    )
}

/**
 * Gives an empty database exactly the tables of these migrations, and the queue. Tables of other migrations are
 * empty and created again.
 */
export async function prepareSchema(
  client: pg.Client,
  { connection, log }: { readonly connection: ClientConfig; readonly log: Log },
  migrations: readonly string[],
): Promise<void> {
  const names = await listOwnTables(client)
  const applied = names.includes('migrations')
    ? (await client.query<{ name: string }>('select name from migrations')).rows
    : []
  const isExact =
    applied.length === migrations.length && applied.every(({ name }) => migrations.includes(name))
  if (!isExact && names.length > 0) await dropAll(client, names)
  const pool = openPool(connection, log, { work: 'migrations', size: 1 })
  try {
    await migrate(pool, undefined, { only: migrations })
    await migrateQueue(pool, log)
  } finally {
    await pool.end()
  }
}

/** Also drops functions, because migrations that create a function fail if it exists. One may use another. */
async function dropAll(client: pg.Client, tables: readonly string[]): Promise<void> {
  await client.query(`drop table ${tables.map((name) => `"${name}"`).join(', ')} cascade`)
  const { rows } = await client.query<{ signature: string }>(OWN_FUNCTIONS)
  for (const { signature } of rows)
    await client.query(`drop function if exists ${signature} cascade`)
}

/** Returns true when there is any table that doesn't belong to an extension. */
export async function hasTables(client: pg.Client): Promise<boolean> {
  return (await listOwnTables(client)).length > 0
}

async function listOwnTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(OWN_TABLES)
  return rows.map(({ name }) => name)
}
