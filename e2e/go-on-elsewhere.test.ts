/**
 * Tests that learners continue where they stopped: on another device, after losing the network, and after signing
 * in.
 */
import type { Page } from '@playwright/test'
import { afterFrames, expect, intercept, once, test as base, visit } from './fixtures.ts'
import {
  call,
  publish,
  publishShelf,
  registerBuyer,
  type Registered,
  type Shelf,
  signIn,
} from './people.ts'
import { playHere, press } from './player.ts'

const test = base.extend<{ shop: Shelf; learner: Registered }>({
  // The first lesson is the free preview.
  shop: once(({ url }) => publishShelf(url, 'Rowing', { count: 7, preview: 1 })),
  learner: async ({ server }, use) => {
    const learner = await registerBuyer(server, 600)
    // Without a published item the front page shows other things.
    await publish(server.url, learner)
    await use(learner)
  },
})

/** Returns the server's progress of the person in a lesson. */
async function knownOf(url: string, learner: Registered, lesson: number) {
  const path = `/progress?lesson=${lesson}`
  return (await call<{ seconds: number; done: boolean }[]>(url, learner, 'GET', path))[0]
}

/** Waits for a progress report with a video position. */
const reported = (page: Page) =>
  page.waitForResponse(
    (response) =>
      response.url().includes('/api/progress/') &&
      response.status() === 204 &&
      (response.request().postData() ?? '').includes('seconds'),
  )

const play = (page: Page) => page.getByRole('button', { name: 'Play the video' }).click()

test('a video continues at the same second on a phone, and progress made offline is sent later', async ({
  page: laptop,
  sit,
  server,
  shop,
  learner,
}) => {
  const [first = 0, second = 0, , , , sixth = 0, seventh = 0] = shop.lessons
  for (const id of [seventh, sixth]) await call(server.url, learner, 'POST', `/lesson/buy/${id}`)
  await playHere(laptop)
  await signIn(laptop, server.url, learner)
  await visit(laptop, `/lesson/details/${seventh}`)
  await play(laptop)
  const sent = reported(laptop)
  await press(laptop, '760')
  await sent

  const phone = await sit(learner, { viewport: { width: 390, height: 844 }, hasTouch: true })
  await playHere(phone)
  await visit(phone, '/')
  const goOn = phone.getByRole('region', { name: /^Pick up/ })
  await expect(goOn).toContainText('12:40 of 20:00 watched')
  await expect(goOn.getByRole('progressbar')).toHaveAttribute('value', '760')
  await goOn.getByRole('link', { name: 'Rowing 7' }).click()
  // The link starts the video at that second.
  await expect(phone.locator('iframe')).toHaveAttribute('src', /[?&]start=760(?:&|$)/)

  // The last unlocked item is first, unless the list is sorted by the last visit.
  await visit(phone, '/lesson/bought')
  const titles = phone.getByRole('main').getByRole('heading', { level: 2 })
  await expect(titles.first()).toContainText('Rowing 6')
  const order = phone.getByRole('group', { name: 'Sort by' })
  await order.getByRole('link', { name: 'Last opened' }).click()
  await expect(titles.first()).toContainText('Rowing 7')

  await call(server.url, learner, 'POST', `/course/buy/${shop.course}`)
  const path = `/course/details/${shop.course}/${second}`
  await visit(laptop, path)
  await play(laptop)
  await intercept(laptop, '**/api/progress/**', (route) => route.abort())
  await press(laptop, '100')
  const here = laptop.getByRole('complementary').locator('[aria-current]')
  await expect(here).toContainText('1:40 of 20:00')
  await laptop.getByRole('button', { name: 'Mark as done' }).click()
  await expect(here).toContainText('Done')
  // Meanwhile another device continues the same lesson.
  await visit(phone, path)
  await play(phone)
  const further = reported(phone)
  await press(phone, '760')
  await further

  await laptop.unroute('**/api/progress/**')
  const late = reported(laptop)
  await laptop.evaluate(() => window.dispatchEvent(new Event('online')))
  await late
  await visit(phone, path)
  await expect(phone.getByRole('button', { name: 'Continue at 12:40' })).toBeVisible()
  await visit(phone, `/course/details/${shop.course}/${first}`)
  await visit(phone, '/')
  await expect(goOn).toContainText('1 of 6 lessons done')
})

test('a guest’s progress is transferred once, and the lists of unlocked items show progress', async ({
  page,
  server,
  shop,
  learner,
}) => {
  const { url } = server
  const [free = 0, second = 0, third = 0, , , , seventh = 0] = shop.lessons
  await playHere(page)
  await visit(page, `/lesson/details/${free}`)
  const markDone = page.getByRole('button', { name: 'Mark as done' })
  await expect(markDone).toHaveCount(0)
  await play(page)
  await press(page, '760')
  const storedProgress = () => page.evaluate(() => localStorage.getItem('kb:guest:progress'))
  await expect.poll(storedProgress).toContain('760')
  await call(url, learner, 'POST', `/lesson/buy/${seventh}`)
  await call(url, learner, 'POST', `/course/buy/${shop.course}`)
  await signIn(page, url, learner)
  const sent = reported(page)
  await visit(page, '/')
  await sent
  expect(await storedProgress()).toBeNull()
  await visit(page, '/course/bought')
  const newest = page.getByRole('article').filter({ hasText: 'The newest on your shelf' })
  const goOn = newest.getByRole('link', { name: 'Continue: All of Rowing' })
  await goOn.click()
  await expect(page).toHaveURL(`/course/details/${shop.course}/${free}`)
  await page.getByRole('button', { name: 'Continue at 12:40' }).click()
  // Watching the last part of the video finishes the lesson.
  const ended = reported(page)
  await press(page, '1150')
  await ended
  await expect(page.getByText(/^1 of 6 done/)).toBeVisible()
  await visit(page, '/course/bought')
  await expect(newest).toContainText('1 of 6 lessons done')
  await expect(goOn).toHaveAttribute('href', `/course/details/${shop.course}/${second}`)
  await visit(page, `/course/details/${shop.course}/${third}`)
  await visit(page, '/course/bought')
  await expect(goOn).toHaveAttribute('href', `/course/details/${shop.course}/${third}`)

  await visit(page, '/lesson/bought')
  const through = page.getByRole('region', { name: 'Open to you through a course' })
  await expect(through).toContainText('1 of 6 lessons done')
  await expect(newest.getByRole('link', { name: 'Read it now: Rowing 7' })).toBeVisible()
  await visit(page, `/lesson/details/${seventh}`)
  await markDone.press('Enter')
  const unmarkDone = page.getByRole('button', { name: 'Mark as not done' })
  await expect(unmarkDone).toBeFocused()
  await expect.poll(() => knownOf(url, learner, seventh)).toMatchObject({ done: true })
  await visit(page, '/lesson/bought')
  await expect(newest).toContainText('Done')
  await newest.getByRole('link', { name: 'Read it again: Rowing 7' }).click()
  await unmarkDone.click()
  await expect.poll(() => knownOf(url, learner, seventh)).toMatchObject({ done: false })
  await visit(page, '/lesson/bought')
  await expect(newest).toContainText('Started, not finished yet')
  await expect(newest.getByRole('link', { name: 'Continue: Rowing 7' })).toBeVisible()
})

test('a playing video reports every 15 seconds and at its end, and its last second when the page closes', async ({
  page,
  server,
  shop,
  learner,
}) => {
  const [first = 0, second = 0] = shop.lessons.slice(5)
  for (const id of [first, second]) await call(server.url, learner, 'POST', `/lesson/buy/${id}`)
  await playHere(page)
  await page.clock.install()
  const reports: number[] = []
  page.on('request', (request) => {
    const { seconds } = (request.method() === 'PUT' ? request.postDataJSON() : {}) as {
      seconds?: number
    }
    if (seconds !== undefined) reports.push(seconds)
  })
  await page.addInitScript(() => {
    const ask = window.fetch
    const counted = Object.assign(window, { unanswered: 0 })
    window.fetch = async (...request) => {
      if (request[1]?.method !== 'PUT') return ask(...request)
      counted.unanswered += 1
      return ask(...request).finally(() => (counted.unanswered -= 1))
    }
  })
  const unanswered = () =>
    page.evaluate(() => (window as unknown as { unanswered: number }).unanswered)
  await signIn(page, server.url, learner)
  const watch = async (lesson: number) => {
    await page.clock.resume()
    await visit(page, `/lesson/details/${lesson}`)
    await play(page)
    await expect(page.frameLocator('iframe').getByRole('button').first()).toBeVisible()
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  }
  // The player's own messages arrive some time later; these arrive while the clock is paused.
  const say = (info: object) =>
    page.evaluate((said) => {
      const source = document.querySelector('iframe')?.contentWindow ?? null
      const data = JSON.stringify({ event: 'infoDelivery', info: said })
      const origin = 'https://www.youtube-nocookie.com'
      window.dispatchEvent(new MessageEvent('message', { data, origin, source }))
    }, info)
  const playFrom = async (from: number, seconds: number) => {
    for (let at = from + 1; at <= from + seconds; at += 1) {
      await page.clock.runFor(1000)
      await say({ currentTime: at })
      // The page's clock runs fast, so the response may take many of its seconds.
      await expect.poll(unanswered).toBe(0)
    }
  }

  await watch(first)
  await playFrom(0, 73)
  await expect.poll(() => reports.at(-1)).toBeGreaterThan(73 - 15)
  expect(reports.length).toBeGreaterThanOrEqual(4)
  const steps = reports.slice(1).map((at, place) => at - (reports[place] ?? 0))
  expect(steps).toEqual(steps.map(() => 15))
  const before = reports.length
  await say({ playerState: 0 })
  await expect.poll(() => reports.slice(before)).toEqual([1200])
  await expect
    .poll(() => knownOf(server.url, learner, first))
    .toMatchObject({ seconds: 1200, done: true })
  // Nothing is reported while the video stands at its end.
  await page.clock.runFor(60_000)
  expect(reports.slice(before)).toEqual([1200])

  await watch(second)
  // The last report is still unanswered when the page closes.
  await page.evaluate(() => {
    const ask = window.fetch
    window.fetch = async (...request) => {
      const answer = await ask(...request)
      return request[1]?.method === 'PUT' ? new Promise<Response>(() => {}) : answer
    }
  })
  await playFrom(0, 33)
  expect(reports.at(-1)).toBeLessThan(33)
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => knownOf(server.url, learner, second)).toMatchObject({ seconds: 33 })
})

test('a late response does not undo that a lesson is finished', async ({
  sit,
  server,
  shop,
  learner,
}) => {
  const [first] = shop.lessons
  await call(server.url, learner, 'POST', `/course/buy/${shop.course}`)
  const page = await sit(learner)
  const path = `/course/details/${shop.course}/${first}`
  // The server already knows the lesson and returns that it is not finished.
  const report = { seconds: 10, furthest: 10, length: 100, ago: 0 }
  await call(server.url, learner, 'PUT', `/progress/${first}`, report)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/progress?*', async (route) => {
    const response = await route.fetch()
    await released
    await route.fulfill({ response })
  })
  const asked = page.waitForRequest('**/api/progress?*')
  const answered = page.waitForResponse('**/api/progress?*')
  await page.goto(path)
  await asked
  await page.getByRole('button', { name: 'Mark as done' }).click()
  const done = page.getByRole('button', { name: 'Mark as not done' })
  await expect(done).toBeVisible()
  const known = () => knownOf(server.url, learner, first ?? 0)
  await expect.poll(async () => (await known())?.done).toBe(true)
  // The browser stores the newer state before the older response arrives.
  await expect
    .poll(() => page.evaluate(() => Object.values(localStorage).join()))
    .not.toContain('"mark"')
  release()
  await (await answered).finished()
  await afterFrames(page)
  await expect(done).toBeVisible()
})
