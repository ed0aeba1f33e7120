/** A learner goes on where they stopped: on another device, after a network that was gone, and after signing in. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { type MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { expect, test as base, visit } from './fixtures.ts'
import { publish, publishCourse, register, type Registered, signIn } from './people.ts'

const locale = 'en'

interface Shop {
  readonly author: Registered
  readonly lessons: readonly number[]
  readonly course: number
}

const test = base.extend<object, { shop: Shop }>({
  shop: [
    async ({ server }, use) => {
      const author = await register(server.url)
      const lessons: number[] = []
      for (let place = 1; place <= 7; place += 1)
        lessons.push(await publish(server.url, author, { title: `Rowing ${place}` }))
      const course = await publishCourse(server.url, author, lessons.slice(0, 6), {
        title: 'All of rowing',
        freePreview: String(lessons[0]),
      })
      await use({ author, lessons, course })
    },
    { scope: 'worker' },
  ],
})

/** Somebody who can pay for a course and a lesson. */
async function earn(url: string): Promise<Registered> {
  const learner = await register(url)
  for (let count = 0; count < 6; count += 1) await publish(url, learner)
  return learner
}

/** How far the server knows them in a lesson. */
async function knownOf(url: string, { accessToken }: Registered, lesson: number) {
  const headers = { authorization: `Bearer ${accessToken}` }
  const response = await fetch(`${url}/api/progress?lesson=${lesson}`, { headers })
  return ((await response.json()) as { seconds: number; done: boolean }[])[0]
}

async function buy(url: string, { accessToken }: Registered, what: string): Promise<void> {
  const headers = { authorization: `Bearer ${accessToken}` }
  const response = await fetch(`${url}/api/${what}`, { method: 'POST', headers })
  if (!response.ok) throw new Error(`${what} was answered ${response.status}`)
}

/** A player of 20 minutes that says the second that is pressed, and pauses there. It shows its buttons to who listens. */
async function playHere(context: BrowserContext): Promise<void> {
  await context.route('https://www.youtube-nocookie.com/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<p hidden><button>100</button><button>760</button><button>1150</button></p><script>
        const tell = (info) => parent.postMessage(JSON.stringify({ event: 'infoDelivery', info }), '*')
        addEventListener('message', () => {
          tell({ duration: 1200 })
          document.querySelector('p').hidden = false
        })
        addEventListener('click', ({ target }) => {
          tell({ currentTime: Number(target.textContent) })
          tell({ playerState: 2 })
        })
      </script>`,
    }),
  )
}

async function device(browser: Browser, locale: string, phone: boolean): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en-GB',
    ...(phone && { viewport: { width: 390, height: 844 }, hasTouch: true }),
  })
  await playHere(context)
  return context.newPage()
}

const reported = (page: Page, method = 'PUT') =>
  page.waitForResponse(
    (response) =>
      response.url().includes('/api/progress/') &&
      response.request().method() === method &&
      response.status() === 204 &&
      (response.request().postData() ?? '').includes('seconds'),
  )

async function watchTo(page: Page, second: number): Promise<void> {
  await page
    .frameLocator('iframe')
    .getByRole('button', { name: String(second), exact: true })
    .click()
}

const say = (key: MessageKey, values?: MessageValues) => translate('en', key, values)

test(`a video goes on at the same second on a phone`, async ({ browser, server, shop }) => {
  const learner = await earn(server.url)
  const lesson = shop.lessons[6] ?? 0
  for (const id of [lesson, shop.lessons[5]]) await buy(server.url, learner, `lesson/buy/${id}`)
  const laptop = await device(browser, locale, false)
  await signIn(laptop, server.url, learner)
  await visit(laptop, `/lesson/details/${lesson}`)
  await laptop.getByRole('button', { name: say('playVideo') }).click()
  const sent = reported(laptop)
  await watchTo(laptop, 760)
  await sent

  const phone = await device(browser, locale, true)
  await signIn(phone, server.url, learner)
  await visit(phone, '/')
  const goOn = phone.getByRole('region', { name: say('stallContinue') })
  await expect(goOn).toContainText(say('stallAt', { at: '12:40', of: '20:00' }))
  await expect(goOn.getByRole('progressbar')).toHaveAttribute('value', '760')
  await goOn.getByRole('link', { name: 'Rowing 7' }).click()
  const button = phone.getByRole('button', { name: say('continueAt', { time: '12:40' }) })
  await button.click()
  await expect(phone.locator('iframe')).toHaveAttribute('src', /[?&]start=760(?:&|$)/)

  // What was unlocked last stands first, unless the order is that of opening.
  await visit(phone, '/lesson/bought')
  const titles = phone.getByRole('main').getByRole('heading', { level: 2 })
  await expect(titles.first()).toContainText('Rowing 6')
  const order = phone.getByRole('group', { name: say('sortBy') })
  await order.getByRole('link', { name: say('sortOpened') }).click()
  await expect(phone).toHaveURL(/\/lesson\/bought\?sort=opened$/)
  await expect(titles.first()).toContainText('Rowing 7')
  await laptop.context().close()
  await phone.context().close()
})

test(`what is watched without a network goes later, and nothing jumps back`, async ({
  browser,
  server,
  shop,
}) => {
  const learner = await earn(server.url)
  await buy(server.url, learner, `course/buy/${shop.course}`)
  const [first = 0, second = 0] = shop.lessons
  const laptop = await device(browser, locale, false)
  await signIn(laptop, server.url, learner)
  await visit(laptop, `/course/details/${shop.course}/${second}`)
  await laptop.getByRole('button', { name: say('playVideo') }).click()
  await expect(laptop.frameLocator('iframe').getByRole('button')).toHaveCount(3)
  await laptop.route('**/api/progress/**', (route) => route.abort())
  await watchTo(laptop, 100)
  await laptop.getByRole('button', { name: say('courseMarkDone') }).click()
  await expect(laptop.locator('aside ol [aria-current]')).toContainText(say('courseDoneMark'))

  // Meanwhile another device goes on in the same lesson.
  const phone = await device(browser, locale, true)
  await signIn(phone, server.url, learner)
  await visit(phone, `/course/details/${shop.course}/${second}`)
  await phone.getByRole('button', { name: say('playVideo') }).click()
  const sent = reported(phone)
  await watchTo(phone, 760)
  await sent

  await laptop.unroute('**/api/progress/**')
  const late = reported(laptop)
  await laptop.evaluate(() => window.dispatchEvent(new Event('online')))
  await late
  await visit(phone, `/course/details/${shop.course}/${second}`)
  await expect(
    phone.getByRole('button', { name: say('continueAt', { time: '12:40' }) }),
  ).toBeVisible()
  await visit(phone, `/course/details/${shop.course}/${first}`)
  await visit(phone, '/')
  const goOn = phone.getByRole('region', { name: say('stallContinue') })
  await expect(goOn).toContainText(say('stallDoneOf', { done: 1, total: 6 }))
  await laptop.context().close()
  await phone.context().close()
})

test(`a lesson bought on its own is marked as done, and the bought lists say how far one is`, async ({
  browser,
  server,
  shop,
}) => {
  const lesson = shop.lessons[6] ?? 0
  const [free = 0, second = 0, third = 0] = shop.lessons
  const page = await device(browser, locale, false)
  await visit(page, `/lesson/details/${free}`)
  const markDone = page.getByRole('button', { name: say('courseMarkDone') })
  await expect(markDone).toHaveCount(0)

  const learner = await earn(server.url)
  await buy(server.url, learner, `lesson/buy/${lesson}`)
  await signIn(page, server.url, learner)
  await visit(page, '/lesson/bought')
  const newest = page.getByRole('article').first()
  await expect(newest.getByRole('link', { name: `${say('readNow')}: Rowing 7` })).toBeVisible()
  await visit(page, `/lesson/details/${lesson}`)
  await markDone.press('Enter')
  const unmarkDone = page.getByRole('button', { name: say('courseUnmarkDone') })
  await expect(unmarkDone).toBeFocused()
  await expect.poll(() => knownOf(server.url, learner, lesson)).toMatchObject({ done: true })
  await visit(page, '/lesson/bought')
  await expect(newest).toContainText(say('courseDoneMark'))
  await newest.getByRole('link', { name: `${say('readAgain')}: Rowing 7` }).click()
  await unmarkDone.click()
  await expect.poll(() => knownOf(server.url, learner, lesson)).toMatchObject({ done: false })
  await visit(page, '/lesson/bought')
  await expect(newest).toContainText(say('stallBegun'))
  await expect(newest.getByRole('link', { name: `${say('readOn')}: Rowing 7` })).toBeVisible()

  await buy(server.url, learner, `course/buy/${shop.course}`)
  await visit(page, '/course/bought')
  // Its free preview was opened before signing in.
  const goOn = newest.getByRole('link', { name: `${say('readOn')}: All of rowing` })
  await expect(goOn).toBeVisible()
  await visit(page, `/course/details/${shop.course}/${second}`)
  await markDone.click()
  await expect.poll(() => knownOf(server.url, learner, second)).toMatchObject({ done: true })
  await visit(page, '/course/bought')
  await expect(newest).toContainText(say('stallDoneOf', { done: 1, total: 6 }))
  await expect(goOn).toHaveAttribute('href', new RegExp(`/course/details/${shop.course}/${free}$`))
  await visit(page, '/lesson/bought')
  await expect(page.locator('section[aria-labelledby=through]')).toContainText(
    say('stallDoneOf', { done: 1, total: 6 }),
  )
  await visit(page, `/course/details/${shop.course}/${third}`)
  await visit(page, '/course/bought')
  await expect(goOn).toHaveAttribute('href', new RegExp(`/course/details/${shop.course}/${third}$`))
  await page.context().close()
})

test('the last part of a video ends its lesson, and what a guest watched is taken along once', async ({
  browser,
  server,
  shop,
}) => {
  const [free = 0] = shop.lessons
  const page = await device(browser, 'en', false)
  await visit(page, `/lesson/details/${free}`)
  await page.getByRole('button', { name: 'Play the video' }).click()
  await watchTo(page, 760)
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('kb:guest:progress')))
    .toContain('760')
  const learner = await earn(server.url)
  await buy(server.url, learner, `course/buy/${shop.course}`)
  await signIn(page, server.url, learner)
  const sent = reported(page)
  await visit(page, '/')
  await sent
  expect(await page.evaluate(() => localStorage.getItem('kb:guest:progress'))).toBeNull()
  await visit(page, `/course/details/${shop.course}/${free}`)
  await page.getByRole('button', { name: 'Continue at 12:40' }).click()
  const ended = reported(page)
  await watchTo(page, 1150)
  await ended
  await expect(page.getByText(/^1 of 6 done/)).toBeVisible()
  await page.context().close()
})

test('a video that plays is told of every 15 seconds and at its end, and its last second when the page is closed', async ({
  browser,
  server,
  shop,
}) => {
  const learner = await earn(server.url)
  const [first = 0, second = 0] = shop.lessons.slice(5)
  for (const id of [first, second]) await buy(server.url, learner, `lesson/buy/${id}`)
  const page = await device(browser, 'en', false)
  await page.clock.install()
  const told: number[] = []
  page.on('request', (request) => {
    const { seconds } = (request.method() === 'PUT' ? request.postDataJSON() : {}) as {
      seconds?: number
    }
    if (seconds !== undefined) told.push(seconds)
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
    await page.getByRole('button', { name: 'Play the video' }).click()
    await expect(page.frameLocator('iframe').getByRole('button')).toHaveCount(3)
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  }
  // The player's own messages reach the page some time later; these at the second that stands still.
  const say = (info: object) =>
    page.evaluate((said) => {
      const source = document.querySelector('iframe')?.contentWindow ?? null
      const data = JSON.stringify({ event: 'infoDelivery', info: said })
      const origin = 'https://www.youtube-nocookie.com'
      window.dispatchEvent(new MessageEvent('message', { data, origin, source }))
    }, info)
  const play = async (from: number, seconds: number) => {
    for (let at = from + 1; at <= from + seconds; at += 1) {
      await page.clock.runFor(1000)
      await say({ currentTime: at })
      // A second here is much shorter than one: the answer of a report may take many.
      await expect.poll(unanswered).toBe(0)
    }
  }

  await watch(first)
  await play(0, 73)
  await expect.poll(() => told.at(-1)).toBeGreaterThan(73 - 15)
  expect(told.length).toBeGreaterThanOrEqual(4)
  const steps = told.slice(1).map((at, place) => at - (told[place] ?? 0))
  expect(steps).toEqual(steps.map(() => 15))
  const before = told.length
  await say({ playerState: 0 })
  await expect.poll(() => told.slice(before)).toEqual([1200])
  await expect
    .poll(() => knownOf(server.url, learner, first))
    .toMatchObject({ seconds: 1200, done: true })
  // Nothing more to tell: it rests at its end.
  await page.clock.runFor(60_000)
  expect(told.slice(before)).toEqual([1200])

  await watch(second)
  // The last report before the page is closed is still unanswered then.
  await page.evaluate(() => {
    const ask = window.fetch
    window.fetch = async (...request) => {
      const answer = await ask(...request)
      return request[1]?.method === 'PUT' ? new Promise<Response>(() => {}) : answer
    }
  })
  await play(0, 33)
  expect(told.at(-1)).toBeLessThan(33)
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => knownOf(server.url, learner, second)).toMatchObject({ seconds: 33 })
  await page.context().close()
})
