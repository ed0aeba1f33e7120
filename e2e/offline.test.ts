/** Without a network: what one has opened or unlocked can be read, by nobody else, and a newer version asks. */
import type { Page } from '@playwright/test'
import { type MessageKey } from '#contract/messages/messages.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { awake, expect, once, test as base, visit } from './fixtures.ts'
import { publish, publishCourse, register, type Registered, signIn } from './people.ts'

interface Shelf {
  readonly author: Registered
  readonly lessons: readonly number[]
  readonly course: number
}

const test = base.extend<{ shelf: Shelf }>({
  shelf: once(async ({ url }) => {
    const author = await register(url)
    const lessons: number[] = []
    for (let place = 1; place <= 6; place += 1)
      lessons.push(await publish(url, author, { title: `Kept ${place}` }))
    const course = await publishCourse(url, author, lessons, { title: 'All of it' })
    return { author, lessons, course }
  }),
})
test.use({ serviceWorkers: 'allow' })

/** What the browser keeps, by the names of its stores. */
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

/** Pictures that have come, or failed, without anything to show; all are asked for. */
const countBrokenPictures = (page: Page) =>
  page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager'
    const images = [...document.images].filter(({ src }) => src !== '')
    await Promise.allSettled(images.map((image) => image.decode()))
    return images.filter(({ naturalWidth }) => naturalWidth === 0).length
  })

/** Opens a page and waits until it is kept. */
async function keep(page: Page, path: string): Promise<void> {
  await visit(page, path)
  await expect.poll(() => keptIn(page)).toContain(path)
}

/** Has somebody earn what it costs, and buy it. */
async function buy(
  url: string,
  person: Registered,
  id: number,
  kind: 'lesson' | 'course' = 'lesson',
): Promise<void> {
  for (let earned = 0; earned < (kind === 'lesson' ? 1 : 5); earned += 1) await publish(url, person)
  const answer = await fetch(`${url}/api/${kind}/buy/${id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.accessToken}` },
  })
  if (!answer.ok) throw new Error(`buying answered ${answer.status}`)
}

const say = (key: MessageKey) => translate('en', key)
const lang = ''

test(`a learner reads without a network what they unlocked, and nothing after logout`, async ({
  page,
  server,
  shelf,
}) => {
  const [lesson = 0, other = 0] = shelf.lessons
  const learner = await register(server.url)
  await buy(server.url, learner, lesson)
  await signIn(page, server.url, learner)
  await visit(page, `/${lang}`)
  await page.goto(`/lesson/details/${lesson}${lang}`)
  await expect.poll(() => keptIn(page)).toEqual([`/lesson/details/${lesson}`])

  await page.getByText('Your notes').click()
  await page.getByLabel(say('noteNew')).fill('Read this on the train')
  await page.getByRole('button', { name: say('noteSave') }).click()
  await expect(
    page
      .locator('details', { has: page.getByText('Your notes') })
      .getByText('Read this on the train'),
  ).toBeVisible()

  await page.context().setOffline(true)
  await expect(page.getByText(say('offlineNow'))).toBeVisible()
  await page.reload()
  await awake(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Kept 1' })).toBeVisible()
  await page.getByText('Your notes').click()
  await expect(
    page
      .locator('details', { has: page.getByText('Your notes') })
      .getByText('Read this on the train'),
  ).toBeVisible()
  await expect.poll(() => countBrokenPictures(page)).toBe(0)
  await expect(page.locator('.prose')).toContainText(/w\d+x39/)
  // What was never opened here is told, with what can be read.
  await page.goto(`/lesson/details/${other}`)
  await expect(page.getByRole('heading', { level: 1, name: say('offlineTitle') })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Kept 1' }).click()
  await expect(page.locator('.prose')).toContainText(/w\d+x39/)

  await page.context().setOffline(false)
  await visit(page, '/')
  await page.goto('/logout')
  await expect(page).toHaveURL(/\/$/)
  await expect.poll(() => keptIn(page)).toEqual([])
  await page.context().setOffline(true)
  await page.goto(`/lesson/details/${lesson}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('offlineTitle'))
  await expect(page.getByText('Kept 1')).toHaveCount(0)
})

test('what was unlocked elsewhere is read here without a network, though it was never opened', async ({
  page,
  server,
  shelf,
}) => {
  const learner = await register(server.url)
  const [lesson = 0] = shelf.lessons
  const other = await publish(server.url, shelf.author, { title: 'Apart' })
  await buy(server.url, learner, other)
  await buy(server.url, learner, shelf.course, 'course')
  await signIn(page, server.url, learner)
  await visit(page, '/')
  const ofCourse = shelf.lessons.map((id) => `/course/details/${shelf.course}/${id}`)
  const all = [...ofCourse, `/lesson/details/${other}`].toSorted()
  await expect.poll(() => keptIn(page), { timeout: 30_000 }).toEqual(all)

  await page.context().setOffline(true)
  for (const [path, level, title] of [
    [`/lesson/details/${other}`, 1, 'Apart'],
    [`/course/details/${shelf.course}/${lesson}`, 2, 'Kept 1'],
  ] as const) {
    await page.goto(path)
    await awake(page)
    await expect(page.getByRole('heading', { level, name: title })).toBeVisible()
    await expect(page.locator('.prose')).toContainText(/w\d+x39/)
  }
  await page.goto('/points')
  const kept = page.getByRole('region', { name: 'To be read now' }).getByRole('link')
  await expect(kept).toHaveCount(7)
  await expect(kept.filter({ hasText: 'All of it: Kept 6' })).toHaveCount(1)

  await page.context().setOffline(false)
  await visit(page, '/')
  await page.goto('/logout')
  await expect(page).toHaveURL(/\/$/)
  await expect.poll(() => keptIn(page)).toEqual([])
  // Who comes next has what they unlocked themselves, and nothing else.
  const next = await register(server.url)
  await buy(server.url, next, lesson)
  await signIn(page, server.url, next)
  await visit(page, '/')
  await expect.poll(() => keptIn(page), { timeout: 30_000 }).toEqual([`/lesson/details/${lesson}`])
  await page.context().setOffline(true)
  await page.goto(`/lesson/details/${other}`)
  await expect(page.getByRole('heading', { level: 1, name: 'No network' })).toBeVisible()
  await expect(page.getByText('Apart')).toHaveCount(0)
})

test('what is unlocked is kept at once, unless the network is to be spared', async ({
  page,
  server,
  shelf,
}) => {
  const learner = await register(server.url)
  for (let earned = 0; earned < 2; earned += 1) await publish(server.url, learner)
  await signIn(page, server.url, learner)
  await page.addInitScript(() => {
    const connection = { saveData: true }
    Object.defineProperty(navigator, 'connection', { value: connection })
  })
  const unlock = async (lesson: number | undefined) => {
    await visit(page, `/lesson/details/${lesson}`)
    await page.getByRole('button', { name: 'Unlock for 100' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unlock for 100' }).click()
    await expect(page).toHaveURL(/\/lesson\/bought$/)
  }
  await unlock(shelf.lessons[0])
  // Longer than the page waits before it asks what there is.
  const asked = page.waitForRequest('**/api/course/bought*', { timeout: 6000 })
  await expect(asked).rejects.toThrow('Timeout')
  expect(await keptIn(page)).toEqual([])
  await page.evaluate(() =>
    Object.assign(Reflect.get(navigator, 'connection'), { saveData: false }),
  )
  await page.addInitScript(() => {
    Object.assign(Reflect.get(navigator, 'connection'), { saveData: false })
  })
  await unlock(shelf.lessons[1])
  await expect
    .poll(() => keptIn(page), { timeout: 30_000 })
    .toEqual(shelf.lessons.slice(0, 2).map((id) => `/lesson/details/${id}`))
})

test('a step to another page leads to what is kept of it, and back when there is a network', async ({
  page,
  server,
  shelf,
}) => {
  await signIn(page, server.url, shelf.author)
  const [first, second] = [0, 1].map(
    (place) => `/course/details/${shelf.course}/${shelf.lessons[place]}`,
  )
  await keep(page, second ?? '')
  await keep(page, first ?? '')
  await page.context().setOffline(true)
  await page.getByRole('navigation', { name: 'Previous and next' }).getByRole('link').last().click()
  await expect(page.getByRole('heading', { level: 2, name: 'Kept 2' })).toBeVisible()
  await page.goto('/points')
  await expect(page).toHaveURL(/\/offline\?lang=en#\/points$/)
  await awake(page)
  await page.context().setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page).toHaveURL(/\/points$/)
})

test('another person of the same browser finds nothing of the one before', async ({
  page,
  server,
  shelf,
}) => {
  const [lesson = 0] = shelf.lessons
  await signIn(page, server.url, shelf.author)
  await keep(page, `/lesson/details/${lesson}`)
  // The session ends elsewhere, without a word to this browser.
  await page.context().clearCookies()
  await signIn(page, server.url, await register(server.url))
  await visit(page, '/')
  await expect.poll(() => keptIn(page)).toEqual([])
  await page.context().setOffline(true)
  await page.goto(`/lesson/details/${lesson}`)
  await expect(page.getByRole('heading', { level: 1, name: 'No network' })).toBeVisible()
})

test('a full disk costs nothing but what would be kept', async ({ page, server, shelf }) => {
  await signIn(page, server.url, shelf.author)
  await visit(page, '/')
  const session = await page.context().newCDPSession(page)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await session.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 1 })
  await visit(page, `/lesson/details/${shelf.lessons[2]}`)
  await expect(page.locator('.prose')).toContainText(/w\d+x39/)
  await page.waitForTimeout(5000)
  expect(await keptIn(page)).toEqual([])
  await session.send('Storage.overrideQuotaForOrigin', { origin: server.url })
  await keep(page, `/lesson/details/${shelf.lessons[2]}`)
})

test('guests have no worker', async ({ page }) => {
  await visit(page, '/')
  expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations())).toEqual([])
})

test('a browser without service workers reads and signs out as before', async ({
  page,
  server,
  shelf,
}) => {
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
  await signIn(page, server.url, shelf.author)
  await visit(page, `/lesson/details/${shelf.lessons[4]}`)
  expect(await page.evaluate(() => 'serviceWorker' in navigator)).toBe(false)
  await expect(page.locator('.prose')).toContainText(/w\d+x39/)
  await page.goto('/logout')
  await expect(page).toHaveURL('/')
})

test('a newer version waits for the reader’s word', async ({ page, server, shelf }) => {
  let build = ''
  await page.context().route('**/service-worker.js', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: `${await answer.text()}\n// ${build}` })
  })
  await signIn(page, server.url, shelf.author)
  await keep(page, `/lesson/details/${shelf.lessons[3]}`)
  await expect(page.getByText('A new version is ready.')).toHaveCount(0)
  build = 'newer'
  await visit(page, `/lesson/details/${shelf.lessons[3]}`)
  const offer = page.getByText('A new version is ready.')
  await expect(offer).toBeVisible()
  await page.evaluate(() => Object.assign(window, { marked: true }))
  await page.getByRole('button', { name: 'Load it' }).click()
  await page.waitForFunction(() => !('marked' in window))
  await awake(page)
  await expect(offer).toHaveCount(0)
  expect(await keptIn(page)).toEqual([`/lesson/details/${shelf.lessons[3]}`])
})
