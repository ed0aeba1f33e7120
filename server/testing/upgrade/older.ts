/** Installations as an older version left them, for tests of what a newer one does to them. */
import type { ClientConfig } from 'pg'
import { listMigrations, migrate } from '#server/db/migrate.ts'
import { openPool } from '#server/db/pool.ts'
import { createLog } from '#server/kernel/log.ts'

/** Of the first migrations, those that an older version had. */
export const OLDER = 24

/** Brings an empty database to where an older version had it, with one person; answers the migrations it lacks. */
export async function makeOlder(connection: ClientConfig): Promise<string[]> {
  const all = await listMigrations()
  const pool = openPool(connection, createLog('silent'), { work: 'migrations', size: 1 })
  try {
    await migrate(pool, undefined, { only: all.slice(0, OLDER) })
    await pool.query(
      `insert into users (id, username, username_skeleton, username_folded, email, email_folded, password_hash)
       values ('01970000-0000-7000-8000-000000000001', 'ann', 'ann', 'ann', 'ann@bazaar.example',
         'ann@bazaar.example', 'none')`,
    )
  } finally {
    await pool.end()
  }
  return all.slice(OLDER)
}
