import { randomUUID } from 'node:crypto'
import pg, { type ClientConfig } from 'pg'
import { inject } from 'vitest'
import { connect, type Connection } from '#server/platform/db/connect.ts'
import { createLog } from '#server/kernel/log.ts'
import { TEMPLATE } from '#server/testing/global-setup.ts'

/** Copies the migrated template. The database is removed with the server at the end of the run. */
export async function createTestDatabase(): Promise<ClientConfig> {
  const server = inject('database')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ ...server, database: 'postgres' })
  await admin.connect()
  // The default strategy logs each block, which takes two to four times as much CPU time.
  await admin.query(`create database ${name} template ${TEMPLATE} strategy file_copy`)
  await admin.end()
  return { ...server, database: name }
}

/** Connects to a new database, for tests below HTTP. Close it after use. */
export async function connectTestDatabase(): Promise<Connection> {
  return connect(await createTestDatabase(), createLog('silent'))
}
