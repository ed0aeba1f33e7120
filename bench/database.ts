/** The database of a measurement: embedded as the product's own, in a temporary folder, durable. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded, type EmbeddedServer } from '#server/db/embedded/embedded.ts'
import { migrate } from '#server/db/migrate.ts'

export interface BenchDatabase {
  /** Goes when it stops. */
  readonly dataDir: string
  readonly connection: EmbeddedServer['connection']
  /** One connection for filling and measuring. */
  readonly client: pg.Client
  readonly version: string
  stop(): Promise<void>
}

/** Starts an empty, migrated database in a temporary folder. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kb-bench-'))
  const server = await startEmbedded({ dataDir })
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
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
