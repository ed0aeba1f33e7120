/** Tests the product with files in a bucket and pictures on another origin. */
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findTestPort } from '#server/testing/port.ts'
import { startS3, type TestS3 } from '#server/testing/s3/server.ts'
import { expect, test as base, visit, writePicture } from './fixtures.ts'
import { register, signIn } from './people.ts'
import { publishByForm } from './publish-by-form.ts'
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

test('a lesson is written and read and its resource downloaded, all from the bucket', async ({
  page,
  site,
  s3,
}, info) => {
  const { server, pictures } = site
  await signIn(page, server.url, await register(server.url))
  const picture = await writePicture(info.outputDir)
  const bytes = randomBytes(12 * 1024 * 1024)
  const resource = join(info.outputDir, FILE)
  await writeFile(resource, bytes)
  await publishByForm(page, picture, { video: 'far-away-01', resource })

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
  expect(await readdir(join(server.dataDir, 'files', 'resources'))).toEqual([])
  expect(await s3.unfinished()).toEqual([])
})
