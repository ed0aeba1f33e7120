/** Two people who chat, each in their own browser behind a proxy that can cut the connection. */
import type { Locator, Page } from '@playwright/test'
import { startTcpProxy, type TcpProxy } from '#signalr/testing/tcp-proxy.ts'
import { test as base } from './fixtures.ts'
import { call, register, type Registered } from './people.ts'
import { startServer, type Server } from './server.ts'

interface Wire {
  readonly server: Server
  /** The proxy in front of their pages. */
  readonly proxy: TcpProxy
}

export const test = base.extend<{ ann: Registered; bob: Registered }, { wire: Wire }>({
  wire: [
    async ({}, use) => {
      let port = 0
      const proxy = await startTcpProxy(() => port)
      const server = await startServer({ PUBLIC_URL: proxy.url })
      port = Number(new URL(server.url).port)
      await use({ server, proxy })
      await proxy.close()
      await server.stop()
    },
    { scope: 'worker' },
  ],
  server: [async ({ wire }, use) => use(wire.server), { scope: 'worker' }],
  baseURL: async ({ wire }, use) => use(wire.proxy.url),
  ann: async ({ server }, use) => use(await register(server.url)),
  bob: async ({ server }, use) => use(await register(server.url)),
})

/** Opens the conversation and waits until it is live. */
export async function openChat(page: Page, other: string): Promise<void> {
  // Only one tab of a browser connects to the hub.
  const isFirst = page.context().pages().length === 1
  const live = isFirst
    ? page.waitForResponse((answer) => answer.url().includes('/chatHub/negotiate'))
    : null
  await page.goto(`/chat?receiver=${encodeURIComponent(other)}`)
  await live
}

/** The text field, whoever the other person is. */
export const field = (page: Page): Locator => page.getByRole('textbox', { name: /^Message to / })

const room = (page: Page): Locator => page.getByRole('region', { name: /^Chat with / })

/** All sent and unsent messages on the page, in order. */
export const bubbles = (page: Page): Locator => room(page).locator('p[dir=auto]')

/** Messages that the server has not accepted yet. */
export const unsent = (page: Page): Locator => room(page).locator('p[dir=auto]:not([id])')

/** Types a message and presses Enter, without waiting for its delivery. */
export async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await field(page).press('Enter')
}

/** Sends a message through the API. */
export const write = (
  { url }: Server,
  person: Registered,
  receiverUsername: string,
  text: string,
): Promise<unknown> => call(url, person, 'POST', '/message/create', { text, receiverUsername })
