/** Notices update the count on every open page, have one list, and follow the person's settings. */
import type { Page } from '@playwright/test'
import { expect, intercept, overflowOf, test as base, visit } from './fixtures.ts'
import { call, publish, register, type Registered, signIn } from './people.ts'

interface Notices {
  readonly author: Registered
  readonly reader: Registered
  readonly lesson: number
}

const test = base.extend<{ told: Notices }>({
  told: async ({ server }, use) => {
    const [author, reader] = [await register(server.url), await register(server.url)]
    const lesson = await publish(server.url, author, { title: 'Sauerkraut' })
    await use({ author, reader, lesson })
  },
})
test.use({ timezoneId: 'Europe/Sofia' })

const bell = (page: Page, count: number) =>
  page.getByRole('banner').getByRole('link', {
    name: count === 0 ? 'Notifications' : `Notifications, ${count} unread`,
    exact: true,
  })

test('a like updates the bell on every open page, reading resets it everywhere, and each kind can be configured', async ({
  page: first,
  context,
  sit,
  server,
  told: { author, reader, lesson },
}) => {
  await signIn(first, server.url, author)
  await visit(first, '/notifications')
  await expect(first.getByText('No notifications yet')).toBeVisible()
  await visit(first, '/about')
  const second = await context.newPage()
  await visit(second, '/lesson/all')
  const small = await sit(author, { viewport: { width: 320, height: 844 } })
  await visit(small, '/')
  await expect(bell(first, 0)).toBeVisible()
  await call(server.url, reader, 'POST', `/lesson/like/${lesson}`)
  for (const page of [first, second, small]) await expect(bell(page, 1)).toBeVisible()
  expect(await overflowOf(small)).toBe(0)

  await bell(small, 1).click()
  const lines = small.getByRole('main').getByRole('listitem')
  await expect(lines).toHaveCount(1)
  const words = `${reader.username} likes “Sauerkraut”`
  await expect(lines.getByRole('link', { name: words })).toBeVisible()
  await expect(lines.getByText('new', { exact: true })).toBeVisible()
  for (const page of [first, second, small]) await expect(bell(page, 0)).toBeVisible()
  // New notices are offered while the list is open and don't move its rows.
  await call(server.url, await register(server.url), 'POST', `/lesson/like/${lesson}`)
  await small.getByRole('button', { name: 'Show it' }).click()
  await expect(lines.getByText('new', { exact: true })).toBeVisible()

  await visit(first, '/notifications')
  await first.getByRole('link', { name: 'Notification settings' }).click()
  await expect(first).toHaveURL(/\/profile\/notifications/)
  const kind = 'Likes'
  const mail = first.getByRole('combobox', { name: `By e-mail: ${kind}` })
  const shown = first.getByRole('checkbox', { name: `On the site: ${kind}` })
  const zone = first.getByLabel('Time zone')
  const save = first.getByRole('button', { name: 'Save' })
  await expect(save).toBeDisabled()
  await expect(shown).toBeChecked()
  await expect(zone).toHaveValue('')
  await expect(zone).toContainText('The same as this browser (Europe/Sofia)')
  await mail.selectOption('once')
  await shown.uncheck()
  await zone.selectOption('Asia/Tokyo')
  // The settings survive a network error.
  await intercept(first, '**/api/notice/settings', (route) => route.abort())
  await save.click()
  await expect(first.getByRole('alert').first()).toBeVisible()
  await first.unroute('**/api/notice/settings')
  await save.press('Enter')
  await expect(first.getByText('Saved', { exact: true })).toBeVisible()
  // A button that its own press disables keeps the focus.
  await expect(save).toBeDisabled()
  await expect(save).toBeFocused()
  await first.reload()
  await expect(mail).toHaveValue('once')
  await expect(shown).not.toBeChecked()
  await expect(zone).toHaveValue('Asia/Tokyo')
})

test('only visible notices are marked as read', async ({
  page,
  server,
  told: { author, reader, lesson },
}) => {
  await signIn(page, server.url, author)
  await call(server.url, reader, 'POST', `/lesson/like/${lesson}`)
  for (const title of ['Kimchi', 'Pickles']) {
    const other = await publish(server.url, author, { title })
    await call(server.url, reader, 'POST', `/lesson/like/${other}`)
  }
  await page.setViewportSize({ width: 800, height: 320 })
  await visit(page, '/about')
  await expect(bell(page, 3)).toBeVisible()
  await visit(page, '/notifications')
  const oldest = page.getByRole('main').getByRole('listitem').last()
  await expect(oldest).not.toBeInViewport()
  await expect(bell(page, 3)).toHaveCount(0)
  await expect(bell(page, 0)).toHaveCount(0)
  await oldest.scrollIntoViewIfNeeded()
  await expect(bell(page, 0)).toBeVisible()
})

test('without a live connection the number updates too', async ({
  page,
  server,
  told: { author, reader, lesson },
}) => {
  await page.route('**/chatHub/**', (route) => route.abort())
  await page.clock.install()
  await signIn(page, server.url, author)
  await visit(page, '/about')
  await call(server.url, reader, 'POST', `/lesson/like/${lesson}`)
  await expect(async () => {
    await page.clock.runFor(61_000)
    await expect(bell(page, 1)).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 20_000 })
})
