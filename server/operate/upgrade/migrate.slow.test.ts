/** Tests a start on the database of an older version: first a backup, then the migrations, or neither. */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg, { type ClientConfig } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startEmbedded } from '#server/platform/db/embedded/embedded.ts'
import { TEST_SECRET } from '#server/testing/app.ts'
import { addressOf, ask, command } from '#server/testing/backup/commands.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { startProduct } from '#server/testing/product.ts'
import { makeSmallDisk } from '#server/testing/small-disk.ts'
import { makeOlder, OLDER } from '#server/testing/upgrade/older.ts'
import { makeTestFolder } from '#server/testing/folder.ts'

const folder = await makeTestFolder()

let count = 0
const newFolder = () => join(folder, `${(count += 1)}`)
const backupsIn = (dataDir: string) => join(dataDir, 'backups', 'before-migration')

async function createEmptyDatabase(): Promise<ClientConfig> {
  const server = inject('database')
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await ask({ ...server, database: 'postgres' }, `create database ${database}`)
  return { ...server, database }
}

/** Creates a database of an older version, and the settings for it. */
async function startOlder(more: Readonly<Record<string, string>>) {
  const connection = await createEmptyDatabase()
  const missing = await makeOlder(connection)
  const dataDir = newFolder()
  const environment = {
    DATABASE_URL: addressOf(connection),
    AUTH_SECRETS: TEST_SECRET,
    DATA_DIR: dataDir,
    ...more,
  }
  const start = () => startProduct(environment, { file: 'server/worker.ts' })
  const applied = async () =>
    Number((await ask(connection, 'select count(*)::int as n from migrations'))[0]?.['n'])
  return { connection, dataDir, missing, start, applied }
}

test('an older installation is backed up, then migrated; the archive has the old data', async () => {
  const dataDir = newFolder()
  const server = await startEmbedded({ dataDir, fsync: false })
  const missing = await makeOlder(server.connection)
  await server.stop()
  const product = await startProduct({ DATA_DIR: dataDir }, { file: 'server/worker.ts' })
  await product.stop()
  expect(product.said).toContain(`Migrated the database: ${missing.length} new.`)
  const archives = await readdir(backupsIn(dataDir))
  expect(archives).toEqual([expect.stringMatching(/^knowledge-bazaar-.*\.tar$/)])
  expect(product.said.join('\n')).toContain(archives[0])

  const to = { connection: await createTestDatabase(), dataDir: newFolder() }
  const restored = await command('restore', to, [join(backupsIn(dataDir), archives[0] ?? '')])
  // The progress of each second isn't an error.
  expect(restored.stderr.replaceAll(/^.* a second\n/gm, '')).toBe('')
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Migrated the database: ${missing.length} new.`),
  })
  expect(restored.stdout).toContain('✓ The audit found all well.')
  expect(await ask(to.connection, 'select username from users')).toEqual([{ username: 'ann' }])

  const again = await startProduct({ DATA_DIR: dataDir }, { file: 'server/worker.ts' })
  await again.stop()
  expect(again.said.join('\n')).not.toContain('backup')
  expect(await readdir(backupsIn(dataDir))).toEqual(archives)
}, 120_000)

test('no backup is made with BACKUP_BEFORE_MIGRATION=0, nor by default of a database of DATABASE_URL', async () => {
  const { dataDir, start, applied, missing } = await startOlder({})
  await (await start()).stop()
  expect(await applied()).toBe(OLDER + missing.length)
  expect(await readdir(dataDir)).not.toContain('backups')
  const embedded = newFolder()
  const server = await startEmbedded({ dataDir: embedded, fsync: false })
  await makeOlder(server.connection)
  await server.stop()
  const settings = { DATA_DIR: embedded, BACKUP_BEFORE_MIGRATION: '0' }
  const product = await startProduct(settings, { file: 'server/worker.ts' })
  await product.stop()
  expect(product.said.join('\n')).toContain('Migrated the database')
  expect(await readdir(embedded)).not.toContain('backups')
}, 120_000)

test('of two that start together one makes the backup, and the other waits for it', async () => {
  const { dataDir, start, applied, missing } = await startOlder({ BACKUP_BEFORE_MIGRATION: '1' })
  const products = await Promise.all([start(), start()])
  for (const product of products) await product.stop()
  expect(await readdir(backupsIn(dataDir))).toHaveLength(1)
  expect(await applied()).toBe(OLDER + missing.length)
}, 120_000)

test('the newest three archives stay, and the first of an unfinished upgrade', async () => {
  const { dataDir, start } = await startOlder({ BACKUP_BEFORE_MIGRATION: '1' })
  const place = backupsIn(dataDir)
  await mkdir(place, { recursive: true })
  const names = ['01', '02', '03', '04'].map((day) => `knowledge-bazaar-202001${day}-010000.tar`)
  for (const name of names) await writeFile(join(place, name), 'old')
  await writeFile(join(place, 'first-of-this-upgrade'), names[1] ?? '')
  await (await start()).stop()
  const left = (await readdir(place)).toSorted()
  expect(left).toEqual([names[1], names[2], names[3], expect.stringContaining('knowledge-bazaar')])
}, 120_000)

test('a full disk ends the start with a message and migrates nothing; with space it continues', async () => {
  const disk = await makeSmallDisk(2)
  onTestFinished(() => disk.end())
  const { start, applied, missing } = await startOlder({
    BACKUP_BEFORE_MIGRATION: '1',
    BACKUP_URL: disk.folder,
  })
  await disk.fill()
  const failure = await start().then(
    async (product) => {
      await product.stop()
      return 'it started'
    },
    (error: unknown) => String(error),
  )
  expect(failure).toMatch(
    /The backup that is made before the database is migrated failed\. The disk of .* is full\..* Nothing was migrated\..*BACKUP_BEFORE_MIGRATION=0/,
  )
  expect(failure).not.toMatch(/\n\s+at /)
  expect(await applied()).toBe(OLDER)
  expect(await readdir(disk.folder)).toEqual(['filler'])
  await disk.free()
  await (await start()).stop()
  expect(await applied()).toBe(OLDER + missing.length)
  expect(await readdir(disk.folder)).toEqual([expect.stringMatching(/\.tar$/)])
}, 120_000)

test('a start killed during the backup migrates nothing, and the next one continues', async () => {
  const { connection, dataDir, start, applied, missing } = await startOlder({
    BACKUP_BEFORE_MIGRATION: '1',
  })
  const place = backupsIn(dataDir)
  const holder = new pg.Client(connection)
  await holder.connect()
  // The backup waits for this table after writing a part.
  await holder.query('begin; lock table users in access exclusive mode')
  const starting = start().catch((error: unknown) => String(error))
  const isBegun = async () => (await readdir(place).catch(() => [])).length > 0
  for (let waited = 0; !(await isBegun()) && waited < 60_000; waited += 20) await sleep(20)
  const [draft = ''] = await readdir(place)
  process.kill(Number(/\.unfinished-(\d+)-/.exec(draft)?.[1]), 'SIGKILL')
  expect(await starting).toContain('it ended with SIGKILL')
  await holder.query('rollback')
  await holder.end()
  expect(await applied()).toBe(OLDER)
  await (await start()).stop()
  expect(await applied()).toBe(OLDER + missing.length)
  expect(await readdir(place)).toEqual([expect.stringMatching(/^knowledge-bazaar-.*\.tar$/)])
}, 120_000)
