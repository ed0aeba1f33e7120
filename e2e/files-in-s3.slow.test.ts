/** Tests the product with files in a bucket and pictures on another origin. */
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { findTestPort } from '#server/testing/port.ts'
import { startS3, type TestS3 } from '#server/testing/s3/server.ts'
import { expect, test as base, visit, writePicture } from './fixtures.ts'
import { register } from './people.ts'
import { openOptional } from './publish-by-form.ts'
import { startServer, type Server } from './server.ts'

interface Site {
  readonly server: Server
  /** Another origin for the same server, as a CDN in front of it has. */
  readonly pictures: string
}

const test = base.extend<object, { s3: TestS3; site: Site; server: Server }>({
  s3: [
    async ({}, use) => {
      const s3 = await startS3()
      await use(s3)
      await s3.close()
    },
    { scope: 'worker' },
  ],
  site: [
    async ({ s3 }, use) => {
      const port = await findTestPort()
      const pictures = `http://127.0.0.1:${port}`
      const server = await startServer({ S3_URL: s3.url, FILES_URL: pictures }, { port })
      await use({ server, pictures })
      await server.stop()
    },
    { scope: 'worker' },
  ],
  server: [async ({ site }, use) => use(site.server), { scope: 'worker' }],
})

const FILE = 'long.zip'
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/**
 * Uploads the resource. The connection is cut after the first chunk, and restored once the page says that it
 * waits.
 */
async function sendOverACut(page: Page, bytes: Buffer): Promise<void> {
  let pieces = 0
  await page.route('**/api/upload/resource/**', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    pieces += 1
    if (pieces === 1) return route.continue()
    await page.context().setOffline(true)
    return route.abort('internetdisconnected')
  })
  await openOptional(page)
  const file = { name: FILE, mimeType: 'application/zip', buffer: bytes }
  await page.locator('input[type=file]').nth(1).setInputFiles(file)
  await expect(
    page.getByText('Waiting for the network. The upload will continue on its own.'),
  ).toBeVisible()
  await page.unroute('**/api/upload/resource/**')
  await page.context().setOffline(false)
  await expect(page.getByText('uploaded', { exact: true })).toBeVisible({ timeout: 30_000 })
}

test('a lesson is written and read and its resource downloaded, all from the bucket', async ({
  page,
  site,
  s3,
}, info) => {
  const { server, pictures } = site
  const person = await register(server.url)
  await page.context().addCookies([person.cookie])
  await visit(page, '/lesson/create')
  await page.locator('input[name=title]').fill('Far away')
  await page.locator('input[name=description]').fill('What one learns in it')
  await page.locator('input[name=video]').fill('https://youtu.be/far-away-01')
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await writePicture(info.outputDir))
  await page.getByPlaceholder('Add a tag').fill('testing,')
  await page.locator('.ProseMirror').click()
  await page.keyboard.type('Words enough for a lesson that lies in a bucket, far away from here.')
  const bytes = randomBytes(12 * 1024 * 1024)
  await sendOverACut(page, bytes)
  await page.getByRole('button', { name: 'Publish and earn 100' }).click()
  await expect(page).toHaveURL(/\/lesson\/details\/\d+$/)

  // Tests client-side navigation first, then server rendering.
  for (const again of [false, true]) {
    if (again) await visit(page, page.url())
    const cover = page.locator('[data-player] img')
    await expect
      .poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
    const shown = await cover.evaluate((image: HTMLImageElement) => image.currentSrc)
    expect(shown).toMatch(new RegExp(`^${pictures}/files/pictures/`))
    const here = await page
      .locator('img')
      .evaluateAll((images) =>
        images.filter((image) => /^\/(?:files|art)\//.test(image.getAttribute('src') ?? '')),
      )
    expect(here).toEqual([])
  }

  const entry = page.getByRole('link', { name: /Download/ })
  const [download] = await Promise.all([page.waitForEvent('download'), entry.click()])
  expect(download.suggestedFilename()).toBe(FILE)
  expect(sha(await readFile(await download.path()))).toBe(sha(bytes))
  const path = (await entry.getAttribute('href')) ?? ''
  expect(s3.requests).toContain(`GET resources/${path.split('/')[3]}`)
  const answer = await page.request.get(server.url + path, { maxRedirects: 0 })
  const link = new URL(answer.headers()['location'] ?? '')
  expect([answer.status(), link.origin, link.searchParams.get('X-Amz-Expires')]).toEqual([
    302,
    new URL(s3.url).origin,
    '60',
  ])
  expect(await readdir(join(server.dataDir, 'files', 'resources'))).toEqual([])
  expect(await s3.unfinished()).toEqual([])
})
