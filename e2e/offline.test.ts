/**
 * Without a network, people can read what they opened or unlocked, but nobody else's items. New versions ask
 * before they activate.
 */
import type { Page } from '@playwright/test'
import { agePurchases } from './database.ts'
import { awake, expect, once, test as base, unlock, visit } from './fixtures.ts'
import { drawPicture, publishShelf, register, registerBuyer, type Shelf, signIn } from './people.ts'

const test = base.extend<{ shelf: Shelf }>({
  // The last lesson is in no course.
  shelf: once(async ({ url }) =>
    publishShelf(url, 'Kept', { count: 7, picture: await drawPicture(640, 360) }),
  ),
  // Shortens the delay before pages store what was opened or unlocked to a third.
  page: async ({ page }, use) => {
    await page.addInitScript(() => {
      const wait = window.setTimeout
      Object.assign(window, {
        setTimeout: (act: () => void, ms = 0, ...given: unknown[]) =>
          wait(act, ms < 500 ? ms : ms / 3, ...given),
      })
    })
    await use(page)
  },
})
test.use({ serviceWorkers: 'allow' })

/** Returns the lessons stored in the browser. */
const keptIn = (page: Page) =>
  page.evaluate(async () => {
    const pages: string[] = []
    for (const name of await caches.keys()) {
      if (!name.startsWith('kept:')) continue
      const cache = await caches.open(name)
      for (const { url } of await cache.keys()) {
        const { pathname } = new URL(url)
        if (pathname.includes('/details/')) pages.push(pathname)
      }
    }
    return pages.toSorted()
  })
const expectKept = (page: Page, paths: readonly string[]) =>
  expect.poll(() => keptIn(page), { timeout: 30_000 }).toEqual(paths.toSorted())

/** Sends the worker notes of people, which are their ids, and returns those that are stored then. */
const keepNotesOf = (page: Page, people: readonly string[]) =>
  page.evaluate(async (ids) => {
    const { active } = await navigator.serviceWorker.ready
    const lesson = { part: 'notes', lesson: 999_999_999 }
    for (const person of ids)
      active?.postMessage({ kind: 'keepPart', ...lesson, value: person, person })
    const { port1, port2 } = new MessageChannel()
    const answer = new Promise<unknown>((resolve) => {
      port1.addEventListener('message', ({ data }) => resolve(data))
    })
    port1.start()
    active?.postMessage({ kind: 'part', ...lesson }, [port2])
    return answer
  }, people)

/** Counts pictures that have finished loading without content, after requesting all of them. */
const countBrokenPictures = (page: Page) =>
  page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager'
    const images = [...document.images].filter(({ src }) => src !== '')
    await Promise.allSettled(images.map((image) => image.decode()))
    return images.filter(({ naturalWidth }) => naturalWidth === 0).length
  })

/** Expects the last word of an article. */
const expectArticle = (page: Page) => expect(page.getByText(/w\d+x39/)).toBeVisible()
const expectNoNetwork = (page: Page) =>
  expect(page.getByRole('heading', { level: 1 })).toHaveText('You’re offline')

test('a learner reads offline what they opened or unlocked, and the next person does not', async ({
  page,
  server,
  shelf,
}) => {
  test.setTimeout(90_000)
  const { url } = server
  const apart = `/lesson/details/${shelf.lessons[6]}`
  // Unlocked on another device and never opened here.
  const bought = [`lesson/buy/${shelf.lessons[6]}`, `course/buy/${shelf.course}`]
  const learner = await registerBuyer(server, 600, ...bought)
  // A course that can be returned isn't stored, because that would open its lessons.
  await agePurchases(server.dataDir, learner.id)
  await visit(page, '/')
  // Guests have no service worker.
  expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations())).toEqual([])
  await signIn(page, url, learner)
  await visit(page, apart)
  const ofCourse = shelf.lessons.slice(0, 6).map((id) => `/course/details/${shelf.course}/${id}`)
  await expectKept(page, [...ofCourse, apart])
  const notes = page.getByRole('tabpanel', { name: 'Your notes' })
  await page.getByRole('tab', { name: 'Your notes' }).click()
  await page.getByLabel('New note').fill('Read this on the train')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(notes.getByText('Read this on the train')).toBeVisible()

  await page.context().setOffline(true)
  await expect(page.getByText('You’re offline. You can still read')).toBeVisible()
  await page.reload()
  await awake(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Kept 7' })).toBeVisible()
  await page.getByRole('tab', { name: 'Your notes' }).click()
  await expect(notes.getByText('Read this on the train')).toBeVisible()
  await expect.poll(() => countBrokenPictures(page)).toBe(0)
  await expectArticle(page)
  // A page that is not stored says so and lists what can be read.
  await page.goto('/points')
  await expect(page).toHaveURL(/\/offline\?lang=en#\/points$/)
  await expectNoNetwork(page)
  const links = page.getByRole('region', { name: 'Available now' }).getByRole('link')
  await expect(links).toHaveCount(7)
  await links.filter({ hasText: 'All of Kept: Kept 1' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Kept 1' })).toBeVisible()
  await expectArticle(page)
  await awake(page)
  await page.getByRole('navigation', { name: 'Previous and next' }).getByRole('link').last().click()
  await expect(page.getByRole('heading', { level: 2, name: 'Kept 2' })).toBeVisible()
  await page.goto('/points')
  await awake(page)
  await page.context().setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page).toHaveURL(/\/points$/)

  await page.goto('/logout')
  await expect(page).toHaveURL(/\/$/)
  await expectKept(page, [])
  await page.context().setOffline(true)
  await page.goto(apart)
  await expectNoNetwork(page)
  await expect(page.getByText('Kept 7')).toHaveCount(0)

  // The next person in this browser only gets their own unlocked items.
  await page.context().setOffline(false)
  const next = await registerBuyer(server, 100, `lesson/buy/${shelf.lesson}`)
  await signIn(page, url, next)
  await visit(page, '/')
  await expectKept(page, [`/lesson/details/${shelf.lesson}`])
  expect(await keepNotesOf(page, [next.id, learner.id])).toBe(next.id)
  // The session ends without notifying this browser.
  await page.context().clearCookies()
  await signIn(page, url, await register(url))
  await visit(page, '/')
  await expectKept(page, [])
  await page.context().setOffline(true)
  await page.goto(`/lesson/details/${shelf.lesson}`)
  await expectNoNetwork(page)
})

test('unlocked items are stored at once, unless the browser saves data', async ({
  page,
  server,
  shelf,
}) => {
  await signIn(page, server.url, await registerBuyer(server, 200))
  await page.addInitScript(() => {
    const connection = { saveData: true }
    Object.defineProperty(navigator, 'connection', { value: connection })
  })
  const open = async (lesson: number | undefined) => {
    await visit(page, `/lesson/details/${lesson}`)
    await unlock(page, 100)
    await expect(page).toHaveURL(/\/lesson\/bought$/)
  }
  await open(shelf.lessons[0])
  // Longer than the delay before the page requests the list.
  const asked = page.waitForRequest('**/api/course/bought*', { timeout: 2000 })
  await expect(asked).rejects.toThrow('Timeout')
  expect(await keptIn(page)).toEqual([])
  const spare = () => Object.assign(Reflect.get(navigator, 'connection'), { saveData: false })
  await page.evaluate(spare)
  await page.addInitScript(spare)
  await open(shelf.lessons[1])
  await expectKept(
    page,
    shelf.lessons.slice(0, 2).map((id) => `/lesson/details/${id}`),
  )
})

test('a full disk only affects offline storage', async ({ page, server, shelf }) => {
  await signIn(page, server.url, shelf.author)
  await visit(page, '/')
  const session = await page.context().newCDPSession(page)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await session.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 1 })
  const path = `/lesson/details/${shelf.lessons[3]}`
  await visit(page, path)
  await expectArticle(page)
  // Longer than the delay before an open page is stored.
  await page.waitForTimeout(2000)
  await expectKept(page, [])
  await session.send('Storage.overrideQuotaForOrigin', { origin: server.url })
  await visit(page, path)
  await expectKept(page, [path])
})

test('a newer version waits for the reader’s consent', async ({ page, server, shelf }) => {
  // Serves a different first version. The browser's own update check bypasses this route.
  await page.context().route('**/service-worker.js', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: `${await answer.text()}\n// older` })
  })
  await signIn(page, server.url, shelf.author)
  const path = `/lesson/details/${shelf.lessons[3]}`
  await visit(page, path)
  await expectKept(page, [path])
  const offer = page.getByText('A new version is ready.')
  await page.context().unrouteAll()
  await visit(page, path)
  await expect(offer).toBeVisible()
  await page.evaluate(() => Object.assign(window, { marked: true }))
  await page.getByRole('button', { name: 'Load it' }).click()
  await page.waitForFunction(() => !('marked' in window))
  await awake(page)
  await expect(offer).toHaveCount(0)
  await expectKept(page, [path])
})

test('a browser without service workers reads and signs out as usual', async ({
  page,
  server,
  shelf,
}) => {
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
  await signIn(page, server.url, shelf.author)
  await visit(page, `/lesson/details/${shelf.lessons[4]}`)
  expect(await page.evaluate(() => 'serviceWorker' in navigator)).toBe(false)
  await expectArticle(page)
  await page.goto('/logout')
  await expect(page).toHaveURL('/')
})
