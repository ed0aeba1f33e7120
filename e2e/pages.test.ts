/** What holds for every page: names, contrast, languages, guards, small screens, no script. */
import type { Page } from '@playwright/test'
import { catalogues } from '#contract/messages/messages.ts'
import { guards, type Scene } from '#server/testing/guards.ts'
import { routeTable } from '#web/routes.ts'
import { findings } from './axe.ts'
import { expect, test as base } from './fixtures.ts'
import { publish, publishCourse, register, type Registered, signIn } from './people.ts'

interface Stall {
  readonly author: Registered
  readonly learner: Registered
  readonly lesson: number
  readonly scene: Scene
}

/** Everything in Bulgarian, so that what is left in English is ours. */
const ARTICLE =
  '<h2>Първо</h2><p>Солта отнема горчивото от кафето, но само малко: щипка за цяла чаша. Опитайте без нея и след това с нея.</p>'

const test = base.extend<object, { stall: Stall }>({
  stall: [
    async ({ server }, use) => {
      const author = await register(server.url)
      const learner = await register(server.url)
      const lessons: number[] = []
      for (let number = 1; number <= 12; number += 1) {
        const words = Array.from({ length: 20 }, (_, place) => `дума${number}а${place}`).join(' ')
        const id = await publish(server.url, author, {
          title: `Урок ${number}`,
          description: 'Какво ще научите от него',
          tags: 'опит',
          article: `${ARTICLE}<p>${words}</p>`,
        })
        lessons.push(id)
      }
      const course = await publishCourse(server.url, author, lessons.slice(0, 6), {
        title: 'Шест урока',
        description: 'Какво ще научите от тях',
      })
      const lesson = lessons.at(-1) ?? 0
      const { id } = author
      const ids = { owner: id, user: learner.id, buyer: learner.id, administrator: learner.id }
      await use({ author, learner, lesson, scene: { lesson, course, ids } })
    },
    { scope: 'worker' },
  ],
})

const isForGuests = (access: string) => access === 'all' || access === 'guest'

/** The addresses of the route table's rows. */
function pagesFor({ scene }: Stall, wanted: (access: string) => boolean): string[] {
  return routeTable
    .filter(([, access]) => wanted(access))
    .map(([path]) => guards[path]?.address(scene) ?? path)
}

/** Every page that guests see, and some of its other states. */
const guestPages = (stall: Stall) => [
  ...pagesFor(stall, isForGuests),
  '/lesson/all?search=нищо+такова',
  '/course/all?search=нищо+такова',
  '/lesson/details/999999',
  '/course/details/999999',
]

/** Every page that guests don't see, and the open forms of those that they see locked. */
const ownPages = (stall: Stall) => [
  ...pagesFor(stall, (access) => !isForGuests(access)),
  `/profile/${stall.learner.id}`,
  '/',
  `/lesson/details/${stall.lesson}`,
  `/course/details/${stall.scene.course}`,
]

/** To open /logout signs out: here the call is refused, and the page stays. */
async function stay(page: Page): Promise<void> {
  const problem = { type: 'about:blank', title: 'Опитайте пак', status: 503 }
  await page.route('**/api/identity/logout', (route) =>
    route.fulfill({ status: 503, json: problem }),
  )
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  // A page that sent us to sign in was not looked at.
  if (!path.startsWith('/login')) expect(new URL(page.url()).pathname).not.toBe('/login')
}

for (const who of ['guest', 'author'] as const) {
  const pagesOf = who === 'guest' ? guestPages : ownPages

  test(`axe finds nothing on the pages of the ${who}`, async ({ page, server, stall }) => {
    test.setTimeout(300_000)
    await stay(page)
    if (who === 'author') await signIn(page, server.url, stall.author)
    const all: Record<string, readonly string[]> = {}
    for (const path of pagesOf(stall)) {
      await open(page, path)
      all[path] = await findings(page)
    }
    expect(all).toEqual(Object.fromEntries(Object.keys(all).map((path) => [path, []])))
  })

  test(`the dark pages of the ${who} have contrast`, async ({ page, server, stall }) => {
    test.setTimeout(300_000)
    await stay(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    if (who === 'author') await signIn(page, server.url, stall.author)
    const all: Record<string, readonly string[]> = {}
    for (const path of pagesOf(stall)) {
      await open(page, path)
      all[path] = await findings(page, { runOnly: ['color-contrast'] })
    }
    expect(all).toEqual(Object.fromEntries(Object.keys(all).map((path) => [path, []])))
  })

  test(`the pages of the ${who} fit 320 pixels`, async ({ page, server, stall }) => {
    test.setTimeout(300_000)
    await stay(page)
    await page.setViewportSize({ width: 320, height: 640 })
    if (who === 'author') await signIn(page, server.url, stall.author)
    const widths: Record<string, number> = {}
    for (const lang of ['en', 'bg']) {
      for (const path of pagesOf(stall)) {
        const address = `${path}${path.includes('?') ? '&' : '?'}lang=${lang}`
        await open(page, address)
        widths[address] = await page.evaluate(() => document.documentElement.scrollWidth)
      }
    }
    expect(Object.entries(widths).filter(([, width]) => width > 320)).toEqual([])
  })

  test(`the Bulgarian pages of the ${who} hold no English sentence`, async ({
    page,
    server,
    stall,
  }) => {
    test.setTimeout(300_000)
    await stay(page)
    if (who === 'author') await signIn(page, server.url, stall.author)
    const found: Record<string, readonly string[]> = {}
    for (const path of pagesOf(stall)) {
      await open(page, `${path}${path.includes('?') ? '&' : '?'}lang=bg`)
      await expect(page.locator('html')).toHaveAttribute('lang', 'bg')
      found[path] = await page.evaluate(latinSentences)
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((path) => [path, []])))
  })

  test(`no Bulgarian text of the ${who} is cut at 390 pixels`, async ({ page, server, stall }) => {
    test.setTimeout(300_000)
    await stay(page)
    await page.setViewportSize({ width: 390, height: 844 })
    if (who === 'author') await signIn(page, server.url, stall.author)
    const found: Record<string, readonly string[]> = {}
    for (const path of pagesOf(stall)) {
      await open(page, `${path}${path.includes('?') ? '&' : '?'}lang=bg`)
      found[path] = await page.evaluate(cutTexts)
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((path) => [path, []])))
  })

  test(`no page of the ${who} lacks a text after a change of language`, async ({
    page,
    server,
    stall,
  }) => {
    test.setTimeout(300_000)
    await stay(page)
    if (who === 'author') await signIn(page, server.url, stall.author)
    const keys = Object.keys(catalogues.en).filter((key) => /[a-z][A-Z]/.test(key))
    const found: Record<string, readonly string[]> = {}
    for (const path of pagesOf(stall)) {
      await open(page, path)
      for (const locale of ['bg', 'en']) {
        await page.locator('footer select').selectOption(locale)
        await expect(page.locator('html')).toHaveAttribute('lang', locale)
        await page.waitForLoadState('networkidle')
        const html = await page.evaluate(htmlWithoutCode)
        const isShown = (key: string) =>
          new RegExp(`>${key}<|(?:aria-label|title|alt|placeholder)="${key}"`).test(html)
        found[`${path} ${locale}`] = keys.filter(isShown)
      }
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((path) => [path, []])))
  })
}

function htmlWithoutCode(): string {
  const copy = document.body.cloneNode(true)
  if (!(copy instanceof HTMLElement)) return ''
  // What fields are called there is meant so.
  for (const code of copy.querySelectorAll('code, script')) code.remove()
  return copy.innerHTML
}

/** Shown words that leave the page, or the box that hides what leaves it; what scrolls is not cut. */
function cutTexts(): string[] {
  const cut: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  /** The nearest frame round the words that hides or scrolls, with how it does. */
  const frameOf = (from: Element | null): { box: DOMRect; scrolls: boolean } | null => {
    for (let element = from; element !== null; element = element.parentElement) {
      const { overflowX, webkitLineClamp, clipPath } = getComputedStyle(element)
      // For readers only, or somebody's long title that ends in dots by design.
      if (clipPath !== 'none' || webkitLineClamp !== 'none') return null
      if (overflowX !== 'visible')
        return { box: element.getBoundingClientRect(), scrolls: /auto|scroll/.test(overflowX) }
      if (element === document.body) break
    }
    const { clientWidth, clientHeight } = document.documentElement
    return { box: new DOMRect(0, 0, clientWidth, clientHeight), scrolls: false }
  }
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode
    const words = textContent?.trim() ?? ''
    if (words === '' || parentElement?.checkVisibility({ visibilityProperty: true }) !== true)
      continue
    // What waits above the page is shown when it has the focus; the shelf of the home page runs out of sight.
    if (parentElement.closest('script, style, option, .skip, .shelf') !== null) continue
    const frame = frameOf(parentElement)
    if (frame === null || frame.scrolls) continue
    const range = document.createRange()
    range.selectNodeContents(walker.currentNode)
    const { left, right } = range.getBoundingClientRect()
    if (left < frame.box.left - 1 || right > frame.box.right + 1) cut.push(words)
  }
  return cut
}

/** Texts and spoken names with three Latin words in a row; code and what says that it is English aside. */
function latinSentences(): string[] {
  const said: string[] = [document.title]
  const isFree = (element: Element | null) =>
    element?.closest('[lang=en], code, pre, script, style') !== null
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode
    if (!isFree(parentElement)) said.push(textContent ?? '')
  }
  for (const name of ['aria-label', 'title', 'alt', 'placeholder']) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      if (!isFree(element)) said.push(element.getAttribute(name) ?? '')
    }
  }
  return said.filter((text) => /(?:\b[a-z]{2,}\s+){2}[a-z]{2,}\b/i.test(text))
}

test('axe finds nothing in Bulgarian, with a refused form', async ({ page }) => {
  await open(page, '/register?lang=bg')
  await page.getByLabel(/^Потребителско име/).fill('a')
  await page.getByLabel(/^Имейл/).fill('b')
  await page.getByLabel(/^Имейл/).blur()
  await expect(page.locator('.field .error').first()).toBeVisible()
  expect(await findings(page)).toEqual([])
})

test('the signed-in have nothing to log in to', async ({ page, server, stall }) => {
  await signIn(page, server.url, stall.learner)
  for (const path of ['/login', '/register']) {
    await page.goto(path)
    await expect(page).toHaveURL('/')
  }
  await page.goto('/login?next=%2Fpoints')
  await expect(page).toHaveURL('/points')
})

test('what is not there answers 404 in words', async ({ page }) => {
  expect((await page.goto('/nothing/here'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('404...Not Found!')
  expect((await page.goto('/lesson/details/999999'))?.status()).toBe(404)
  await expect(page.getByRole('main')).toContainText('Lesson not found or deleted (sorry)')
})

test('the account book tells every movement', async ({ page, server }) => {
  const person = await register(server.url)
  await page.context().addCookies([person.cookie])
  await page.goto('/points')
  await expect(page.getByText('Nothing in your account book yet.')).toBeVisible()
  const video = 'https://youtu.be/abcdefghijk'
  await publish(server.url, person, { title: 'The first one', video })
  await publish(server.url, person, { title: 'Once more', video })
  await page.goto('/points')
  await expect(page.locator('.purse .now')).toContainText('100')
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') })
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText(
    'No reward: the same video is already in a lesson of yours',
  )
  await expect(rows.last()).toContainText('You published The first one')
  await expect(rows.last()).toContainText('+100')
  await page.getByRole('link', { name: /^Out/ }).click()
  await expect(page).toHaveURL('/points?show=out')
  await expect(page.getByText('Nothing has gone out yet.')).toBeVisible()
})

test('lists and lessons can be read without script', async ({ browser, server, stall }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url })
  const page = await context.newPage()
  await page.goto('/lesson/all')
  await expect(page.getByRole('article')).toHaveCount(10)
  await page.getByRole('combobox', { name: 'Search by title' }).fill('урок 12')
  await page.getByRole('combobox', { name: 'Search by title' }).press('Enter')
  await expect(page).toHaveURL(/\/lesson\/all\?.*search=/)
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.getByRole('article').getByRole('link').first().click()
  await expect(page).toHaveURL(`/lesson/details/${stall.lesson}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Урок 12')
  await expect(page.getByRole('main')).toContainText('Какво ще научите от него')
  await page.goto('/api/docs')
  await expect(page.getByRole('heading', { name: 'POST /identity/login' })).toBeVisible()
  await expect(
    page.getByRole('heading', { name: 'DELETE /lesson/{id}', exact: true }),
  ).toBeVisible()
  // A cookie of its own: the stall's has been renewed by other tests, and an old one ends its session.
  const author = await register(server.url)
  await publish(server.url, author)
  await context.addCookies([author.cookie])
  await page.goto('/points')
  await expect(page.getByRole('main')).toContainText('You published')
  await context.close()
})

test('axe finds nothing with the unlock dialog open', async ({ page, stall, server }) => {
  const learner = await register(server.url)
  await publish(server.url, learner)
  await page.context().addCookies([learner.cookie])
  await open(page, `/lesson/details/${stall.lesson}`)
  await page.getByRole('button', { name: 'Unlock for 100' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await findings(page)).toEqual([])
})
