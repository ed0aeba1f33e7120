/** Tests form states while waiting, and toasts at the top of a page. */
import type { Page } from '@playwright/test'
import { TOAST_MS } from '#contract/limits.ts'
import { expect, test, visit } from './fixtures.ts'
import { publish, register, type Registered } from './people.ts'

async function enter(page: Page, person: Registered): Promise<void> {
  await page.context().addCookies([person.cookie])
}

async function open(page: Page, path: string): Promise<void> {
  await visit(page, path)
}

const main = (page: Page) => page.getByRole('main')
const linkTo = (page: Page, field: string) =>
  page.locator('main form [data-reason]').getByRole('link', { name: field, exact: true })

test('a course without lessons is refused with an explanation and the next step', async ({
  page,
  server,
}) => {
  await enter(page, await register(server.url))
  await open(page, '/course/create')
  await expect(main(page)).toContainText(
    'A course needs at least 6 of your lessons, and you have none yet.',
  )
  await expect(main(page)).not.toContainText('No lesson with')
  await expect(main(page)).not.toContainText('Order of the lessons')
  await main(page).getByRole('link', { name: 'Create a lesson' }).click()
  await expect(page).toHaveURL('/lesson/create')
})

test('missing and wrong fields are listed together, with links', async ({ page, server }) => {
  await enter(page, await register(server.url))
  await open(page, '/lesson/create')
  const waits = page.getByRole('button', { name: 'Publish' })
  await page.locator('input[name=title]').fill('ab')
  await page.locator('input[name=title]').blur()
  await expect(waits).not.toHaveAccessibleDescription(/./)
  await waits.press('Enter')
  await expect(waits).toHaveAccessibleDescription(
    'Still missing: Video link, Description, Tags and Article. Please check: Title.',
  )
  // Only wrong values show a cross.
  const parts = page.getByRole('complementary').getByRole('listitem')
  await expect(parts).toHaveText([
    'Video link: missing',
    'Title: to check',
    ...['Description', 'Tags', 'Article'].map((part) => `${part}: missing`),
  ])
  await expect(parts.locator('use[href$="i-x"]')).toHaveCount(1)
  const goals = {
    Title: page.locator('input[name=title]'),
    Description: page.locator('input[name=description]'),
    'Video link': page.locator('input[name=video]'),
    Tags: page.getByPlaceholder('Add a tag'),
  }
  for (const [field, goal] of Object.entries(goals)) {
    await linkTo(page, field).click()
    await expect(goal).toBeFocused()
  }
  await linkTo(page, 'Article').click()
  await expect(page.locator('[data-field=article] :focus')).toBeVisible()
  expect(new URL(page.url()).hash).toBe('')
  await page.locator('input[name=title]').fill('Long enough')
  await expect(linkTo(page, 'Title')).toHaveCount(0)
  await expect(parts.nth(1)).toHaveText('Title: done')
  await expect(parts.nth(1).locator('use[href$="i-check"]')).toHaveCount(1)
})

test('an incomplete field is not an error while it is being filled in', async ({ page }) => {
  await open(page, '/register')
  await page.getByLabel(/^Username/).pressSequentially('a')
  await expect(page.locator('main form [data-reason]')).toHaveText(
    'Still missing: E-mail, Password and Repeat the password.',
  )
})

test('the repeated password is validated on blur, whatever else is empty', async ({ page }) => {
  await open(page, '/register')
  const error = page.locator('[data-field] [data-error]', { hasText: "aren't the same" })
  // Clearing the name used to disable all other validation.
  await page.getByLabel(/^Username/).fill('a')
  await page.getByLabel(/^Username/).fill('')
  await page.getByLabel(/^Password/).fill('a long password')
  await page.getByLabel(/^Repeat the password/).fill('a long passwort')
  await expect(error).toHaveCount(0)
  await page.getByLabel(/^Repeat the password/).blur()
  await expect(error).toBeVisible()
  await page.getByRole('button', { name: 'Register' }).press('Enter')
  await expect(linkTo(page, 'Repeat the password')).toBeVisible()
  await page.getByLabel(/^Repeat the password/).fill('a long password')
  await expect(error).toHaveCount(0)
})

test('checkboxes are aligned with their labels', async ({ page, server }) => {
  const person = await register(server.url)
  await publish(server.url, person, { title: 'Ash' })
  await publish(server.url, person, { title: 'Birch' })
  /** Returns the vertical distance between each checkbox and the first line of its label, in px. */
  const offsets = () =>
    page.locator('label input[type=checkbox]').evaluateAll((boxes) =>
      boxes.map((box) => {
        const words = document.createRange()
        const texts = document.createTreeWalker(box.parentElement ?? box, NodeFilter.SHOW_TEXT)
        words.selectNodeContents(texts.nextNode() ?? box)
        const [line] = words.getClientRects()
        const { top, bottom } = box.getBoundingClientRect()
        return Math.abs((top + bottom) / 2 - ((line?.top ?? 0) + (line?.bottom ?? 0)) / 2)
      }),
    )
  await open(page, '/register')
  for (const distance of await offsets()) expect(distance).toBeLessThan(1.5)
  await enter(page, person)
  for (const path of ['/course/create', '/profile/update']) {
    await open(page, path)
    const distances = await offsets()
    expect(distances.length).toBeGreaterThan(1)
    for (const distance of distances) expect(distance).toBeLessThan(1.5)
  }
})

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  async function showToast(page: Page) {
    await page.getByRole('button', { name: 'Update' }).click()
    const toast = page.locator('[data-toast]', { hasText: 'Your profile is updated' })
    await expect(toast).toBeVisible()
    return toast
  }

  test('a toast disappears, but not while the pointer is on it', async ({ page, server }) => {
    await enter(page, await register(server.url))
    await open(page, '/profile/update')
    const toast = await showToast(page)
    await toast.hover()
    await page.waitForTimeout(TOAST_MS + 500)
    await expect(toast).toBeVisible()
    await page.mouse.move(10, 500)
    await expect(toast).toHaveCount(0)
  })

  test('a toast waits while the window is inactive', async ({ page, server }) => {
    await enter(page, await register(server.url))
    await open(page, '/profile/update')
    const toast = await showToast(page)
    await page.evaluate(() => window.dispatchEvent(new Event('blur')))
    await page.waitForTimeout(TOAST_MS + 500)
    await expect(toast).toBeVisible()
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(toast).toHaveCount(0)
  })
})
