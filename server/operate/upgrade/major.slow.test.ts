/**
 * Tests that a start moves an embedded database of an older PostgreSQL to ours completely, or leaves it unchanged.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded } from '#server/platform/db/embedded/embedded.ts'
import { ask } from '#server/testing/backup/commands.ts'
import { startProduct } from '#server/testing/product.ts'
import { makeOlder, makeOlderCluster } from '#server/testing/upgrade/older.ts'
import { findOlderPostgres } from '#server/operate/upgrade/older-postgres.ts'

const MAJOR = 15
const mounts: string[] = []
const folder = mkdtempSync(join(tmpdir(), 'kb-major-'))
chmodSync(folder, 0o755)
const older = await findOlderPostgres(MAJOR, folder)
afterAll(async () => {
  for (const path of mounts) spawnSync('umount', [path])
  await rm(folder, { recursive: true, force: true, maxRetries: 20 })
})

let count = 0
const newFolder = () => join(folder, `${(count += 1)}`)

/** Creates an installation of an older version on an older PostgreSQL, with one person. */
async function makeInstallation(dataDir: string): Promise<string[]> {
  makeOlderCluster(older, dataDir)
  writeFileSync(join(dataDir, 'auth-secret'), 'x'.repeat(40), { mode: 0o600 })
  const server = await startOld(dataDir)
  const missing = await makeOlder(server.connection)
  await server.stop()
  return missing
}

const startOld = (dataDir: string) => startEmbedded({ dataDir, postgres: older, fsync: false })
const start = (dataDir: string) => startProduct({ DATA_DIR: dataDir }, { file: 'server/worker.ts' })
const majorIn = (dataDir: string) => readFileSync(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8')

/** Returns the message of a start that fails, without a stack. */
async function refusalIn(dataDir: string): Promise<string> {
  const message = await start(dataDir).then(
    async (product) => {
      await product.stop()
      return 'it started'
    },
    (error: unknown) => String(error),
  )
  expect(message).not.toMatch(/\n\s+at /)
  return message
}

async function peopleIn(dataDir: string): Promise<unknown> {
  const server = await startEmbedded({ dataDir, fsync: false })
  const rows = await ask(
    server.connection,
    `select array_agg(username) as names, current_setting('server_version_num')::int / 10000 as major from users`,
  )
  await server.stop()
  return rows[0]
}

async function oldPeopleIn(dataDir: string): Promise<unknown> {
  const server = await startOld(dataDir)
  const rows = await ask(server.connection, 'select username from users')
  await server.stop()
  return rows
}

test('a start moves the database to our PostgreSQL and migrates it, and the old one stays', async () => {
  const dataDir = newFolder()
  const missing = await makeInstallation(dataDir)
  const product = await start(dataDir)
  await product.stop()
  const said = product.said.join('\n')
  expect(said).toContain(`Moving the database from PostgreSQL ${MAJOR} to 18 …`)
  expect(said).toContain(`Migrated the database: ${missing.length} new.`)
  expect(said).toContain(`postgres-${MAJOR}-before-upgrade: remove it when all is well.`)
  expect(await peopleIn(dataDir)).toEqual({ names: ['ann'], major: 18 })
  expect(readFileSync(join(dataDir, 'auth-secret'), 'utf8')).toBe('x'.repeat(40))
  const left = join(dataDir, `postgres-${MAJOR}-before-upgrade`)
  expect(readFileSync(join(left, 'PG_VERSION'), 'utf8')).toBe(`${MAJOR}\n`)
  expect(readdirSync(dataDir).toSorted()).toEqual(
    [
      'auth-secret',
      'files',
      'postgres',
      'postgres.log',
      `postgres-${MAJOR}-before-upgrade`,
    ].toSorted(),
  )
  const again = await start(dataDir)
  await again.stop()
  expect(again.said.join('\n')).not.toContain('Moving')
}, 180_000)

test('the next start repeats a move that was killed', async () => {
  const dataDir = newFolder()
  await makeInstallation(dataDir)
  const starting = start(dataDir).catch((error: unknown) => String(error))
  const archive = join(dataDir, 'postgres-upgrade', 'database.tar')
  for (let waited = 0; !existsSync(archive) && waited < 60_000; waited += 5) await sleep(5)
  const owner = readFileSync(join(dataDir, 'upgrading.lock'), 'utf8').split(':')[0]
  process.kill(Number(owner), 'SIGKILL')
  expect(await starting).toContain('it ended with SIGKILL')
  expect(majorIn(dataDir)).toBe(`${MAJOR}\n`)
  await (await start(dataDir)).stop()
  expect(await peopleIn(dataDir)).toEqual({ names: ['ann'], major: 18 })
  expect(readdirSync(dataDir)).not.toContain('postgres-upgrade')
}, 180_000)

test('the next start completes a move killed between the two renames', async () => {
  const dataDir = newFolder()
  await makeInstallation(dataDir)
  await (await start(dataDir)).stop()
  renameSync(join(dataDir, 'postgres'), join(dataDir, 'postgres.upgraded'))
  await (await start(dataDir)).stop()
  expect(await peopleIn(dataDir)).toEqual({ names: ['ann'], major: 18 })
  expect(existsSync(join(dataDir, 'postgres.upgraded'))).toBe(false)
}, 180_000)

test('a database that a process serves is not moved', async () => {
  const dataDir = newFolder()
  await makeInstallation(dataDir)
  const server = await startOld(dataDir)
  expect(await refusalIn(dataDir)).toMatch(
    new RegExp(
      `could not be moved.*in use by process ${process.pid}\\. Stop it first\\. It is as it was\\.`,
    ),
  )
  await server.stop()
  expect(await oldPeopleIn(dataDir)).toEqual([{ username: 'ann' }])
}, 180_000)

test('without programs of that major version the start says what to install, and changes nothing', async () => {
  const dataDir = newFolder()
  mkdirSync(join(dataDir, 'postgres'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '9\n')
  expect(await refusalIn(dataDir)).toMatch(
    /written by PostgreSQL 9, .*Install PostgreSQL 9 .*Nothing was changed\./,
  )
  expect(readdirSync(dataDir)).toEqual(['postgres'])
}, 60_000)

const canMount = process.platform === 'linux' && process.getuid?.() === 0

// Mounting a small disk needs privileges.
test.runIf(canMount)(
  'a disk that fills up ends the start with a message; with space it continues',
  async () => {
    const disk = newFolder()
    mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', disk])
    mounts.push(disk)
    const dataDir = join(disk, 'data')
    await makeInstallation(dataDir)
    // The new folder starts with about 40 MB, and its WAL takes 16 MB more; its tables don't fit into the rest.
    const { bavail, bsize } = statfsSync(disk)
    const filler = join(disk, 'filler')
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 60 * 1024 * 1024))
    expect(await refusalIn(dataDir)).toMatch(/could not be moved.* full.*It is as it was\./)
    expect(majorIn(dataDir)).toBe(`${MAJOR}\n`)
    expect(readdirSync(dataDir)).not.toContain('postgres-upgrade')
    rmSync(filler)
    expect(await oldPeopleIn(dataDir)).toEqual([{ username: 'ann' }])
    await (await start(dataDir)).stop()
    expect(await peopleIn(dataDir)).toEqual({ names: ['ann'], major: 18 })
  },
  180_000,
)
