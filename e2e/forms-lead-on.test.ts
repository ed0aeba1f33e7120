/** Tests form states while waiting, and toasts at the top of a page. */
import type { Page } from '@playwright/test'
import { expect, test, visit } from './fixtures.ts'
import { publish, register, signIn } from './people.ts'

const linkTo = (page: Page, field: string) =>
  page.locator('main form [data-reason]').getByRole('link', { name: field, exact: true })

test('missing and wrong fields are listed together, with links', async ({ page, server }) => {
  await signIn(page, server.url, await register(server.url))
  await visit(page, '/lesson/create')
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
  await visit(page, '/register')
  for (const distance of await offsets()) expect(distance).toBeLessThan(1.5)
  await signIn(page, server.url, person)
  for (const path of ['/course/create', '/profile/update']) {
    await visit(page, path)
    const distances = await offsets()
    expect(distances.length).toBeGreaterThan(1)
    for (const distance of distances) expect(distance).toBeLessThan(1.5)
  }
})

test('a toast disappears, but waits under the pointer and while the window is inactive', async ({
  page,
  server,
}) => {
  await signIn(page, server.url, await register(server.url))
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const toast = page.locator('[data-toast]', { hasText: 'Your profile is updated' })
  // The end of this animation closes the toast.
  const timer = page.locator('.Toastify__progress-bar')
  for (const [pause, resume] of [
    [() => toast.hover(), () => page.mouse.move(10, 500)],
    [
      () => page.evaluate(() => void window.dispatchEvent(new Event('blur'))),
      () => page.evaluate(() => void window.dispatchEvent(new Event('focus'))),
    ],
  ] as const) {
    await visit(page, '/profile/update')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(toast).toBeVisible()
    await pause()
    await expect(timer).toHaveCSS('animation-play-state', 'paused')
    await resume()
    await expect(toast).toHaveCount(0)
  }
})
