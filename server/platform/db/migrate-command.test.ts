/** Tests `npm run admin -- migrate`, which operators run before the first node of a new version starts. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { migrate } from '#server/platform/db/migrate.ts'

const run = promisify(execFile)
const FOLDER = join(import.meta.dirname, 'migrations')

let url: string
let client: pg.Client
beforeEach(async () => {
  const server = inject('database')
  const database = `test_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ ...server, database: 'postgres' })
  await admin.connect()
  await admin.query(`create database ${database}`)
  await admin.end()
  const host = encodeURIComponent(String(server.host))
  url = `postgres://${server.user}@${host}:${server.port}/${database}`
  client = new pg.Client({ ...server, database })
  await client.connect()
})
afterEach(() => client.end())

async function command() {
  const environment = { ...process.env, DATABASE_URL: url, AUTH_SECRETS: 'x'.repeat(32) }
  return run(process.execPath, ['scripts/admin.ts', 'migrate'], { env: environment })
    .then(({ stdout, stderr }) => ({ stdout, stderr, code: 0 }))
    .catch((error: { stdout: string; stderr: string; code: number }) => ({
      stdout: error.stdout,
      stderr: error.stderr,
      code: error.code,
    }))
}

async function valueOf(sql: string): Promise<unknown> {
  const { rows } = await client.query<{ value: unknown }>(`select (${sql}) as value`)
  return rows[0]?.value
}

async function migrateTo(only: readonly string[]): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  await migrate(pool, undefined, { only }).finally(() => pool.end())
}

const files = async () => (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted()

test('an empty database gets all tables and the queue, and a second call changes nothing', async () => {
  const all = await files()
  expect(await command()).toEqual({
    stdout: `The database is at this version: ${all.length} new migrations.\n`,
    stderr: '',
    code: 0,
  })
  expect(await valueOf(`select count(*)::int from migrations`)).toBe(all.length)
  expect(await valueOf(`select to_regclass('lessons') is not null`)).toBe(true)
  expect(await valueOf(`select to_regclass('graphile_worker._private_jobs') is not null`)).toBe(
    true,
  )
  const again = await command()
  expect(again.stdout).toBe('The database is at this version: 0 new migrations.\n')
})

test('a database of an older version is migrated and keeps its data', async () => {
  const all = await files()
  const older = all.slice(0, -2)
  await migrateTo(older)
  await client.query(
    `insert into nodes (node, role, url, version, public_url, signing_marks)
     values ('then', 'serves', 'http://localhost:3000', '0', 'http://localhost:3000', '{}')`,
  )
  const { stdout, code } = await command()
  expect([stdout, code]).toEqual(['The database is at this version: 2 new migrations.\n', 0])
  expect(await valueOf(`select count(*)::int from nodes where node = 'then'`)).toBe(1)
  expect(await valueOf(`select count(*)::int from migrations`)).toBe(all.length)
})

test('a database of a newer version is left alone, with advice', async () => {
  await migrateTo(await files())
  await client.query(
    `insert into migrations (name, sha256) values ('9999_of_tomorrow.sql', 'tomorrow')`,
  )
  const { stdout, stderr, code } = await command()
  expect([stdout, code]).toEqual(['', 1])
  expect(stderr).toBe(
    'The database has migrations that this version does not know (9999_of_tomorrow.sql). Start the version that made them, or restore a backup. Nothing was changed.\n',
  )
})
