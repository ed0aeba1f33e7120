/**
 * Tests the number of unread messages on every page: live, with one connection per browser.
 */
import type { BrowserContext, Page } from '@playwright/test'
import { openChat, say, test, write } from './chat-people.ts'
import { expect } from './fixtures.ts'
import { logIn, register } from './people.ts'

/** The promised two seconds, plus time for a busy machine. */
const SOON = { timeout: 8000 }

/** Returns a function that counts the browser's current hub connections. */
function countSockets(context: BrowserContext): () => number {
  const open = new Map<Page, Set<unknown>>()
  const follow = (page: Page) => {
    const own = new Set<unknown>()
    open.set(page, own)
    page.on('websocket', (socket) => {
      if (!socket.url().includes('/chatHub')) return
      own.add(socket)
      socket.on('close', () => own.delete(socket))
    })
    // The end of the sockets of a previous document is not reported.
    page.on('domcontentloaded', () => own.clear())
    page.on('close', () => own.clear())
  }
  for (const page of context.pages()) follow(page)
  context.on('page', follow)
  return () => [...open.values()].reduce((sum, { size }) => sum + size, 0)
}

const waiting = (page: Page) =>
  page
    .getByRole('banner')
    .getByRole('link', { name: /^Messages/ })
    .getByText('unread message')

async function open(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto(path)
  return tab
}

test('the number changes in all tabs over one connection', async ({ sit, ann, bob }) => {
  const first = await sit(ann)
  const sockets = countSockets(first.context())
  const tabs = [first, await open(first, '/lesson/all'), await open(first, '/points')]
  await first.goto('/lesson/all')
  await expect.poll(sockets, SOON).toBe(1)
  const talk = await sit(bob)
  await openChat(talk, ann.username)
  await say(talk, 'are you there')
  for (const page of tabs) await expect(waiting(page)).toHaveText('1 unread message', SOON)
  await say(talk, 'hello')
  for (const page of tabs) await expect(waiting(page)).toHaveText('2 unread messages', SOON)
  expect(sockets()).toBe(1)

  // Reads the messages in her other browser.
  const elsewhere = await sit(ann)
  await openChat(elsewhere, bob.username)
  for (const page of tabs) await expect(waiting(page)).toHaveCount(0, SOON)
  await elsewhere.context().close()

  // Closes the tab with the connection.
  await tabs[1]?.close()
  tabs.splice(1, 1)
  await expect.poll(sockets, SOON).toBe(1)
  await say(talk, 'still there?')
  for (const page of tabs) await expect(waiting(page)).toHaveText('1 unread message', SOON)

  // A chat page shares the connection, and reading there updates the other tabs.
  await open(first, `/chat?receiver=${bob.username}`)
  for (const page of tabs) await expect(waiting(page)).toHaveCount(0, SOON)
  expect(sockets()).toBe(1)
})

test('a page asks for each number once', async ({ sit, ann }) => {
  const page = await sit(ann)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/unread|notice\/count/.test(pathname)) asked.push(pathname)
  })
  await page.goto('/about')
  const once = ['/api/message/unread', '/api/notice/count']
  await expect.poll(() => asked.toSorted(), SOON).toEqual(once)
  // A second request would follow within half a second of the first.
  await page.waitForTimeout(1000)
  expect(asked.toSorted()).toEqual(once)
})

test('it disappears at sign-out, and returns at sign-in', async ({ sit, server, ann, bob }) => {
  const eve = await register(server.url)
  const first = await sit(ann)
  const sockets = countSockets(first.context())
  const second = await open(first, '/lesson/all')
  await first.goto('/lesson/all')
  await expect.poll(sockets, SOON).toBe(1)
  await first.goto('/logout')
  await expect(first.getByRole('link', { name: 'Sign in', exact: true }).first()).toBeVisible(SOON)
  await expect.poll(sockets, SOON).toBe(0)
  await first.goto('/login')
  await logIn(first, eve)
  await expect.poll(sockets, SOON).toBe(1)
  await write(server, bob, eve.username, 'welcome')
  await write(server, bob, ann.username, 'not for eve')
  for (const page of [first, second])
    await expect(waiting(page)).toHaveText('1 unread message', SOON)
})

test('it works where WebSockets are blocked', async ({ sit, server, ann, bob }) => {
  const first = await sit(ann)
  await first.context().addInitScript(() => {
    for (const name of ['WebSocket', 'EventSource']) Reflect.deleteProperty(window, name)
  })
  const tabs = [first, await open(first, '/lesson/all')]
  await first.goto('/lesson/all')
  // When a connection is established, the page requests what it missed before.
  await write(server, bob, ann.username, 'by post')
  for (const page of tabs)
    await expect(waiting(page)).toHaveText('1 unread message', { timeout: 15_000 })
})
