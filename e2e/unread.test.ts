/** The unread number on every page: live, over one connection a browser, and none for guests. */
import type { BrowserContext, Page } from '@playwright/test'
import { openChat, say, sit, test, write } from './chat-people.ts'
import { expect, visit } from './fixtures.ts'
import { register } from './people.ts'

/** Two seconds for the person, and what a busy machine takes besides. */
const SOON = { timeout: 8000 }

/** How many connections to the hub the pages of a browser have now. */
function countSockets(context: BrowserContext): () => number {
  const open = new Map<Page, Set<unknown>>()
  context.on('page', (page) => {
    const own = new Set<unknown>()
    open.set(page, own)
    page.on('websocket', (socket) => {
      if (!socket.url().includes('/chatHub')) return
      own.add(socket)
      socket.on('close', () => own.delete(socket))
    })
    // Of a document that is left, the end of its sockets is not reported.
    page.on('domcontentloaded', () => own.clear())
    page.on('close', () => own.clear())
  })
  return () => [...open.values()].reduce((sum, { size }) => sum + size, 0)
}

const waiting = (page: Page) =>
  page
    .getByRole('banner')
    .getByRole('link', { name: /^Messages/ })
    .getByText('unread message')

async function open(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(path)
  return page
}

test('a guest loads nothing of it', async ({ page, wire }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await visit(page, `${wire.proxy.url}/lesson/all`)
  expect(asked.filter((url) => /chatHub|unread|signalr|\/tab-/i.test(url))).toEqual([])
})

test('the number rises and falls in all tabs over one connection', async ({
  browser,
  wire,
  ann,
  bob,
}) => {
  const hers = await sit(browser, wire, ann)
  const sockets = countSockets(hers)
  const tabs = [
    await open(hers, '/lesson/all'),
    await open(hers, '/lesson/all'),
    await open(hers, '/points'),
  ]
  await expect.poll(sockets, SOON).toBe(1)
  const his = await sit(browser, wire, bob)
  const talk = await openChat(his, ann.username)
  await say(talk, 'are you there')
  for (const page of tabs) await expect(waiting(page)).toHaveText('1 unread message', SOON)
  await say(talk, 'hello')
  for (const page of tabs) await expect(waiting(page)).toHaveText('2 unread messages', SOON)
  expect(sockets()).toBe(1)

  // Read in another browser of hers.
  const elsewhere = await sit(browser, wire, ann)
  await openChat(elsewhere, bob.username)
  for (const page of tabs) await expect(waiting(page)).toHaveCount(0, SOON)
  await elsewhere.close()

  // The tab that held the connection closes.
  await tabs[0]?.close()
  await expect.poll(sockets, SOON).toBe(1)
  await say(talk, 'still there?')
  for (const page of tabs.slice(1)) await expect(waiting(page)).toHaveText('1 unread message', SOON)

  // A chat page has no connection of its own, and reading there counts for the others.
  await openChat(hers, bob.username)
  for (const page of tabs.slice(1)) await expect(waiting(page)).toHaveCount(0, SOON)
  expect(sockets()).toBe(1)
  await hers.close()
  await his.close()
})

test('it goes with who signs out, and comes with who signs in', async ({
  browser,
  wire,
  ann,
  bob,
}) => {
  const eve = await register(wire.url)
  const hers = await sit(browser, wire, ann)
  const sockets = countSockets(hers)
  const tabs = [await open(hers, '/lesson/all'), await open(hers, '/lesson/all')]
  const [first, second] = tabs
  if (first === undefined || second === undefined) throw new Error('no tab')
  await expect.poll(sockets, SOON).toBe(1)
  await first.goto('/logout')
  await expect(first.getByRole('link', { name: 'Log in' }).first()).toBeVisible(SOON)
  await expect.poll(sockets, SOON).toBe(0)
  await first.goto('/login')
  await first.getByLabel('Username').fill(eve.username)
  await first.getByLabel('Password', { exact: true }).fill(eve.password)
  await first.getByRole('button', { name: 'Log in' }).click()
  await expect(first.getByRole('button', { name: `Account of ${eve.username}` })).toBeVisible(SOON)
  await expect.poll(sockets, SOON).toBe(1)
  await write(wire, bob, eve.username, 'welcome')
  await write(wire, bob, ann.username, 'not for eve')
  await expect(waiting(first)).toHaveText('1 unread message', SOON)
  await expect(waiting(second)).toHaveText('1 unread message', SOON)
  await hers.close()
})

test('it lives where sockets are blocked', async ({ browser, wire, ann, bob }) => {
  const hers = await sit(browser, wire, ann, { transport: 'LongPolling' })
  const tabs = [await open(hers, '/lesson/all'), await open(hers, '/lesson/all')]
  // Whenever the connection comes to be: what was missed before it is asked for.
  await write(wire, bob, ann.username, 'by post')
  for (const page of tabs)
    await expect(waiting(page)).toHaveText('1 unread message', { timeout: 15_000 })
  await hers.close()
})
