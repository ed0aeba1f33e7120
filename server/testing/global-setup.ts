import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '#server/platform/db/embedded/embedded.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { migrateQueue } from '#server/platform/jobs/queue.ts'
import { createLog } from '#server/kernel/log.ts'

export interface TestDatabase {
  host: string
  port: number
  user: string
}
declare module 'vitest' {
  interface ProvidedContext {
    database: TestDatabase
  }
}

export const TEMPLATE = 'bazaar_template'

/**
 * Starts one PostgreSQL without fsync for the whole run, with a migrated template that each test file copies.
 * Returns the function that stops it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kb-test-'))
  const server = await startEmbedded({ dataDir, fsync: false })
  const { host, port, user } = server.connection
  const admin = new pg.Client(server.connection)
  await admin.connect()
  // Vacuuming hundreds of databases that live for seconds costs more than it saves.
  await admin.query('alter system set autovacuum = off')
  await admin.query('select pg_reload_conf()')
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  const log = createLog('silent')
  const template = { ...server.connection, database: TEMPLATE }
  const pool = openPool(template, log, { work: 'migrations', size: 1 })
  await migrate(pool)
  await migrateQueue(pool, log)
  await pool.end()
  project.provide('database', { host, port, user })
  return async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
