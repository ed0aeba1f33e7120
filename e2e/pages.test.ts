/** What holds for every page: names, contrast, languages, guards, small screens, no script. */
import type { Page } from '@playwright/test'
import { catalogues } from '#contract/messages/catalogues.ts'
import { guards, type Scene } from '#server/testing/guards.ts'
import { routeTable } from '#web/routes.ts'
import { findings } from './axe.ts'
import { expect, followRequests, test as base, visit } from './fixtures.ts'
import {
  grantAdministration,
  publish,
  publishCourse,
  register,
  type Registered,
  signIn,
} from './people.ts'

interface Stall {
  readonly author: Registered
  readonly administrator: Registered
  readonly learner: Registered
  readonly lesson: number
  readonly scene: Scene
}

/** Every test may be taken by any worker, each of which has a stall of its own: it is the longest file. */
base.describe.configure({ mode: 'parallel' })

const WIDE = { width: 1280, height: 720 }
const PHONE = { width: 390, height: 844 }

/** Everything in Bulgarian, so that what is left in English is ours. */
const ARTICLE =
  '<h2>Първо</h2><p>Солта отнема горчивото от кафето, но само малко: щипка за цяла чаша. Опитайте без нея и след това с нея.</p>'

const test = base.extend<object, { stall: Stall }>({
  stall: [
    async ({ server }, use) => {
      const author = await register(server.url)
      const learner = await register(server.url)
      const administrator = await register(server.url)
      await grantAdministration(server.dataDir, administrator)
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
      await use({ author, administrator, learner, lesson, scene: { lesson, course, ids } })
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
  '/tag/нищо-такова',
  '/lesson/details/999999',
  '/course/details/999999',
]

/** The desk, and how its places change the bar of other pages. */
const administratorPages = (stall: Stall) => [
  ...pagesFor(stall, (access) => access === 'administrator'),
  '/',
]

/** Every page of the signed-in, and the open forms of those that they see locked. */
const ownPages = (stall: Stall) => [
  ...pagesFor(stall, (access) => !isForGuests(access) && access !== 'administrator'),
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
  await visit(page, path)
  // A page that sent us to sign in was not looked at; /sign-in/continue does so where no sign-in waits.
  if (!/^\/(login|sign-in)/.test(path)) expect(new URL(page.url()).pathname).not.toBe('/login')
}

/** The smallest phone, the largest window, and what lies around the widths at which pages change their shape. */
const WIDTHS = [320, 360, 390, 480, 640, 768, 960, 1024, 1088, 1200, 1248, 1300, 1440, 1920]

/** The widths at which the open page scrolls sideways, with what it takes; it is not loaded again between them. */
async function sidewaysAt(page: Page): Promise<string[]> {
  const wrong: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 720 })
    const taken = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          // What follows the window by script has done so after a frame.
          const measure = () => resolve(document.documentElement.scrollWidth)
          requestAnimationFrame(() => requestAnimationFrame(measure))
        }),
    )
    if (taken > width) wrong.push(`${taken} at ${width}`)
  }
  return wrong
}

/** Keys of the catalogue that stand in the page in place of their texts. */
async function keysShown(page: Page): Promise<readonly string[]> {
  const html = await page.evaluate(htmlWithoutCode)
  const isShown = (key: string) =>
    new RegExp(`>${key}<|(?:aria-label|title|alt|placeholder)="${key}"`).test(html)
  return Object.keys(catalogues.en).filter((key) => /[a-z][A-Z]/.test(key) && isShown(key))
}

/** What is wrong, by what was looked for and where. */
type Wrong = Record<string, readonly string[]>

/** In English and wide: what axe finds, in the dark too; what scrolls sideways; what a change of language leaves. */
async function lookInEnglish(page: Page, path: string, wrong: Wrong): Promise<void> {
  await open(page, path)
  wrong[`axe: ${path}`] = await findings(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  wrong[`contrast in the dark: ${path}`] = await findings(page, { runOnly: ['color-contrast'] })
  await page.emulateMedia({ colorScheme: 'light' })
  wrong[`sideways in English: ${path}`] = await sidewaysAt(page)
  await page.setViewportSize(WIDE)
  for (const locale of ['bg', 'en']) {
    const settled = followRequests(page)
    await page.locator('footer select').selectOption(locale)
    await expect(page.locator('html')).toHaveAttribute('lang', locale)
    await settled()
    wrong[`keys after a change to ${locale}: ${path}`] = await keysShown(page)
  }
}

/** In Bulgarian on a phone: what axe finds, English sentences, cut texts, what scrolls sideways. */
async function lookInBulgarian(page: Page, path: string, wrong: Wrong): Promise<void> {
  await page.setViewportSize(PHONE)
  await open(page, `${path}${path.includes('?') ? '&' : '?'}lang=bg`)
  await expect(page.locator('html')).toHaveAttribute('lang', 'bg')
  wrong[`axe: ${path}`] = await findings(page)
  wrong[`English sentences: ${path}`] = await page.evaluate(latinSentences)
  wrong[`cut at 390 pixels: ${path}`] = await page.evaluate(cutTexts)
  wrong[`sideways in Bulgarian: ${path}`] = await sidewaysAt(page)
}

const PAGES = { guest: guestPages, author: ownPages, administrator: administratorPages }

for (const who of ['guest', 'author', 'administrator'] as const) {
  const pagesOf = PAGES[who]

  test(`the pages of the ${who} are right in English, light and dark, wide and narrow`, async ({
    page,
    server,
    stall,
  }) => {
    test.setTimeout(300_000)
    await stay(page)
    if (who !== 'guest') await signIn(page, server.url, stall[who])
    const wrong: Wrong = {}
    for (const path of pagesOf(stall)) await lookInEnglish(page, path, wrong)
    expect(Object.keys(wrong)).toHaveLength(5 * new Set(pagesOf(stall)).size)
    expect(Object.entries(wrong).filter(([, found]) => found.length > 0)).toEqual([])
  })

  test(`the pages of the ${who} are right in Bulgarian on a phone`, async ({
    page,
    server,
    stall,
  }) => {
    test.setTimeout(300_000)
    await stay(page)
    if (who !== 'guest') await signIn(page, server.url, stall[who])
    const wrong: Wrong = {}
    for (const path of pagesOf(stall)) await lookInBulgarian(page, path, wrong)
    expect(Object.keys(wrong)).toHaveLength(4 * new Set(pagesOf(stall)).size)
    expect(Object.entries(wrong).filter(([, found]) => found.length > 0)).toEqual([])
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
  const commands = /npm run [\w:-]+/g
  return said.filter((text) =>
    /(?:\b[a-z]{2,}\s+){2}[a-z]{2,}\b/i.test(text.replaceAll(commands, '')),
  )
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

test('what is not there answers 404 in words, with two ways on', async ({ page }) => {
  const ways = page.getByRole('main').getByRole('link')
  for (const [path, words, list] of [
    ['/nothing/here', '404...Not Found!', 'lesson'],
    ['/lesson/details/999999', 'Lesson not found or deleted (sorry)', 'lesson'],
    ['/course/details/999999', 'Course not found or deleted (sorry)', 'course'],
  ] as const) {
    expect((await page.goto(path))?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words)
    await expect(ways).toHaveText([`See all ${list}s`, 'To the front page'])
    await expect(ways.first()).toHaveAttribute('href', `/${list}/all`)
    await expect(ways.last()).toHaveAttribute('href', '/')
    expect(await findings(page)).toEqual([])
  }
})

test('a page that failed offers another try and the lessons', async ({ page }) => {
  await page.route('**/assets/AboutPage*', (route) => route.abort('internetdisconnected'))
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'About' }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect(main.getByRole('link')).toHaveText('See all lessons')
  expect(await findings(page)).toEqual([])
  await main.getByRole('link').click()
  await expect(page).toHaveURL('/lesson/all')
})

for (const [locale, limit] of [
  ['en', 70],
  ['bg', 115],
] as const) {
  test(`a guest loads ${limit} KB of typefaces at most: ${locale}`, async ({
    browser,
    server,
    stall,
  }) => {
    expect(stall.lesson).toBeGreaterThan(0)
    const lesson = await publish(server.url, await register(server.url))
    for (const path of ['/', '/lesson/all', `/lesson/details/${lesson}`, '/login']) {
      // Each with a cache of its own.
      const context = await browser.newContext({ locale, baseURL: server.url })
      const page = await context.newPage()
      const sizes: Promise<number>[] = []
      page.on('response', (response) => {
        if (response.url().endsWith('.woff2'))
          sizes.push(response.body().then(({ length }) => length))
      })
      await visit(page, path)
      const sum = (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
      expect(sum, path).toBeGreaterThan(0)
      expect(sum, path).toBeLessThanOrEqual(limit * 1024)
      await context.close()
    }
  })
}

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
  await page.getByRole('article').getByRole('link', { name: 'Details' }).click()
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
