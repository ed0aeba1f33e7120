/** Each browser tab has its own draft of a form, and offers the drafts of other tabs. */
import type { BrowserContext, Page } from '@playwright/test'
import { awake, expect, stored, test, writePicture } from './fixtures.ts'
import { publish, publishShelf, register } from './people.ts'

const titleOf = (page: Page) => page.locator('input[name=title]')
const offersOf = (page: Page) =>
  page.getByRole('note').filter({ hasText: 'You have an unsaved draft' })
const take = (page: Page) => page.getByRole('button', { name: 'Continue with it' })

async function open(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(path)
  await awake(page)
  return page
}

/** Types into a field and waits until the draft is stored. */
async function typeTitle(page: Page, title: string): Promise<void> {
  await expect(page.locator('.ProseMirror')).toBeVisible()
  await titleOf(page).fill(title)
  await stored(page, title)
}

// The form offers drafts from the server too, which drafts-on-devices.test.ts tests.
test.beforeEach(({ context }) => context.route('**/api/draft/**', (route) => route.abort()))

test('two tabs of a new lesson store both texts, and a third offers them', async ({
  context,
  server,
}, info) => {
  await context.addCookies([(await register(server.url)).cookie])
  const first = await open(context, '/lesson/create')
  await typeTitle(first, 'Of the first tab')
  const second = await open(context, '/lesson/create')
  await expect(titleOf(second)).toHaveValue('')
  await second
    .locator('input[type=file]')
    .first()
    .setInputFiles(await writePicture(info.outputDir, 'second.jpg', 648))
  await typeTitle(second, 'Of the second tab')
  for (const [page, title] of [
    [first, 'Of the first tab'],
    [second, 'Of the second tab'],
  ] as const) {
    await page.reload()
    await expect(titleOf(page)).toHaveValue(title)
    await expect(offersOf(page)).toHaveCount(1)
  }
  await second.close()
  const third = await open(context, '/lesson/create')
  await expect(offersOf(third)).toHaveCount(2)
  await typeTitle(third, 'Of the third tab')
  // The newest draft is first. The text typed here remains as a draft.
  await take(third).first().focus()
  await third.keyboard.press('Enter')
  await expect(titleOf(third)).toHaveValue('Of the second tab')
  const picture = third.locator('[data-preview] img')
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(648)
  await expect(offersOf(third)).toHaveCount(2)
  await take(third).first().click()
  await expect(titleOf(third)).toHaveValue('Of the third tab')
  await third.getByRole('button', { name: 'Discard it' }).first().click()
  await expect(offersOf(third)).toHaveCount(1)
  await third.goto('/lesson/create?lang=bg')
  await expect(titleOf(third)).toHaveValue('Of the third tab')
  await third.getByRole('note').getByRole('button').first().click()
  await expect(titleOf(third)).toHaveValue('Of the first tab')
})

test('a duplicated tab has its own draft', async ({ page, server }) => {
  await page.context().addCookies([(await register(server.url)).cookie])
  await page.goto('/lesson/create')
  await typeTitle(page, 'Of the original')
  await page.goto('/about')
  await page.goto('/lesson/create')
  await expect(titleOf(page)).toHaveValue('Of the original')
  // A window opened by a page gets a copy of its session storage, like a duplicated tab.
  const opened = page.waitForEvent('popup')
  await page.evaluate(() => void window.open('/lesson/create'))
  const copy = await opened
  await expect(offersOf(copy)).toHaveCount(1)
  await expect(titleOf(copy)).toHaveValue('')
  await typeTitle(copy, 'Of the copy')
  await typeTitle(page, 'Of the original still')
  await copy.reload()
  await page.reload()
  await expect(titleOf(copy)).toHaveValue('Of the copy')
  await expect(titleOf(page)).toHaveValue('Of the original still')
})

test('two tabs that edit the same course store both texts, and offer them', async ({
  context,
  server,
}) => {
  const { author, course } = await publishShelf(server.url, 'Twice')
  await context.addCookies([author.cookie])
  const path = `/course/edit/${course}`
  const tabs = [await open(context, path), await open(context, path)] as const
  for (const [place, tab] of tabs.entries()) {
    await tab.getByRole('button', { name: 'Save changes' }).waitFor()
    await titleOf(tab).fill(`Of tab ${place}`)
    await stored(tab, `Of tab ${place}`)
  }
  const [tab] = tabs
  await tab.reload()
  await expect(offersOf(tab)).toHaveCount(2)
  await take(tab).first().click()
  await expect(titleOf(tab)).toHaveValue('Of tab 1')
  await take(tab).last().click()
  await expect(titleOf(tab)).toHaveValue('Of tab 0')
  await expect(offersOf(tab)).toHaveCount(1)
})

test('two tabs of a comment store both texts, and old drafts are deleted', async ({
  context,
  server,
}) => {
  const person = await register(server.url)
  await context.addCookies([person.cookie])
  const path = `/lesson/details/${await publish(server.url, person)}`
  const first = await open(context, path)
  const second = await open(context, path)
  const field = (page: Page) => page.getByLabel('Your comment')
  await field(first).fill('Words of the first tab')
  await stored(first, 'Words of the first tab')
  await field(second).fill('Words of the second tab')
  await stored(second, 'Words of the second tab')
  await first.reload()
  await expect(field(first)).toHaveValue('Words of the first tab')
  await take(first).click()
  await expect(field(first)).toHaveValue('Words of the second tab')
  await expect(offersOf(first)).toHaveCount(1)
  await first.getByRole('button', { name: 'Post' }).first().click()
  await expect(field(first)).toHaveValue('')
  await first.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.includes(':draft:comment:')) ?? ''
    const form = key.slice(0, key.indexOf('@'))
    for (let days = 0; days < 40; days += 5) {
      const savedAt = new Date(Date.now() - days * 86_400_000 - 60_000).toISOString()
      localStorage.setItem(`${form}@old${days}`, JSON.stringify({ savedAt, values: `${days}` }))
    }
  })
  await first.reload()
  await expect(offersOf(first)).toHaveCount(5)
  const count = () =>
    first.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(':draft:')).length)
  expect(await count()).toBe(5)
})

test('with full storage, swapping two drafts loses neither', async ({ context, server }) => {
  await context.addCookies([(await register(server.url)).cookie])
  const first = await open(context, '/lesson/create')
  await typeTitle(first, 'Of the first tab')
  await first.close()
  const page = await open(context, '/lesson/create')
  await typeTitle(page, 'Of the second tab')
  await page.evaluate(() => {
    // Fills the storage so that a few characters fit, but not a copy of a draft.
    for (let size = 2 ** 22; size >= 32; size /= 2)
      try {
        for (let place = 0; ; place += 1)
          localStorage.setItem(`filling ${size} ${place}`, 'x'.repeat(size))
      } catch {
        // The next entries are half as long.
      }
    localStorage.removeItem('filling 64 0')
    localStorage.removeItem('filling 32 0')
  })
  await take(page).first().click()
  await expect(titleOf(page)).toHaveValue('Of the first tab')
  await expect(offersOf(page)).toHaveCount(1)
  await page.reload()
  await expect(titleOf(page)).toHaveValue('Of the first tab')
  await take(page).first().click()
  await expect(titleOf(page)).toHaveValue('Of the second tab')
})
