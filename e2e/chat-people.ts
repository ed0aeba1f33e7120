/** Two people who write to each other, each in a browser of their own, behind a wire that can be cut. */
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test'
import { startTcpProxy, type TcpProxy } from '#signalr/testing/tcp-proxy.ts'
import { test as base } from './fixtures.ts'
import { register, type Registered } from './people.ts'
import { startServer } from './server.ts'

export type Transport = 'WebSockets' | 'ServerSentEvents' | 'LongPolling'

interface Wire {
  /** Of the product, past the proxy. */
  readonly url: string
  /** What pages are opened through. */
  readonly proxy: TcpProxy
}

/** What a browser, or a call past it, is opened with. */
type Way = Pick<Wire, 'url'> & { readonly proxy: Pick<TcpProxy, 'url'> }

export const test = base.extend<{ ann: Registered; bob: Registered }, { wire: Wire }>({
  wire: [
    async ({}, use) => {
      let port = 0
      const proxy = await startTcpProxy(() => port)
      const server = await startServer({ PUBLIC_URL: proxy.url })
      port = Number(new URL(server.url).port)
      await use({ url: server.url, proxy })
      await proxy.close()
      await server.stop()
    },
    { scope: 'worker' },
  ],
  ann: async ({ wire }, use) => use(await register(wire.url)),
  bob: async ({ wire }, use) => use(await register(wire.url)),
})

interface Sitting {
  readonly transport?: Transport
  readonly locale?: string
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
  /** A phone, whose one pointer is a finger. */
  readonly touches?: boolean
}

/** A browser of one person, signed in. `transport`: the browser knows no better one. */
export async function sit(
  browser: Browser,
  { proxy }: Way,
  person: Registered,
  {
    transport = 'WebSockets',
    locale = 'en-GB',
    colorScheme = 'light',
    width = 1280,
    touches = false,
  }: Sitting = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: proxy.url,
    locale,
    colorScheme,
    viewport: { width, height: 720 },
    hasTouch: touches,
    isMobile: touches,
  })
  await context.addInitScript((best) => {
    const lacking =
      best === 'WebSockets'
        ? []
        : best === 'LongPolling'
          ? ['WebSocket', 'EventSource']
          : ['WebSocket']
    for (const name of lacking) Reflect.deleteProperty(window, name)
  }, transport)
  const { username, password } = person
  const answer = await context.request.post('/api/identity/login', { data: { username, password } })
  if (!answer.ok()) throw new Error(`login answered ${answer.status()}`)
  return context
}

/** Opens the conversation and waits until it is live. */
export async function openChat(context: BrowserContext, other: string): Promise<Page> {
  // One of the tabs connects for all.
  const isFirst = context.pages().length === 0
  const page = await context.newPage()
  const live = isFirst
    ? page.waitForResponse((answer) => answer.url().includes('/chatHub/negotiate'))
    : null
  await page.goto(`/chat?receiver=${encodeURIComponent(other)}`)
  await live
  return page
}

/** The field in which the person writes, whoever the other one is. */
export const field = (page: Page): Locator => page.getByRole('textbox', { name: /^Message to / })

/** All messages that the page shows, sent and unsent, in their order. */
export const bubbles = (page: Page): Locator => page.locator('[data-message]')

/** Writes and sends as a person does, by Enter. It does not wait for the message to arrive. */
export async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await field(page).press('Enter')
}

/** Writes past every page. */
export async function write(
  { url }: Way,
  person: Registered,
  receiverUsername: string,
  text: string,
): Promise<number> {
  const response = await fetch(`${url}/api/message/create`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${person.accessToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ text, receiverUsername }),
  })
  return response.status
}
