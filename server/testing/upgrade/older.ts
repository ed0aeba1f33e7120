/** Installations of an older version, for tests of upgrades. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { SUPERUSER, serverEnvironment } from '#server/platform/db/embedded/cluster.ts'
import { preparePackage, type PostgresPackage } from '#server/platform/db/embedded/package.ts'
import { chooseRunner, chownTo, mayRun, pathFor } from '#server/platform/db/embedded/runner.ts'
import { listMigrations, migrate } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { createLog } from '#server/kernel/log.ts'

/** Number of migrations in the older version. */
export const OLDER = 7

/** Creates an empty cluster of an older PostgreSQL in `dataDir`, as older versions of the product did. */
export function makeOlderCluster(older: PostgresPackage, dataDir: string): void {
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o755)
  const cluster = join(dataDir, 'postgres')
  mkdirSync(cluster, { mode: 0o700 })
  const runner = chooseRunner(dataDir, undefined)
  chownTo(runner, cluster)
  const { name, cwd } = pathFor(runner, cluster)
  const home = preparePackage(older, dataDir, (path) => mayRun(runner, path))
  const [command, ...words] = [
    ...runner.prefix,
    join(home, 'bin', 'initdb'),
    `--pgdata=${name}`,
    `--username=${SUPERUSER}`,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ]
  execFileSync(command, words, { ...runner.ids, cwd, env: serverEnvironment(), stdio: 'pipe' })
}

/** Migrates an empty database to the older version and adds a person. Returns the missing migrations. */
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
