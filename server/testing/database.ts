/** A fresh database for one test file: a copy of the migrated template. */
import { randomUUID } from 'node:crypto'
import pg, { type ClientConfig } from 'pg'
import { inject } from 'vitest'
import { connect, type Connection } from '#server/db/connect.ts'
import { createLog } from '#server/kernel/log.ts'
import { TEMPLATE } from '#server/testing/global-setup.ts'

/** Settings of a new database; it goes with the server at the end of the run. */
export async function createTestDatabase(): Promise<ClientConfig> {
  const server = inject('database')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ ...server, database: 'postgres' })
  await admin.connect()
  // The default strategy writes each block into the log, for two to four times as much processor time.
  await admin.query(`create database ${name} template ${TEMPLATE} strategy file_copy`)
  await admin.end()
  return { ...server, database: name }
}

/** A connection to a new database, for tests below HTTP. Close it after use. */
export async function connectTestDatabase(): Promise<Connection> {
  return connect(await createTestDatabase(), createLog('silent'))
}
