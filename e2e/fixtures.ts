/** One server for each worker, and what a person does there in a few words. */
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
  /** Opens a page in another browser, signed in, or a guest's; the browser is closed at the end. */
  sit: (person: NewPerson | null, options?: BrowserContextOptions) => Promise<Page>
}

export const test = base.extend<TestParts, WorkerParts>({
  server: [
    async ({}, use) => {
      const server = await startServer()
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

/**
 * What the journeys of a file stand on: made when the first of them asks for it, and there for the others. A part of
 * the worker would need a worker of its own, with another server and browser; this stands on those that are there,
 * beside what other files have made.
 * @param make makes it on the server that is there
 * @returns the fixture
 */
export function once<Made>(make: (server: Server) => Promise<Made>) {
  let made: Promise<Made> | undefined
  return async ({ server }: WorkerParts, use: (value: Made) => Promise<void>): Promise<void> =>
    use(await (made ??= make(server)))
}

/** How long nothing is asked for before a page counts as settled. */
const QUIET_MS = 100
const LONGEST_MS = 20_000

/** Waits until the open page answers what is done to it: its note of early presses goes with the hydration. */
export async function awake(page: Page): Promise<void> {
  const isAsleep = () => page.evaluate(() => 'earlyPress' in window)
  await expect.poll(isAsleep, { intervals: [10, 20, 50], timeout: LONGEST_MS }).toBe(false)
}

/**
 * Follows what a page asks for, from now on; the hub is left out, whose requests last by design.
 * @returns waits until nothing is under way, and ends the following
 */
export function followRequests(page: Page): () => Promise<void> {
  const underWay = new Set<Request>()
  let changedAt = Date.now()
  const begin = (request: Request) => {
    if (request.url().includes('/chatHub')) return
    underWay.add(request)
    changedAt = Date.now()
  }
  const end = (request: Request) => {
    if (underWay.delete(request)) changedAt = Date.now()
  }
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end)
  return async () => {
    const deadline = Date.now() + LONGEST_MS
    while (underWay.size > 0 || Date.now() - changedAt < QUIET_MS) {
      if (Date.now() > deadline) {
        const addresses = [...underWay].map((request) => request.url())
        throw new Error(`not answered yet: ${addresses.join(', ')}`)
      }
      await setTimeout(20)
    }
    page.off('request', begin).off('requestfinished', end).off('requestfailed', end)
  }
}

/** Opens a page and waits until it lives and has all that it asked for, parts that come later included. */
export async function visit(page: Page, address: string): Promise<void> {
  const settled = followRequests(page)
  await page.goto(address)
  await awake(page)
  await settled()
}

type RouteHandler = Parameters<Page['route']>[1]

/**
 * `page.route` for a page that is open already. Chromium confirms a route before the open document's requests go
 * through it, so this waits until one does: the next call would sometimes reach the server.
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

/** Lets what the page asks for at these addresses wait; gives what lets it come. Before the page is opened. */
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

/**
 * Lets what moves by frames move as on a quick machine: each frame of the page's documents from now on comes 16 ms after
 * the one before by the time that it is told, however long it takes here.
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

/** Waits until this browser has stored these words: drafts are written a moment after they were typed. */
export async function stored(page: Page, words: string): Promise<void> {
  const all = () => page.evaluate(() => Object.values(localStorage).join())
  await expect.poll(all).toContain(words)
}

/** The number in the header's balance at this moment: it counts to what it becomes, so it is polled. */
export async function balanceOf(page: Page): Promise<number> {
  const balance = { name: /KB Points$/, includeHidden: true }
  const text = await page.getByRole('banner').getByRole('link', balance).first().innerText()
  return Number(text.replaceAll(/[^\d-]/g, ''))
}
