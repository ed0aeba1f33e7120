import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { expect, test as base, visit } from './fixtures.ts'
import { registerAdministrator, signIn } from './people.ts'
import { startServer, type Server } from './server.ts'

/** Runs `npm run backup` on the running server's data, without npm. */
async function backUp(dataDir: string, file: string): Promise<void> {
  const node = join('node_modules', '.bin', 'node')
  const env = { ...process.env, DATA_DIR: dataDir }
  await promisify(execFile)(node, ['scripts/backup.ts', file], { env })
}

interface Parts {
  /** BACKUP_URL. It does not exist as a folder at first. */
  readonly place: string
  readonly server: Server
}

const test = base.extend<object, Parts>({
  place: [
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'kb-backups-'))
      const place = join(folder, 'daily')
      await writeFile(place, 'A file of somebody, where a folder is needed')
      await use(place)
      await rm(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ place }, use) => {
      const server = await startServer({ BACKUP_URL: place })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
})

/** Reloads the page until its note shows this text. */
async function expectNote(page: Page, text: string): Promise<void> {
  await expect(async () => {
    await visit(page, '/admin/backups')
    await expect(page.getByRole('note')).toContainText(text, { timeout: 1000 })
  }).toPass({ timeout: 90_000 })
}

test('a failed backup shows its reason, and a finished one its place and size', async ({
  page,
  server,
  place,
}) => {
  test.setTimeout(240_000)
  await signIn(page, server.url, await registerAdministrator(server))
  await visit(page, '/admin/jobs')
  await page.getByRole('link', { name: 'Backups', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Backups')
  await expect(page.getByText('A backup is made every day.')).toBeVisible()
  await expectNote(page, 'The last backup failed')
  const rows = page.getByRole('table', { name: 'Last backups' }).getByRole('row')
  await expect(rows.last()).toContainText(place)
  await expect(rows.last()).toContainText('a file stands where a folder is needed')
  await expect(rows.last()).toContainText('automatic')

  const file = join(place, '..', 'by-hand.tar')
  await backUp(server.dataDir, file)
  await expectNote(page, 'The last backup succeeded')
  // The automatic one may have been tried and failed again meanwhile.
  const finished = rows.filter({ hasText: 'by-hand.tar' })
  await expect(finished).toHaveCount(1)
  await expect(finished).toContainText('by a command')
  await expect(finished).toContainText(/\d MB/)
  expect(await readdir(join(file, '..'))).toContain('by-hand.tar')
})
