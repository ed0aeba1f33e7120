/** Tests the search bar: selector, suggestions, keyboard, touch, and without JavaScript. */
import type { Page } from '@playwright/test'
import { isolate } from '#contract/direction.ts'
import { afterFrames, expect, intercept, once, test as base, visit } from './fixtures.ts'
import { publishShelf } from './people.ts'

/** Words in no other lesson on the server. */
const TITLES = [
  'Zorbs at sea',
  'Zorbs at home',
  'Щраус в пет нощи',
  'Fläkt crème',
  'Yurting maps',
  'Quokka',
]

interface Stall {
  /** Returns the path of a lesson. */
  readonly pathOf: (title: string) => string
  readonly course: number
}

const test = base.extend<{ stall: Stall }>({
  stall: once(async ({ url }) => {
    const { lessons, course } = await publishShelf(url, 'Zorbs', {
      lesson: (place) => ({ title: TITLES[place - 1] ?? '' }),
      course: { title: 'Zorbs, all of them' },
      preview: 6,
    })
    return { pathOf: (title) => `/lesson/details/${lessons[TITLES.indexOf(title)]}`, course }
  }),
})

const banner = (page: Page) => page.getByRole('banner')
const bar = (page: Page) =>
  banner(page).getByRole('combobox', { name: 'Search lessons, courses and tags' })
const selector = (page: Page) => banner(page).getByRole('combobox', { name: 'Search in' })
const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' })
const options = (page: Page) => suggestions(page).getByRole('option')
/** The suggestions without the last row, which links to all results. */
const items = (page: Page) => options(page).filter({ has: page.locator('small') })
const titles = (page: Page) => items(page).locator('b')

test('fast typing sends one request, a late response is ignored, and keys move through the suggestions', async ({
  page,
  stall,
}) => {
  const asked: string[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/search/suggest?*', async (route) => {
    const q = new URL(route.request().url()).searchParams.get('q') ?? ''
    asked.push(q)
    if (q === 'zorbs at') await released
    await route.continue().catch(() => {})
  })
  await page.clock.install()
  await visit(page, '/about')
  // Pauses the page's clock, so that it sees no delay between key presses on a slow machine.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  await bar(page).pressSequentially('   ')
  await page.clock.runFor(1000)
  await bar(page).fill('')
  await bar(page).pressSequentially('zorbs')
  expect(asked).toEqual([])
  await page.clock.runFor(1000)
  await page.clock.resume()
  await expect(items(page)).toHaveCount(3)
  expect(asked).toEqual(['zorbs'])

  const older = page.waitForRequest((request) => request.url().includes('zorbs'))
  await bar(page).fill('zorbs at')
  const late = await older
  await bar(page).fill('quokka')
  await expect(titles(page)).toHaveText(['Quokka'])
  release()
  await late.response().catch(() => null)
  await afterFrames(page)
  await expect(titles(page)).toHaveText(['Quokka'])

  // Typed at once, because a response for the first letters would reset the selection.
  await bar(page).fill('zorbs')
  await expect(items(page)).toHaveCount(3)
  await expect(bar(page)).toHaveAttribute('aria-expanded', 'true')
  await expect(bar(page)).not.toHaveAttribute('aria-activedescendant', /./)
  const found = await titles(page).allInnerTexts()
  const chosen = suggestions(page).getByRole('option', { selected: true })
  await bar(page).press('ArrowDown')
  await bar(page).press('ArrowDown')
  await expect(chosen.locator('b')).toHaveText(found[1] ?? '')
  await bar(page).press('ArrowDown')
  await bar(page).press('ArrowDown')
  await expect(chosen).toHaveText('All results for “zorbs”')
  await bar(page).press('ArrowDown')
  await expect(chosen).toHaveCount(0)
  await bar(page).press('ArrowUp')
  await bar(page).press('ArrowUp')
  await expect(chosen.locator('b')).toHaveText(found[2] ?? '')
  await bar(page).press('Escape')
  await expect(suggestions(page)).toHaveCount(0)
  await expect(bar(page)).toHaveValue('zorbs')
  await bar(page).press('ArrowDown')
  await expect(items(page)).toHaveCount(3)
  await bar(page).press('ArrowDown')
  await bar(page).press('Enter')
  await expect(page).toHaveURL(stall.pathOf(found[0] ?? ''))
  await expect(bar(page)).toHaveValue('')
})

test('Enter searches the selected list, and the selector follows the current page', async ({
  page,
  stall,
}) => {
  await visit(page, '/about')
  await expect(selector(page)).toHaveValue('lesson')
  await bar(page).fill('ZORBS')
  await expect(options(page).locator('mark')).toHaveText(['Zorbs', 'Zorbs', 'Zorbs'])
  await bar(page).press('Enter')
  await expect(page).toHaveURL('/lesson/all?search=ZORBS')
  // Two lessons, and below them the matching course.
  await expect(page.getByRole('article')).toHaveCount(3)
  await expect(suggestions(page)).toHaveCount(0)
  await selector(page).selectOption('Courses')
  await bar(page).press('Enter')
  await expect(page).toHaveURL('/course/all?search=ZORBS')
  await expect(page.getByRole('article').first()).toContainText('Zorbs, all of them')
  // A blank term adds no query parameter.
  await bar(page).fill('   ')
  await bar(page).press('Enter')
  await expect(page).toHaveURL('/course/all')
  await selector(page).selectOption('Lessons')
  await banner(page).getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL('/lesson/all')
  await banner(page).getByRole('link', { name: 'Courses' }).click()
  await expect(selector(page)).toHaveValue('course')
  await bar(page).fill('zorbs, all')
  await page.getByRole('option', { name: 'Zorbs, all of them' }).click()
  await expect(page).toHaveURL(`/course/details/${stall.course}`)
  await expect(selector(page)).toHaveValue('course')
  await banner(page).getByRole('link', { name: 'Lessons' }).click()
  await expect(selector(page)).toHaveValue('lesson')

  // The search still works when suggestions fail.
  await intercept(page, '**/api/search/suggest?*', (route) => route.abort('internetdisconnected'))
  const refused = page.waitForEvent('requestfailed')
  await bar(page).fill('zorbs at sea')
  await refused
  await bar(page).press('Enter')
  await expect(page).toHaveURL('/lesson/all?search=zorbs+at+sea')
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('on a phone, touch selects the list and a suggestion', async ({ sit, stall }) => {
  const phone = { viewport: { width: 360, height: 700 }, hasTouch: true, isMobile: true }
  const page = await sit(null, phone)
  await visit(page, '/about')
  await selector(page).selectOption('course')
  await bar(page).tap()
  await bar(page).fill('zorbs')
  await page.getByRole('option', { name: 'Zorbs, all of them' }).tap()
  await expect(page).toHaveURL(`/course/details/${stall.course}`)
})

test('suggestions show what is needed to choose, move nothing, and link to all results', async ({
  page,
  stall,
}) => {
  await visit(page, '/')
  const front = page.getByRole('combobox', { name: 'Search lessons by title' })
  await front.fill('щраус')
  await front.press('Enter')
  await expect(page).toHaveURL(`/lesson/all?search=${encodeURIComponent('щраус')}`)
  await page.goBack()
  await front.fill('flakt creme')
  await expect(options(page).locator('mark')).toHaveText(['Fläkt crème'])
  await options(page).first().click()
  await expect(page).toHaveURL(stall.pathOf('Fläkt crème'))

  await banner(page).getByRole('link', { name: 'Lessons' }).click()
  await expect(page).toHaveURL('/lesson/all')
  await expect(page.getByRole('article').first()).toBeVisible()
  const before = await page.getByRole('main').boundingBox()
  await bar(page).fill('quokka')
  await expect(items(page).first()).toContainText('Lesson')
  await expect(items(page).first()).toContainText('Free preview')
  expect(await page.getByRole('main').boundingBox()).toEqual(before)
  await bar(page).fill('zorbs, all of')
  await expect(items(page).first()).toContainText('500 KB Points')
  await bar(page).fill('كتاب')
  await expect(
    page.getByRole('option', { name: `Nothing found for “${isolate('كتاب')}”` }),
  ).toBeVisible()
  await bar(page).fill('zorbs')
  await page.getByRole('option', { name: 'All results for “zorbs”' }).click()
  await expect(page).toHaveURL('/search?q=zorbs')
  const field = page.getByRole('main').getByRole('combobox')
  await field.fill('zorb')
  await expect(titles(page)).toHaveText(['Zorbs at home', 'Zorbs at sea', 'Zorbs, all of them'])
  await field.press('ArrowUp')
  await field.press('Enter')
  await expect(page).toHaveURL('/search?q=zorb')

  // A misspelt word is suggested in its correct spelling. A word without matches links to the results.
  await bar(page).fill('yutring')
  const meant = page.getByRole('option', { name: 'Nothing for “yutring”. Close matches: yurting' })
  await expect(meant).toBeVisible()
  await expect(titles(page)).toHaveText(['Yurting maps'])
  await meant.click()
  await expect(page).toHaveURL('/search?q=yurting')
})
