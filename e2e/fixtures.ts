/** One server for each worker, and what a person does there in a few words. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test as base, type Page } from '@playwright/test'
import sharp from 'sharp'
import { startServer, type Server } from './server.ts'

export interface WorkerParts {
  server: Server
}

export const test = base.extend<{ failOnPageErrors: undefined }, WorkerParts>({
  server: [
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  failOnPageErrors: [
    async ({ page }, use) => {
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      page.on('console', (line) => {
        if (
          line.type() === 'error' &&
          // The tracer's own: it reads what a preview shows.
          !line.text().startsWith("Connecting to 'blob:") &&
          /Content.Security.Policy|Hydration|hydrat/i.test(line.text())
        )
          errors.push(line.text())
      })
      await use(undefined)
      expect(errors).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** Loses the answer of the page's next call of that path. Not by a route: that would send a form without its files. */
export async function loseAnswer(page: Page, path: string): Promise<void> {
  await page.evaluate((lost) => {
    const send = window.fetch
    window.fetch = async (...call) => {
      const answer = await send(...call)
      if (call[0] !== lost) return answer
      window.fetch = send
      throw new TypeError('The answer is lost.')
    }
  }, path)
}

/** Writes a JPEG to the test's folder and returns its path. */
export async function writePicture(
  folder: string,
  name = 'picture.jpg',
  width = 800,
): Promise<string> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, name)
  await sharp({
    create: { width, height: Math.round((width * 9) / 16), channels: 3, background: '#0e5f49' },
  })
    .jpeg()
    .toFile(path)
  return path
}

/** The number in the header's balance. */
export async function balanceOf(page: Page): Promise<number> {
  const text = await page.locator('.balance .num').first().innerText()
  return Number(text.replaceAll(/[^\d-]/g, ''))
}
