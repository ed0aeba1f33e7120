/** The search of the bar: its selector, its suggestions, its keys; with a finger, and without script. */
import type { Page } from '@playwright/test'
import { isolate } from '#contract/direction.ts'
import { expect, holdBack, test as base, visit } from './fixtures.ts'
import { publish, publishCourse, register } from './people.ts'

interface Stall {
  /** Lessons by title. */
  readonly ids: Readonly<Record<string, number>>
  readonly course: number
}

const TITLES = [
  'Knots at sea',
  'Knots at home',
  'Шевица в пет нощи',
  'Café crème',
  'Reading maps',
  'Tea',
]

const test = base.extend<object, { stall: Stall }>({
  stall: [
    async ({ server }, use) => {
      const author = await register(server.url)
      const ids: Record<string, number> = {}
      for (const title of TITLES) ids[title] = await publish(server.url, author, { title })
      const course = await publishCourse(server.url, author, Object.values(ids), {
        title: 'Knots, all of them',
        freePreview: `${ids['Tea'] ?? 0}`,
      })
      await use({ ids, course })
    },
    { scope: 'worker' },
  ],
})

const bar = (page: Page) => page.locator('.bar').getByRole('combobox', { name: 'Search by title' })
const selector = (page: Page) => page.locator('.bar').getByRole('combobox', { name: 'Search in' })
/** What is suggested but for the last line, which leads to all results. */
const items = (page: Page) => page.locator('.suggest li:has(.book)')
const titles = (page: Page) => items(page).locator('b')
const options = (page: Page) => page.getByRole('option').filter({ visible: true })

async function open(page: Page, path: string): Promise<void> {
  await visit(page, path)
}

test('nothing typed asks nothing, and many strokes ask once', async ({ page, stall }) => {
  expect(stall.course).toBeGreaterThan(0)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/search/suggest') asked.push(searchParams.get('q') ?? '')
  })
  await page.clock.install()
  await open(page, '/about')
  // However slowly the strokes come here, the page sees no time between them.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  await bar(page).pressSequentially('   ')
  await page.clock.runFor(1000)
  await bar(page).fill('')
  await bar(page).pressSequentially('knots')
  expect(asked).toEqual([])
  await page.clock.runFor(1000)
  await page.clock.resume()
  await expect(items(page)).toHaveCount(2)
  expect(asked).toEqual(['knots'])
})

test('an older answer never overtakes a newer one', async ({ page, stall }) => {
  expect(stall.course).toBeGreaterThan(0)
  await page.route('**/api/search/suggest?*q=k*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600))
    await route.continue().catch(() => {})
  })
  await open(page, '/about')
  await bar(page).fill('knots')
  await page.waitForTimeout(300)
  await bar(page).fill('tea')
  await expect(titles(page)).toHaveText(['Tea'])
  await page.waitForTimeout(700)
  await expect(titles(page)).toHaveText(['Tea'])
})

test('the keys walk the suggestions and go to one', async ({ page, stall }) => {
  await open(page, '/about')
  // At once: what is found for its first letters would end the walk when the rest is found.
  await bar(page).fill('knots')
  await expect(bar(page)).toHaveAttribute('aria-expanded', 'true')
  await expect(bar(page)).not.toHaveAttribute('aria-activedescendant', /./)
  const found = await titles(page).allInnerTexts()
  const chosen = page.locator('.suggest li[aria-selected=true]')
  await bar(page).press('ArrowDown')
  await bar(page).press('ArrowDown')
  await expect(chosen.locator('b')).toHaveText(found[1] ?? '')
  await bar(page).press('ArrowDown')
  await expect(chosen).toHaveText('All results for “knots”')
  await bar(page).press('ArrowDown')
  await expect(chosen).toHaveCount(0)
  await bar(page).press('ArrowUp')
  await bar(page).press('ArrowUp')
  await expect(chosen.locator('b')).toHaveText(found[1] ?? '')
  await bar(page).press('Escape')
  await expect(page.locator('.suggest')).toHaveCount(0)
  await expect(bar(page)).toHaveValue('knots')
  await bar(page).press('ArrowDown')
  await expect(items(page)).toHaveCount(2)
  await bar(page).press('ArrowDown')
  await bar(page).press('Enter')
  await expect(page).toHaveURL(`/lesson/details/${stall.ids[found[0] ?? ''] ?? 0}`)
  await expect(bar(page)).toHaveValue('')
})

test('Enter on nothing selected searches the chosen list', async ({ page, stall }) => {
  expect(stall.course).toBeGreaterThan(0)
  await open(page, '/about')
  await bar(page).fill('KNOTS')
  await expect(page.locator('.suggest mark')).toHaveText(['Knots', 'Knots'])
  await bar(page).press('Enter')
  await expect(page).toHaveURL('/lesson/all?search=KNOTS')
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.locator('.suggest')).toHaveCount(0)
  await selector(page).selectOption('Courses')
  await bar(page).press('Enter')
  await expect(page).toHaveURL('/course/all?search=KNOTS')
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('empty text adds no query', async ({ page }) => {
  await open(page, '/about')
  await bar(page).fill('   ')
  await bar(page).press('Enter')
  await expect(page).toHaveURL('/lesson/all')
  await selector(page).selectOption('Courses')
  await page.locator('.bar').getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL('/course/all')
})

test('the selector follows the list one is on', async ({ page, stall }) => {
  await open(page, '/about')
  await expect(selector(page)).toHaveValue('lesson')
  await page.locator('.bar').getByRole('link', { name: 'Courses' }).click()
  await expect(selector(page)).toHaveValue('course')
  await bar(page).fill('all of')
  await page.getByRole('option', { name: 'Knots, all of them' }).click()
  await expect(page).toHaveURL(`/course/details/${stall.course}`)
  await expect(selector(page)).toHaveValue('course')
  await page.locator('.bar').getByRole('link', { name: 'Lessons' }).click()
  await expect(selector(page)).toHaveValue('lesson')
})

test('the banner suggests lessons and searches them', async ({ page, stall }) => {
  await open(page, '/')
  const banner = page.getByRole('combobox', { name: 'Search lessons by title' })
  await banner.fill('creme')
  await expect(page.locator('.suggest mark')).toHaveText(['crème'])
  await options(page).first().click()
  await expect(page).toHaveURL(`/lesson/details/${stall.ids['Café crème'] ?? 0}`)
  await open(page, '/')
  await banner.fill('шевица')
  await banner.press('Enter')
  await expect(page).toHaveURL(`/lesson/all?search=${encodeURIComponent('шевица')}`)
})

test('what is typed before the suggestions come stays, with the caret, and is asked for', async ({
  page,
  stall,
}) => {
  expect(stall.course).toBeGreaterThan(0)
  const release = await holdBack(page, '**/Suggestions-*.js')
  await open(page, '/about')
  const field = await bar(page).elementHandle()
  await bar(page).pressSequentially('kots')
  for (let step = 0; step < 3; step += 1) await bar(page).press('ArrowLeft')
  await expect(page.locator('.suggest')).toHaveCount(0)
  release()
  await bar(page).press('n')
  await expect(page.locator('.suggest mark')).toHaveText(['Knots', 'Knots'])
  await expect(bar(page)).toHaveValue('knots')
  await expect(bar(page)).toBeFocused()
  expect(await field?.evaluate((shown) => shown.isConnected)).toBe(true)
})

test('the search works where its suggestions cannot be had', async ({ page, stall }) => {
  expect(stall.course).toBeGreaterThan(0)
  await page.route('**/Suggestions-*.js', (route) => route.abort())
  await open(page, '/about')
  await bar(page).fill('knots')
  await bar(page).press('ArrowDown')
  await expect(bar(page)).toHaveAttribute('aria-expanded', 'false')
  await bar(page).press('Enter')
  await expect(page).toHaveURL('/lesson/all?search=knots')
  await expect(page.getByRole('article')).toHaveCount(2)
})

test('without script the form leads to the list of the chosen kind', async ({
  browser,
  server,
  stall,
}) => {
  expect(stall.course).toBeGreaterThan(0)
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url })
  const page = await context.newPage()
  await page.goto('/about')
  await bar(page).fill('knots')
  await bar(page).press('Enter')
  await expect(page).toHaveURL('/lesson/all?search=knots')
  await expect(page.getByRole('article')).toHaveCount(2)
  await selector(page).selectOption('course')
  await bar(page).press('Enter')
  await expect(page).toHaveURL('/course/all?search=knots')
  await expect(page.getByRole('article')).toHaveCount(1)
  await bar(page).fill('')
  await bar(page).press('Enter')
  await expect(page).toHaveURL('/course/all')
  await context.close()
})

test('on a phone the selector comes with the focus and a finger picks', async ({
  browser,
  server,
  stall,
}) => {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 360, height: 700 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-GB',
  })
  const page = await context.newPage()
  await open(page, '/about')
  await expect(selector(page)).toBeHidden()
  await bar(page).tap()
  await expect(selector(page)).toBeVisible()
  await selector(page).selectOption('course')
  await bar(page).fill('knots')
  await options(page).first().tap()
  await expect(page).toHaveURL(`/course/details/${stall.course}`)
  await context.close()
})

test('a suggestion shows its book, its kind and its price, the free one its band', async ({
  page,
  stall,
}) => {
  expect(stall.course).toBeGreaterThan(0)
  await open(page, '/about')
  await bar(page).fill('tea')
  await expect(items(page).locator('.book')).toBeVisible()
  await expect(items(page)).toContainText('Lesson')
  await expect(items(page).locator('.worth')).toHaveText('Free preview')
  await bar(page).fill('maps')
  await expect(items(page).locator('.worth')).toHaveText('100 KB Points')
  await selector(page).selectOption('course')
  await bar(page).fill('all of them')
  await expect(items(page).locator('.worth')).toHaveText('500 KB Points')
})

test('the last line leads to all results, and moves nothing that stands on the page', async ({
  page,
  stall,
}) => {
  expect(stall.course).toBeGreaterThan(0)
  await open(page, '/about')
  const before = await page.getByRole('main').boundingBox()
  await bar(page).fill('knots')
  await expect(items(page)).toHaveCount(2)
  expect(await page.getByRole('main').boundingBox()).toEqual(before)
  await page.getByRole('option', { name: 'All results for “knots”' }).click()
  await expect(page).toHaveURL('/search?q=knots')
  const field = page.getByRole('main').getByRole('combobox')
  await field.fill('knot')
  await expect(titles(page)).toHaveText(['Knots at home', 'Knots at sea', 'Knots, all of them'])
  await field.press('ArrowUp')
  await field.press('Enter')
  await expect(page).toHaveURL('/search?q=knot')
})

test('a misspelt word is suggested as it is spelt, and what nothing has leads on', async ({
  page,
  stall,
}) => {
  expect(stall.course).toBeGreaterThan(0)
  await open(page, '/about')
  await bar(page).fill('raeding')
  const meant = page.getByRole('option', { name: 'Did you mean: reading' })
  await expect(meant).toBeVisible()
  await expect(titles(page)).toHaveText(['Reading maps'])
  await meant.click()
  await expect(page).toHaveURL('/search?q=reading')
  await bar(page).fill('xylophone')
  await page.getByRole('option', { name: 'Nothing found for “xylophone”' }).click()
  await expect(page).toHaveURL('/search?q=xylophone')
})

test('signs, one letter, mixed scripts and very long texts are borne', async ({ page, stall }) => {
  expect(stall.course).toBeGreaterThan(0)
  await open(page, '/about')
  for (const typed of ['%_?!…', 'knотs', 'كتاب']) {
    await bar(page).fill(typed)
    await expect(
      page.getByRole('option', { name: `Nothing found for “${isolate(typed)}”` }),
    ).toBeVisible()
  }
  await bar(page).fill('k')
  await expect(items(page).first()).toBeVisible()
  await bar(page).evaluate((field: HTMLInputElement) => {
    field.value = 'm'.repeat(10_000)
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  })
  await expect(page.getByRole('option', { name: 'Nothing found for “mmm' })).toBeVisible()
})
