import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ClientConfig } from 'pg'
import { expect, test } from 'vitest'
import { addressOf } from '#server/testing/backup/commands.ts'
import { createTestApp } from '#server/testing/app.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { copyDatabase, liveThrough, spoil } from '#server/testing/lived-in.ts'
import { makeTestFolder } from '#server/testing/folder.ts'

const run = promisify(execFile)
const dataDir = await makeTestFolder()
const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
await liveThrough(app)
await cp(join(app.dataDir, 'files'), join(dataDir, 'files'), { recursive: true })
const original = app.connection
await app.close()

const audit = (connection: ClientConfig, ...words: readonly string[]) =>
  auditWith({}, connection, ...words)

async function auditWith(
  settings: Readonly<Record<string, string>>,
  connection: ClientConfig,
  ...words: readonly string[]
) {
  const env = {
    ...settings,
    PATH: process.env['PATH'] ?? '',
    AUTH_SECRETS: 'x'.repeat(32),
    DATA_DIR: dataDir,
    DATABASE_URL: addressOf(connection),
  }
  return run(process.execPath, ['scripts/audit.ts', ...words], { env }).then(
    (output) => ({ code: 0, ...output }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

test('an unknown option ends with a message', async () => {
  const { code, stderr } = await audit(original, '--mend')
  expect(code).toBe(1)
  expect(stderr).toContain('npm run audit -- --repair')
})

test('a database with an older schema is not audited', async () => {
  const empty = await createTestDatabase()
  await spoil(empty, 'drop schema public cascade; create schema public')
  const { code, stderr } = await audit(empty)
  expect(code).toBe(1)
  expect(stderr).toMatch(/The database is older than this version: it lacks \d+ migrations\./)
})

test('a database that the next version has migrated is audited only with NEWER_SCHEMA=accepted', async () => {
  const newer = await copyDatabase(original)
  await spoil(newer, "insert into migrations (name, sha256) values ('9999_of_tomorrow.sql', 'x')")
  expect((await audit(newer)).stderr).toContain('9999_of_tomorrow.sql')
  expect(await auditWith({ NEWER_SCHEMA: 'accepted' }, newer)).toMatchObject({
    code: 0,
    stderr: '',
  })
})

test('a correct database ends with 0 and a message', async () => {
  const { code, stdout, stderr } = await audit(await copyDatabase(original))
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^✓ All is well \(\d+ statements, [\d.]+ s\)\.\n$/)
})

test('findings contain ids, and the exit code is 1; the repair only corrects counts', async () => {
  const database = await copyDatabase(original)
  await spoil(
    database,
    'update point_balances set net = net + 1; update lessons set likes = likes + 1 where id in (1, 2)',
  )
  const { code, stdout } = await audit(database)
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /✗ A balance, .* is not the sum of its entries\.\n {4}balanceNotSum: (?:person [0-9a-f-]{36}(?:; )?){4}\n/,
  )
  expect(stdout).toContain('\n    lessonNumbers: lesson 1; lesson 2\n')
  expect(stdout).toMatch(/\nNot all is well \(\d+ statements, [\d.]+ s\)\.\n$/)

  const repaired = await audit(database, '--repair')
  expect(repaired.code).toBe(1)
  expect(repaired.stdout).toContain(
    'Counted again: 2 lessons, 0 courses, 0 conversations and 0 people had a wrong number.',
  )
  expect(repaired.stdout).toContain('balanceNotSum')
  expect(repaired.stdout).not.toContain('lessonNumbers')
})
