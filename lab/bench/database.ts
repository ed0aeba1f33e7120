/** The database of a measurement: embedded and durable like the product's own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startNode } from '#lab/product.ts'
import { startEmbedded, type EmbeddedServer } from '#server/platform/db/embedded/embedded.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import type { Product } from '#server/testing/product.ts'

export interface BenchDatabase {
  /** Removed at the end, unless it was given. */
  readonly dataDir: string
  readonly connection: EmbeddedServer['connection']
  /** One connection for filling and measuring. */
  readonly client: pg.Client
  readonly version: string
  stop(): Promise<void>
}

/**
 * Starts a migrated database in a temporary folder, or the one in `folder`.
 * @throws when another process uses it
 */
export async function openBenchDatabase(folder?: string): Promise<BenchDatabase> {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'kb-bench-')))
  const server = await startEmbedded({ dataDir })
  if (!server.owned) throw new Error(`Another process uses ${dataDir}; wait for it.`)
  const pool = new pg.Pool({ ...server.connection, max: 1 })
  await migrate(pool)
  await pool.end()
  const client = new pg.Client(server.connection)
  await client.connect()
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  return {
    dataDir,
    connection: server.connection,
    client,
    version: rows[0]?.server_version ?? '',
    stop: async () => {
      await client.end()
      await server.stop()
      if (folder === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Starts the product on the database with its own files. */
export function startProductOn(
  { dataDir, connection }: BenchDatabase,
  environment: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const { user, host, database } = connection
  const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
  return startNode({ DATA_DIR: join(dataDir, 'product'), DATABASE_URL: url, ...environment })
}

/** Timeout for the jobs of a measurement in ms. */
const JOBS_MS = 60_000

/** Waits `settleMs` for jobs to start, and then until no due job is queued, at most a minute. */
export async function waitForJobs(
  { client }: Pick<BenchDatabase, 'client'>,
  settleMs = 0,
): Promise<void> {
  const end = performance.now() + JOBS_MS
  await sleep(settleMs)
  while (performance.now() < end) {
    const { rows } = await client.query<{ due: boolean }>(
      `select exists (
         select from graphile_worker._private_jobs where run_at <= now() and attempts < max_attempts
       ) as due`,
    )
    if (rows[0]?.due !== true) return
    await sleep(50)
  }
}
