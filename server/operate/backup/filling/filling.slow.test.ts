/**
 * Tests that a restore fills tables which nobody sees until all are complete, and that an interruption at any time
 * leaves nothing of them.
 */
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg, { type ClientConfig } from 'pg'
import { expect, test } from 'vitest'
import { BackupError } from '#server/operate/backup/archive/format.ts'
import { readArchiveFile } from '#server/operate/backup/places.ts'
import { checkArchive, restoreBackup } from '#server/operate/backup/restore.ts'
import { LOCK_SPACES } from '#server/platform/db/locks.ts'
import { listMigrations, migrate } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { createDiskStorage } from '#server/platform/files/places/disk.ts'
import { createLog } from '#server/kernel/log.ts'
import { ask, command } from '#server/testing/backup/commands.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { liveThrough } from '#server/testing/lived-in.ts'
import { makeTestFolder } from '#server/testing/folder.ts'
import { openTestApp } from '#server/testing/setup.ts'

const log = createLog('silent')
const folder = await makeTestFolder()
const app = await openTestApp()
await liveThrough(app)
const archive = join(folder, 'whole.tar')
expect(await command('backup', app, [archive])).toMatchObject({ code: 0 })

interface Held {
  readonly connection: ClientConfig
  readonly dataDir: string
  readonly ended: Promise<unknown>
  /** Lets it read on. */
  release(): void
  stop(): void
}

/** Starts a restore that has read its archive except for the last bytes, and waits. */
async function holdRestore(name: string): Promise<Held> {
  const connection = await createTestDatabase()
  const dataDir = join(folder, name)
  const stopping = new AbortController()
  const released = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const opened = await open(archive)
  const { size } = await opened.stat().finally(() => opened.close())
  const read = async function* () {
    let sent = 0
    for await (const piece of readArchiveFile(archive)) {
      // The end is in the last two blocks and their padding.
      const rest = Math.min(piece.length, Math.max(0, size - 16_384 - sent))
      sent += piece.length
      yield piece.subarray(0, rest)
      if (sent < size) continue
      reached.resolve()
      await released.promise
      yield piece.subarray(rest)
    }
  }
  const { manifest } = await checkArchive(() => readArchiveFile(archive), await listMigrations())
  const storage = await createDiskStorage(join(dataDir, 'files'))
  const ended = restoreBackup(
    { connection, storage, dataDir, log, signal: stopping.signal },
    read,
    manifest,
  )
  ended.catch(() => undefined)
  await Promise.race([reached.promise, ended])
  return {
    connection,
    dataDir,
    ended,
    release: () => released.resolve(),
    stop: () => {
      stopping.abort(new BackupError('Stopped: nothing was changed.'))
      released.resolve()
    },
  }
}

const schemas = `select nspname as name from pg_namespace where nspname = 'restore_unfinished'`
const people = `select count(*)::int as people from users`

async function filesIn(dataDir: string): Promise<string[]> {
  const left = await readdir(dataDir, { recursive: true, withFileTypes: true })
  return left.filter((entry) => entry.isFile()).map(({ name }) => name)
}

test('a second restore into the same database is refused', async () => {
  const connection = await createTestDatabase()
  const other = new pg.Client(connection)
  await other.connect()
  try {
    await other.query('select pg_advisory_lock($1)', [LOCK_SPACES.restores])
    const to = { connection, dataDir: join(folder, 'second') }
    expect(await command('restore', to, [archive])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Another restore into this database is under way.'),
    })
  } finally {
    await other.end()
  }
  expect(await ask(connection, people)).toEqual([{ people: 0 }])
})

test('a restore that is stopped with full tables leaves the installation empty, and the next one fills it', async () => {
  const held = await holdRestore('stopped')
  expect(await ask(held.connection, schemas)).toHaveLength(1)
  // Others see none of its tables.
  await expect(ask(held.connection, people)).rejects.toThrow('"users" does not exist')
  held.stop()
  await expect(held.ended).rejects.toThrow('Stopped')
  expect(await ask(held.connection, schemas)).toEqual([])
  expect(await ask(held.connection, people)).toEqual([{ people: 0 }])
  expect(await filesIn(held.dataDir)).toEqual([])
  const again = await command('restore', held, [archive])
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('all well') })
  expect(await ask(held.connection, people)).toEqual(await ask(app.connection, people))
}, 60_000)

test('the next restore removes what a killed one has left', async () => {
  const connection = await createTestDatabase()
  const moves = await ask(
    connection,
    `select format('alter table public.%I set schema restore_unfinished', relname) as statement from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace
     union all
     select format('alter function %s set schema restore_unfinished', oid::regprocedure) from pg_proc p
     where pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  )
  await ask(connection, 'create schema restore_unfinished')
  for (const { statement } of moves) await ask(connection, String(statement))
  const to = { connection, dataDir: join(folder, 'killed') }
  expect(await command('restore', to, [archive])).toMatchObject({ code: 0 })
  expect(await ask(connection, schemas)).toEqual([])
  expect(await ask(connection, people)).toEqual(await ask(app.connection, people))
}, 60_000)

test('a server that starts meanwhile waits, and finds the restored data', async () => {
  const held = await holdRestore('awaited')
  const pool = openPool(held.connection, log, { work: 'migrations', size: 1 })
  const starting = migrate(pool).finally(() => pool.end())
  held.release()
  await held.ended
  // If it hadn't waited, it would have found an empty database and applied all migrations.
  expect(await starting).toEqual([])
  expect(await ask(held.connection, people)).toEqual(await ask(app.connection, people))
}, 60_000)

test('tables that somebody creates meanwhile stop the restore, and stay', async () => {
  const held = await holdRestore('overtaken')
  await ask(
    held.connection,
    'create table migrations (name text); insert into migrations values ($$mine$$)',
  )
  held.release()
  await expect(held.ended).rejects.toThrow('Somebody made tables in this database meanwhile.')
  expect(await ask(held.connection, schemas)).toEqual([])
  expect(await ask(held.connection, 'select name from migrations')).toEqual([{ name: 'mine' }])
  expect(await filesIn(held.dataDir)).toEqual([])
}, 60_000)

test('afterwards the planner has statistics, and no table needs a vacuum', async () => {
  const to = { connection: await createTestDatabase(), dataDir: join(folder, 'known') }
  expect(await command('restore', to, [archive])).toMatchObject({ code: 0 })
  const known = `select count(*)::int as columns from pg_stats where tablename = 'users' and schemaname = 'public'`
  expect(await ask(to.connection, known)).not.toEqual([{ columns: 0 }])
  // The visibility map counts pages whose rows all transactions see.
  const pages = `select relpages > 0 and relallvisible = relpages as seen from pg_class where oid = 'users'::regclass`
  expect(await ask(to.connection, pages)).toEqual([{ seen: true }])
}, 60_000)
