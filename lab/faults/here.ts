/** The product inside the test run, where an error that nobody listens for fails the run. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPool } from '#server/db/pool.ts'
import { migrateQueue } from '#server/jobs/queue.ts'
import { createLog } from '#server/kernel/log.ts'
import { createTestApp } from '#server/testing/app.ts'
import { removeDataDir } from '#server/testing/product.ts'
import type { Subject } from './database.ts'

const log = createLog('silent')

/** Serves and works, on an embedded database of its own or on that of DATABASE_URL. */
export async function startHere({
  DATABASE_URL: url,
  ...environment
}: Readonly<Record<string, string>> = {}): Promise<Subject> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kb-here-'))
  const embedded = url === undefined ? await startEmbedded({ dataDir }) : null
  const connection: ClientConfig = embedded?.connection ?? { connectionString: url }
  const pool = openPool(connection, log, { work: 'migrations', size: 1 })
  await migrate(pool)
  await migrateQueue(pool, log)
  await pool.end()
  const settings = { JOBS: 'here', DAILY_REWARD_LIMIT: '10000', ...environment }
  const app = await createTestApp(settings, null, { connection })
  return {
    url: app.url,
    dataDir,
    hasEnded: () => false,
    stop: async () => {
      await app.close()
      await embedded?.stop()
      await removeDataDir(dataDir)
    },
  }
}
