/** Without a network: what one has unlocked and opened can be read, by nobody else, and a newer version asks. */
import type { Page } from '@playwright/test'
import { LOCALES, type MessageKey } from '#contract/messages/messages.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { findings } from './axe.ts'
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
        if (!pathname.startsWith('/assets/')) pages.push(pathname)
      }
    }
    return pages.toSorted()
  })

/** Opens a page and waits until it is kept. */
async function keep(page: Page, path: string): Promise<void> {
  await visit(page, path)
  await expect.poll(() => keptIn(page)).toContain(path)
}

async function buy(url: string, person: Registered, lesson: number): Promise<void> {
  await publish(url, person)
  const answer = await fetch(`${url}/api/lesson/buy/${lesson}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.accessToken}` },
  })
  if (!answer.ok) throw new Error(`buying answered ${answer.status}`)
}

for (const locale of LOCALES) {
  const say = (key: MessageKey) => translate(locale, key)
  const lang = locale === 'bg' ? '?lang=bg' : ''

  test(`a learner reads without a network what they unlocked, and nothing after logout (${locale})`, async ({
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

    await page.context().setOffline(true)
    await expect(page.getByText(say('offlineNow'))).toBeVisible()
    await page.reload()
    await awake(page)
    await expect(page.getByRole('heading', { level: 1, name: 'Kept 1' })).toBeVisible()
    await expect(page.locator('.prose')).toContainText(/w\d+x39/)
    // What was never opened here is told, with what can be read.
    await page.goto(`/lesson/details/${other}`)
    await expect(page.getByRole('heading', { level: 1, name: say('offlineTitle') })).toBeVisible()
    expect(await findings(page)).toEqual([])
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
}

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
  expect(await findings(page)).toEqual([])
  await page.evaluate(() => Object.assign(window, { marked: true }))
  await page.getByRole('button', { name: 'Load it' }).click()
  await page.waitForFunction(() => !('marked' in window))
  await awake(page)
  await expect(offer).toHaveCount(0)
  expect(await keptIn(page)).toEqual([`/lesson/details/${shelf.lessons[3]}`])
})
