/** One server per worker, and helpers for common actions. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import {
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  test as base,
  type Page,
  type Request,
} from '@playwright/test'
import sharp from 'sharp'
import { type NewPerson, signIn } from './people.ts'
import { startServer, type Server } from './server.ts'

export interface WorkerParts {
  server: Server
}

export interface TestParts {
  failOnPageErrors: undefined
  /** Opens a page in another browser, signed in or as a guest. The browser closes at the end. */
  sit: (person: NewPerson | null, options?: BrowserContextOptions) => Promise<Page>
}

export const test = base.extend<TestParts, WorkerParts>({
  server: [
    async ({}, use) => {
      // Changes nothing for people whose address is unconfirmed.
      const server = await startServer({ LESSON_ON_TRUST: '1' })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  sit: async ({ browser, server, baseURL }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (person, options) => {
      const context = await browser.newContext(options)
      contexts.push(context)
      const page = await context.newPage()
      if (person !== null) await signIn(page, baseURL ?? server.url, person)
      return page
    })
    for (const context of contexts) await context.close()
  },
  failOnPageErrors: [
    async ({ page }, use) => {
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      page.on('console', (line) => {
        if (
          line.type() === 'error' &&
          // Caused by Playwright's tracer, which reads the content of previews.
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

/**
 * Creates shared data of a file when its first test needs it. A worker-scoped fixture would need its own worker
 * with another server and browser; this uses the existing ones.
 * @param make creates the data on the existing server
 * @returns the fixture
 */
export function once<Made>(make: (server: Server) => Promise<Made>) {
  let made: Promise<Made> | undefined
  return async ({ server }: WorkerParts, use: (value: Made) => Promise<void>): Promise<void> =>
    use(await (made ??= make(server)))
}

/** Time in ms without requests after which a page counts as settled. */
const QUIET_MS = 100
const LONGEST_MS = 20_000

/** Waits for hydration, which removes the page's script for early clicks. */
export async function awake(page: Page): Promise<void> {
  const isAsleep = () => page.evaluate(() => 'earlyPress' in window)
  await expect.poll(isAsleep, { intervals: [10, 20, 50], timeout: LONGEST_MS }).toBe(false)
}

/**
 * Tracks the requests of a page from now on, except for the hub, whose requests are long-lived.
 * @returns a function that waits until no request is pending, and stops tracking
 */
export function followRequests(page: Page): () => Promise<void> {
  const pending = new Set<Request>()
  let changedAt = Date.now()
  const begin = (request: Request) => {
    if (request.url().includes('/chatHub')) return
    pending.add(request)
    changedAt = Date.now()
  }
  const end = (request: Request) => {
    if (pending.delete(request)) changedAt = Date.now()
  }
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end)
  return async () => {
    const deadline = Date.now() + LONGEST_MS
    while (pending.size > 0 || Date.now() - changedAt < QUIET_MS) {
      if (Date.now() > deadline) {
        const addresses = [...pending].map((request) => request.url())
        throw new Error(`not answered yet: ${addresses.join(', ')}`)
      }
      await setTimeout(20)
    }
    page.off('request', begin).off('requestfinished', end).off('requestfailed', end)
  }
}

/** Opens a page and waits for hydration and all of its requests, including those that start later. */
export async function visit(page: Page, address: string): Promise<void> {
  const settled = followRequests(page)
  await page.goto(address)
  await awake(page)
  await settled()
}

type RouteHandler = Parameters<Page['route']>[1]

/**
 * Installs `page.route` on an open page. Chromium confirms a route before it applies to the open document, so this
 * waits until a request was intercepted; otherwise the next call would sometimes reach the server.
 */
export async function intercept(
  page: Page,
  addresses: string,
  handler: RouteHandler,
  options?: { times?: number },
): Promise<void> {
  await page.route(addresses, handler, options)
  const probe = '/is-intercepted'
  await page.route(`**${probe}`, (route) => route.fulfill({ status: 204 }))
  const status = () => page.evaluate(async (url) => (await fetch(url)).status, probe)
  await expect.poll(status, { intervals: [10, 20, 50] }).toBe(204)
  await page.unroute(`**${probe}`)
}

/**
 * Holds back requests to these URLs and returns a function that releases them. Call it before the page is opened.
 */
export async function holdBack(
  page: Pick<Page, 'route'> | Pick<BrowserContext, 'route'>,
  addresses: string,
): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(addresses, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/**
 * Drops the response of the page's next call of that path. A route can't do this, because it would send the form
 * without its files.
 */
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

/**
 * Reports steady frames to animations, as on a fast machine: from now on, each frame's timestamp is 16 ms after
 * the previous one, however long it takes.
 */
export async function steadyFrames(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const ask = window.requestAnimationFrame.bind(window)
    let at = 0
    let last = 0
    window.requestAnimationFrame = (step) =>
      ask((now) => {
        if (now !== last) at += 16
        last = now
        step(at)
      })
  })
}

/** Waits until the page has rendered what it knows by now. */
export const afterFrames = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

/** Returns by how many pixels the page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

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

/** Waits until the browser has stored this text, because drafts are stored shortly after typing. */
export async function stored(page: Page, words: string): Promise<void> {
  const all = () => page.evaluate(() => Object.values(localStorage).join())
  await expect.poll(all).toContain(words)
}

/** Returns the balance in the header at this moment. Poll it, because it counts up to its new value. */
export async function balanceOf(page: Page): Promise<number> {
  const balance = { name: /KB Points$/, includeHidden: true }
  const text = await page.getByRole('banner').getByRole('link', balance).first().innerText()
  return Number(text.replaceAll(/[^\d-]/g, ''))
}

/** Unlocks the open item, and confirms the dialog. */
export async function unlock(page: Page, price: number): Promise<void> {
  const button = { name: `Unlock for ${price}` }
  await page.getByRole('button', button).first().click()
  await page.getByRole('dialog').getByRole('button', button).click()
}
