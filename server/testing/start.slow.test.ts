import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTcpProxy } from '#signalr/testing/tcp-proxy.ts'
import { TEST_SECRET } from '#server/testing/app.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { makeTestFolder } from '#server/testing/folder.ts'
import { canMount, mountSmallDisk } from '#server/testing/small-disk.ts'
import { startProduct } from '#server/testing/product.ts'
import { addressOf } from '#server/testing/backup/commands.ts'

const folder = await makeTestFolder()
chmodSync(folder, 0o755)

function newFolder(): string {
  const path = mkdtempSync(join(folder, 'start-'))
  chmodSync(path, 0o755)
  return path
}

/** Both processes start in the same way, but the worker needs no built pages. */
const start = (dataDir: string) => startProduct({ DATA_DIR: dataDir }, { file: 'server/worker.ts' })
const PROGRESS = /^(?:Starting the database|Migrated the database)/

/** Returns the last output of a start that must fail with one sentence and no stack trace. */
async function startIn(dataDir: string): Promise<string> {
  const message = await start(dataDir).then(
    async (product) => {
      await product.stop()
      return 'it started'
    },
    (error: unknown) => String(error),
  )
  const [how, ...lines] = message.split('\n').filter((line) => !PROGRESS.test(line))
  expect(how).toBe('Error: it ended with 1:')
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}

async function makeInstallation(dataDir: string): Promise<void> {
  const product = await start(dataDir)
  await product.stop()
}

test('a start on a folder that is a file fails with a message', async () => {
  const path = join(newFolder(), 'data')
  writeFileSync(path, '')
  expect(await startIn(path)).toMatch(/data directory .* can't be made or written.*Set DATA_DIR/)
}, 60_000)

test('a start with a file in place of the folder of files fails with a message', async () => {
  const dataDir = join(newFolder(), 'data')
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o755)
  writeFileSync(join(dataDir, 'files'), '')
  expect(await startIn(dataDir)).toMatch(/data\/files.*a file stands where a folder is needed/)
}, 60_000)

test('a start with a short key or a broken database fails with a message, and changes nothing', async () => {
  const dataDir = join(newFolder(), 'data')
  await makeInstallation(dataDir)
  writeFileSync(join(dataDir, 'auth-secret'), 'short\n')
  expect(await startIn(dataDir)).toMatch(
    /auth-secret is shorter than 32 characters.*remove the file/,
  )
  rmSync(join(dataDir, 'postgres', 'global', 'pg_control'))
  expect(await startIn(dataDir)).toMatch(/did not start: .*could not open file.*pg_control/)
}, 60_000)

// Mounting a disk needs root.
test.runIf(canMount)(
  'a start on a full disk fails with a message, the first one and a later one',
  async () => {
    const disk = await mountSmallDisk(8)
    onTestFinished(disk.end)
    const dataDir = join(disk.folder, 'data')
    expect(await startIn(dataDir)).toMatch(/could not be created.*disk of .* is full/)
    execFileSync('mount', ['-o', 'remount,size=200m', disk.folder])
    await makeInstallation(dataDir)
    await disk.fill()
    expect(await startIn(dataDir)).toMatch(/disk (?:of .* )?is full/)
    await disk.free()
    await makeInstallation(dataDir)
  },
  120_000,
)

test('compiled code is stored before a process serves, for the next start after a kill', async () => {
  const compiled = newFolder()
  const product = await startProduct({
    DATABASE_URL: addressOf(await createTestDatabase()),
    AUTH_SECRETS: 'x'.repeat(40),
    JOBS: 'elsewhere',
    NODE_COMPILE_CACHE: compiled,
  })
  const files = readdirSync(compiled, { recursive: true })
  await product.stop()
  expect(files.length).toBeGreaterThan(200)
}, 60_000)

test('a start waits for an unavailable database, says why, and then continues', async () => {
  const direct = await createTestDatabase()
  const proxy = await startTcpProxy(`${String(direct.host)}/.s.PGSQL.${String(direct.port)}`)
  const { port } = new URL(proxy.url)
  proxy.block()
  const DATABASE_URL = `postgres://${direct.user}@127.0.0.1:${port}/${direct.database}`
  const dataDir = newFolder()
  const starting = startProduct(
    { DATABASE_URL, DATA_DIR: dataDir, AUTH_SECRETS: TEST_SECRET },
    { file: 'server/worker.ts' },
  )
  setTimeout(() => proxy.restore(), 3000)
  const product = await starting
  onTestFinished(async () => {
    await product.stop()
    await proxy.close()
  })
  expect(product.said.join('\n')).toMatch(/^Waiting for the database: /m)
  expect(product.complained).toEqual([])
}, 60_000)
