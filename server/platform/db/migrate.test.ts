/** Tests how migrations are applied, on small files of its own. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { migrate, SchemaError } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { createLog } from '#server/kernel/log.ts'

let folder: string
const server = inject('database')
const database = `test_${randomUUID().replaceAll('-', '')}`
const admin = new pg.Client({ ...server, database: 'postgres' })
await admin.connect()
await admin.query(`create database ${database}`)
await admin.end()
const pool = openPool({ ...server, database }, createLog('silent'), { work: 'migrations', size: 4 })
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-migrations-'))
  await pool.query('drop schema public cascade; create schema public')
  await write('0001_things.sql', [
    'create table things (id integer primary key, done boolean)',
    'insert into things select id from generate_series(1, 2500) id',
  ])
  return () => rm(folder, { recursive: true, force: true })
})
afterAll(() => pool.end())

const write = (name: string, lines: readonly string[]) =>
  writeFile(join(folder, name), lines.map((line) => `${line};\n`).join(''))

async function valueOf(sql: string): Promise<unknown> {
  const { rows } = await pool.query<{ value: unknown }>(`select (${sql}) as value`)
  return rows[0]?.value
}

test('files are applied once and in order, and nodes that start together share the work', async () => {
  await write('0002_more.sql', ['alter table things add column more integer'])
  const applied = await Promise.all([migrate(pool, folder), migrate(pool, folder)])
  expect(applied.toSorted((one, other) => other.length - one.length)).toEqual([
    ['0001_things.sql', '0002_more.sql'],
    [],
  ])
})

test('a file that fails in its transaction leaves nothing behind', async () => {
  await write('0002_half.sql', ['alter table things add column half integer', 'select 1 / 0'])
  await expect(migrate(pool, folder)).rejects.toThrow('division by zero')
  expect(
    await valueOf(
      "select count(*)::int from information_schema.columns where column_name = 'half'",
    ),
  ).toBe(0)
  expect(await valueOf('select max(name) from migrations')).toBe('0001_things.sql')
})

test('a file outside a transaction builds an index concurrently, after dropping an invalid one', async () => {
  await migrate(pool, folder)
  // Leaves what an interrupted start leaves.
  await pool.query('create index things_done on things (done)')
  await pool.query(
    "update pg_index set indisvalid = false where indexrelid = 'things_done'::regclass",
  )
  await write('0002_index.sql', [
    '-- outside a transaction\ndrop index concurrently if exists things_done',
    'create index concurrently things_done on things (done)',
  ])
  expect(await migrate(pool, folder)).toEqual(['0002_index.sql'])
  expect(
    await valueOf("select indisvalid from pg_index where indexrelid = 'things_done'::regclass"),
  ).toBe(true)
})

test('statements marked so run in batches, each in its own transaction', async () => {
  await write('0002_fill.sql', [
    '-- outside a transaction\n-- in batches\nupdate things set done = true where id in (select id from things where done is null limit 1000)',
  ])
  await migrate(pool, folder)
  expect(await valueOf('select count(*)::int from things where done')).toBe(2500)
  expect(await valueOf('select count(distinct xmin::text)::int from things')).toBe(3)
})

test('a migration that gets no lock in time lets others pass, and retries', async () => {
  await migrate(pool, folder)
  await write('0002_column.sql', [
    "set local lock_timeout = '100ms'",
    'alter table things add column more integer',
  ])
  const reader = await pool.connect()
  await reader.query('begin')
  await reader.query('select from things limit 1')
  const migrating = migrate(pool, folder)
  await sleep(400)
  // Between two tries nobody waits behind it.
  await pool.query('update things set done = false where id = 1')
  await reader.query('commit')
  reader.release()
  expect(await migrating).toEqual(['0002_column.sql'])
})

describe('a database of another version is refused and not changed:', () => {
  const refusal = async () => {
    const error = await migrate(pool, folder).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SchemaError)
    return String(error)
  }
  beforeEach(async () => {
    await write('0002_more.sql', ['alter table things add column more integer'])
    await migrate(pool, folder)
    await write('0003_next.sql', ['alter table things add column next integer'])
    return async () => expect(await valueOf('select count(*)::int from migrations')).toBe(2)
  })

  test('one of a newer version', async () => {
    await rm(join(folder, '0002_more.sql'))
    expect(await refusal()).toMatch(/does not know \(0002_more\.sql\)\. Start the version/)
  })

  test('one whose migration had another text', async () => {
    await write('0001_things.sql', ['create table things (id bigint primary key)'])
    expect(await refusal()).toMatch(/another text of 0001_things\.sql .* Start the version/)
  })

  test('one of a version before the first release', async () => {
    await rename(join(folder, '0001_things.sql'), join(folder, '0001_first.sql'))
    expect(await refusal()).toMatch(/before the first release.*Use an empty DATA_DIR/)
  })
})
