/**
 * Tests backups of an installation that has only its DATA_DIR: its own database, files and key. A restored copy
 * needs no settings either.
 */
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import { testPicture } from '#server/testing/app.ts'
import { ask as askDatabase, command } from '#server/testing/backup/commands.ts'
import { removeDataDir, startProduct, type Product } from '#server/testing/product.ts'
import { canMount, mountSmallDisk } from '#server/testing/small-disk.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { openTestApp } from '#server/testing/setup.ts'

const folder = await mkdtemp(join(tmpdir(), 'kb-embedded-'))
// When we are root, the database runs as another user, who must reach the folder.
await chmod(folder, 0o755)
const product = await startProduct({ DATA_DIR: join(folder, 'first') })
const form = formOf({
  username: 'ann',
  email: 'ann@people.example',
  password: 'secret of ann 1',
  image: await testPicture(),
})
afterAll(async () => {
  await product.stop()
  await removeDataDir(folder)
})

const ask = ({ url }: Product, path: string, init: RequestInit = {}) => fetch(url + path, init)
async function filesIn(dataDir: string): Promise<string[]> {
  const left = await readdir(dataDir, { recursive: true, withFileTypes: true })
  return left.filter((entry) => entry.isFile()).map(({ name }) => name)
}

const secretOf = (dataDir: string) => readFile(join(dataDir, 'auth-secret'))
const signedIn = () => ({ headers: { authorization: `Bearer ${session.accessToken}` } })

const answer = await ask(product, '/api/identity/register', { method: 'POST', body: form })
/** The session that ann got from the original installation. */
const session = (await answer.json()) as Session
const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
const archive = join(folder, 'archive.tar')
expect(await command('backup', product, [archive])).toMatchObject({ code: 0 })

test('a restore refuses an installation with a running server, which continues', async () => {
  const before = await secretOf(product.dataDir)
  const { code, stderr } = await command('restore', product, [archive])
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `DATA_DIR (${product.dataDir}) is in use by process ${product.pid}. Stop it first. Nothing was changed.`,
    ),
  })
  expect(await secretOf(product.dataDir)).toEqual(before)
  expect((await ask(product, '/api/notice/count', signedIn())).status).toBe(200)
}, 120_000)

test('the key is restored, so people stay signed in', async () => {
  const dataDir = join(folder, 'second')
  const restored = await command('restore', { dataDir }, [archive])
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('✓ The audit found all well.'),
  })
  expect(await secretOf(dataDir)).toEqual(await secretOf(product.dataDir))
  expect((await stat(join(dataDir, 'auth-secret'))).mode & 0o777).toBe(0o600)

  const second = await startProduct({ DATA_DIR: dataDir })
  try {
    expect((await ask(second, '/api/notice/count', signedIn())).status).toBe(200)
    const refreshed = await ask(second, '/api/identity/refresh', {
      method: 'POST',
      headers: { cookie, origin: new URL(second.url).origin },
    })
    expect([refreshed.status, await refreshed.json()]).toMatchObject([200, { username: 'ann' }])
  } finally {
    await second.stop()
  }
  expect(await secretOf(dataDir)).toEqual(await secretOf(product.dataDir))
}, 240_000)

/** Makes an archive whose rows don't fit onto a disk of 200 MB next to an empty database. */
async function makeLargeArchive(): Promise<string> {
  const app = await openTestApp()
  await askDatabase(
    app.connection,
    `insert into bug_reports (sender_email, topic, text)
       select 'ann@people.example', 'Topic', repeat(md5(n::text), 31) from generate_series(1, 200000) n`,
  )
  const rows = join(folder, 'rows.tar')
  expect(await command('backup', app, [rows])).toMatchObject({ code: 0 })
  return rows
}

const large = canMount ? await makeLargeArchive() : ''

// The embedded PostgreSQL runs as another user, who must reach the disk.
test.runIf(canMount)(
  'a disk that fills up during a restore is left as empty as before',
  async () => {
    const disk = await mountSmallDisk(200)
    try {
      const dataDir = join(disk.folder, 'data')
      const { code, stderr } = await command('restore', { dataDir }, [large])
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/(?:^|\n)The disk is full\. [^\n]*\n$/),
      })
      expect(await filesIn(dataDir)).toEqual([])
      // The disk fills up as soon as the tables are created.
      const restoring = command('restore', { dataDir }, [large])
      await expect.poll(() => existsSync(join(dataDir, 'restore-unfinished'))).toBe(true)
      await disk.fill()
      expect(await restoring).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('is full.'),
      })
      expect(await filesIn(dataDir)).toEqual([])
      await disk.free()
      // Their space is free again.
      expect(await command('restore', { dataDir }, [archive])).toMatchObject({ code: 0 })
    } finally {
      await disk.end()
    }
  },
  300_000,
)
