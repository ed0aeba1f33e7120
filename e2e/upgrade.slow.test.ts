/** Tests an open page while a newer version replaces the server. */
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { removeDataDir } from '#server/testing/product.ts'
import { expect, test as base } from './fixtures.ts'
import { register, type Registered } from './people.ts'
import { startServer, type Server } from './server.ts'

/** Named like the hashes of scripts/build.mjs. */
const OLDER = 'a'.repeat(16)
const NEWER = 'b'.repeat(16)
const TEXT = new Set(['.js', '.css', '.json', '.html'])

/** Copies the current build, possibly with other file names, as if every file had changed. */
async function copyBuild(target: string, mark = ''): Promise<void> {
  const current = (await readFile('dist/current', 'utf8')).trim()
  await mkdir(target, { recursive: true })
  await cp(join('dist', current, 'client'), join(target, 'client'), { recursive: true })
  await cp(join('dist', current, 'server'), join(target, 'server'), { recursive: true })
  if (mark === '') return
  const assets = join(target, 'client/assets')
  const names = new Set(await readdir(assets))
  const renamed = (name: string) => name.replace(/(?=\.\w+$)/, mark)
  for (const name of names) {
    // Compressed files contain the old names. The server also serves uncompressed ones.
    if (name.endsWith('.br')) await rm(join(assets, name))
    else await rename(join(assets, name), join(assets, renamed(name)))
  }
  for (const path of await readdir(target, { recursive: true })) {
    if (!TEXT.has(extname(path))) continue
    const text = await readFile(join(target, path), 'utf8')
    const changed = text.replaceAll(/[\w.-]+\.\w+/g, (word) =>
      names.has(word) ? renamed(word) : word,
    )
    if (changed !== text) await writeFile(join(target, path), changed)
  }
}

interface Site {
  readonly url: string
  /** Replaces the server with the newer build. `keeping` leaves the files of the older one. */
  upgrade(keeping: boolean): Promise<void>
}

const test = base.extend<{ site: Site }>({
  // These tests provoke missing files.
  failOnPageErrors: async ({}, use) => use(undefined),
  site: async ({}, use) => {
    // Inside the project, so that the server bundle can resolve its packages.
    const builds = await mkdtemp(join('node_modules/.cache', 'builds-'))
    const dataDir = await mkdtemp(join(tmpdir(), 'kb-upgrade-'))
    const [older, newer] = [join(builds, OLDER), join(builds, NEWER)]
    await copyBuild(older)
    await copyBuild(newer, 'B')
    const start = (build: string, port?: number) =>
      startServer(
        { DATA_DIR: dataDir },
        {
          words: [`--build=${join(process.cwd(), build)}`],
          ...(port !== undefined && { port }),
        },
      )
    let server: Server = await start(older)
    const { url } = server
    await use({
      url,
      upgrade: async (keeping) => {
        await server.stop()
        if (!keeping) await rm(older, { recursive: true })
        server = await start(newer, Number(new URL(url).port))
      },
    })
    await server.stop()
    await rm(builds, { recursive: true, force: true })
    await removeDataDir(dataDir)
  },
})

const titleOf = (page: Page) => page.locator('input[name=title]')
const scriptOf = (page: Page) => page.locator('script[type=module]').getAttribute('src')
const aboutLink = (page: Page) => page.getByRole('contentinfo').getByRole('link', { name: 'About' })

/** Marks the page to detect a reload. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { marked: true }))
const isMarked = (page: Page) => page.evaluate(() => 'marked' in window)

async function write(page: Page, site: Site): Promise<Registered> {
  const person = await register(site.url)
  await page.context().addCookies([person.cookie])
  await page.goto(`${site.url}/lesson/create`)
  await expect(page.locator('.ProseMirror')).toBeVisible()
  await mark(page)
  return person
}

test('a page whose files an upgrade removed reloads once and preserves input', async ({
  page,
  site,
}) => {
  await write(page, site)
  const before = await scriptOf(page)
  await site.upgrade(false)
  // Typed just before the reload: the draft is stored when the page unloads.
  await titleOf(page).fill('Outlived')
  await aboutLink(page).click()
  await expect(page.locator('h1')).toHaveText(/About/)
  expect(new URL(page.url()).pathname).toBe('/about')
  expect(await isMarked(page)).toBe(false)
  expect(await scriptOf(page)).not.toBe(before)
  await page.goto(`${site.url}/lesson/create`)
  await expect(titleOf(page)).toHaveValue('Outlived')
})

test('a missing part of a page reloads the page', async ({ page, site }) => {
  await page.context().addCookies([(await register(site.url)).cookie])
  await page.route('**/assets/Editor-*', (route) => route.abort())
  await page.goto(`${site.url}/lesson/create`)
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible({ timeout: 30_000 })
  await titleOf(page).fill('Half here')
  await page.unroute('**/assets/Editor-*')
  await site.upgrade(false)
  await again.click()
  await expect(page.locator('.ProseMirror')).toBeVisible()
  await expect(titleOf(page)).toHaveValue('Half here')
})

test('a page of the previous build continues with its own files', async ({ page, site }) => {
  await write(page, site)
  await site.upgrade(true)
  await aboutLink(page).click()
  await expect(page.locator('h1')).toHaveText(/About/)
  expect(await isMarked(page)).toBe(true)
})

test('an incomplete upgrade ends with the error, without a reload loop', async ({ page, site }) => {
  await write(page, site)
  let loads = 0
  page.on('load', () => (loads += 1))
  await page.route('**/assets/AboutPage*', (route) => route.fulfill({ status: 404 }))
  await page.route('**/about', async (route) => {
    if (route.request().isNavigationRequest()) return route.continue()
    return route.fulfill({ body: '<script type="module" src="/assets/other.js"></script>' })
  })
  await aboutLink(page).click()
  // The server-rendered page is visible although its script can't load, and it doesn't reload for ever.
  await expect(page.locator('h1')).toHaveText(/About/)
  await expect.poll(() => loads).toBe(1)
  await page.goto(`${site.url}/privacy-policy`)
  await aboutLink(page).click()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  expect(loads).toBe(2)
})
