/** In development, changes appear in the open page immediately and don't lose form input. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test as base } from '@playwright/test'
import { awake } from './fixtures.ts'
import { findTestPort } from '#server/testing/port.ts'
import { removeDataDir } from '#server/testing/product.ts'

const SOURCES = [
  'contract',
  'packages',
  'scripts',
  'server',
  'web',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
]
const LOGIN = 'web/people/accounts/LoginPage.tsx'
const SITEMAP = 'server/pages/sitemap.ts'

interface Bench {
  readonly url: string
  /** Edits a source file. */
  change(file: string, edit: (source: string) => string): Promise<void>
  /** Resolves at the next start of the server. */
  restarted(): Promise<void>
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

const test = base.extend<{ bench: Bench }>({
  bench: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'kb-dev-'))
    for (const source of SOURCES) await cp(source, join(folder, source), { recursive: true })
    await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
    const port = await findTestPort()
    const child = spawn(process.execPath, ['scripts/dev.mjs'], {
      cwd: folder,
      env: { ...process.env, PORT: `${port}`, DEMO: '0', METRICS_PORT: '0', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let starts = 0
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('Ctrl-C stops it.')) starts += 1
    })
    const startedTimes = (times: number) =>
      expect.poll(() => starts, { timeout: 90_000 }).toBe(times)
    await startedTimes(1)
    await use({
      url: `http://localhost:${port}`,
      change: async (file, edit) => {
        const path = join(folder, file)
        await writeFile(path, edit(await readFile(path, 'utf8')))
      },
      restarted: () => startedTimes(starts + 1),
    })
    await stop(child)
    await removeDataDir(folder)
  },
})

/** Vite's first message to a page that listens. */
const isGreeting = ({ payload }: { payload: string | Buffer }) =>
  String(payload).includes('"connected"')

test('a changed component replaces the old one in the open page, which preserves input', async ({
  page,
  bench,
}) => {
  test.slow()
  // A change before the page listens would be lost.
  const listens = page
    .waitForEvent('websocket')
    .then((socket) => socket.waitForEvent('framereceived', isGreeting))
  await page.goto(`${bench.url}/login`)
  await awake(page)
  await listens
  const name = page.locator('input[name=username]')
  await name.fill('half written')
  await page.evaluate(() => Object.assign(window, { marked: true }))
  const mark = (place: string) => (source: string) =>
    source.replace(/<h1(?: data-place="\w+")?/, `<h1 data-place="${place}"`)

  await bench.change(LOGIN, mark('first'))
  await expect(page.locator('h1[data-place=first]')).toBeVisible()
  await expect(name).toHaveValue('half written')

  // Only the server restarts, and the page still receives updates.
  const again = bench.restarted()
  await bench.change(SITEMAP, (source) => `${source}\n`)
  await again
  await bench.change(LOGIN, mark('second'))
  await expect(page.locator('h1[data-place=second]')).toBeVisible()
  await expect(name).toHaveValue('half written')
  expect(await page.evaluate(() => 'marked' in window)).toBe(true)

  // A reload also gets the new version from the server.
  const answer = await page.request.get(`${bench.url}/login`)
  expect(await answer.text()).toContain('data-place="second"')
})
