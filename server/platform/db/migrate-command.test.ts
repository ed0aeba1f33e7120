/** Tests `npm run admin -- migrate`, which operators run before the first node of a new version starts. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'

const run = promisify(execFile)

const server = inject('database')
const database = `test_${randomUUID().replaceAll('-', '')}`
const admin = new pg.Client({ ...server, database: 'postgres' })
await admin.connect()
await admin.query(`create database ${database}`)
await admin.end()
const url = `postgres://${server.user}@${encodeURIComponent(server.host)}:${server.port}/${database}`
const client = new pg.Client({ ...server, database })
await client.connect()
afterAll(() => client.end())

async function command(more: Readonly<Record<string, string>> = {}) {
  const environment = {
    ...process.env,
    DATABASE_URL: url,
    AUTH_SECRETS: 'x'.repeat(32),
    ...more,
  }
  return run(process.execPath, ['scripts/admin.ts', 'migrate'], { env: environment })
    .then((output) => ({ ...output, code: 0 }))
    .catch(({ stdout, stderr, code }: { stdout: string; stderr: string; code: number }) => ({
      stdout,
      stderr,
      code,
    }))
}

async function valueOf(sql: string): Promise<unknown> {
  const { rows } = await client.query<{ value: unknown }>(`select (${sql}) as value`)
  return rows[0]?.value
}

test('an empty database gets all tables and the queue, a second call changes nothing, and a newer one is left alone', async () => {
  const files = await readdir(join(import.meta.dirname, 'migrations'))
  const all = files.filter((name) => name.endsWith('.sql')).length
  expect(await command()).toEqual({
    stdout: `The database is at this version: ${all} new migrations.\n`,
    stderr: '',
    code: 0,
  })
  expect(await valueOf(`select count(*)::int from migrations`)).toBe(all)
  for (const table of ['lessons', 'graphile_worker._private_jobs'])
    expect(await valueOf(`select to_regclass('${table}') is not null`)).toBe(true)
  expect((await command()).stdout).toBe('The database is at this version: 0 new migrations.\n')
  await client.query(
    `insert into migrations (name, sha256) values ('9999_of_tomorrow.sql', 'tomorrow')`,
  )
  expect(await command()).toEqual({
    stdout: '',
    stderr:
      'The database has migrations that this version does not know (9999_of_tomorrow.sql). Start the version that made them, or restore a backup. Nothing was changed.\n',
    code: 1,
  })
  // For going back one version.
  expect((await command({ NEWER_SCHEMA: 'accepted' })).stdout).toBe(
    'The database is at this version: 0 new migrations.\n',
  )
})
