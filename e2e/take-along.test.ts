/** Tests the export of personal data: download, offline page, and requests for large accounts. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readZip } from '#server/testing/exports/zip.ts'
import { expect, intercept, test, visit } from './fixtures.ts'
import { drawPicture, register, signIn } from './people.ts'

test('a person downloads an archive and reads it offline', async ({ page, sit, server }, info) => {
  const person = await register(server.url, {}, await drawPicture(64, 64))
  await signIn(page, server.url, person)
  await visit(page, '/profile/update')
  const link = page.getByRole('link', { name: 'Download the archive' })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toBe('knowledge-bazaar.zip')
  const folder = info.outputPath('unpacked')
  for (const [name, content] of readZip(await readFile(await download.path()))) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  const offline = await sit(null, { offline: true })
  const complaints: string[] = []
  offline.on('console', (line) => line.type() === 'error' && complaints.push(line.text()))
  await offline.goto(pathToFileURL(join(folder, 'index.html')).href)
  await expect(offline.getByText(person.username, { exact: true })).toBeVisible()
  const picture = offline.locator('#pictures img').first()
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  expect(complaints).toEqual([])
})

/** Uploads more than the limit for direct downloads. */
async function uploadMuch(url: string, { accessToken }: { accessToken: string }): Promise<void> {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(21 * 1024 ** 2)], 'recording.bin'))
  const headers = { authorization: `Bearer ${accessToken}` }
  const sent = await fetch(`${url}/api/upload/resource`, { method: 'POST', headers, body: form })
  expect(sent.status).toBe(200)
}

test('a large account requests the archive, sees the progress, and downloads it', async ({
  page,
  server,
}) => {
  const person = await register(server.url)
  await uploadMuch(server.url, person)
  await signIn(page, server.url, person)
  await visit(page, '/profile/update')
  await expect(page.getByText('Your archive will be about 21 MB.')).toBeVisible()
  // Holds the page's polling of the running job until the page was checked.
  const { promise: looked, resolve: look } = Promise.withResolvers<void>()
  await intercept(page, '**/api/identity/exports', async (route) => {
    if (route.request().method() === 'GET') await looked
    await route.continue()
  })
  await page.getByRole('button', { name: 'Make the archive' }).click()
  await expect(page.getByText('We’re making your archive.')).toBeVisible()
  await expect(page.getByText('0 of about 21 MB')).toBeVisible()
  look()
  const link = page.getByRole('link', { name: 'Download the archive' })
  await expect(link).toBeVisible()
  await expect(page.getByText('is 21 MB')).toBeVisible()
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  const entries = readZip(await readFile(await download.path()))
  const sizes = [...entries].filter(([name]) => name.endsWith('recording.bin'))
  expect(sizes.map(([, content]) => content.length)).toEqual([21 * 1024 ** 2])
})
