/** What happens to one's things is counted on every open page, read in one place, and told as one chose. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { type MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { expect, test as base, visit } from './fixtures.ts'
import { call, publish, register, type Registered, signIn } from './people.ts'

const locale = 'en'

interface Told {
  readonly author: Registered
  readonly reader: Registered
  readonly lesson: number
}

const test = base.extend<{ told: Told }>({
  told: async ({ server }, use) => {
    const [author, reader] = [await register(server.url), await register(server.url)]
    const lesson = await publish(server.url, author, { title: 'Sauerkraut' })
    await use({ author, reader, lesson })
  },
})

const contextOf = (browser: Browser, locale: string, width = 1280): Promise<BrowserContext> =>
  browser.newContext({
    locale: 'en-GB',
    viewport: { width, height: 844 },
    timezoneId: 'Europe/Sofia',
  })

const say = (key: MessageKey, values?: MessageValues) => translate('en', key, values)
const bell = (page: Page, count: number) =>
  page.getByRole('banner').getByRole('link', { name: say('noticesBell', { count }), exact: true })

test(`a like moves the bell of every open page, and reading ends it on all`, async ({
  browser,
  server,
  told: { author, reader, lesson },
}) => {
  const laptop = await contextOf(browser, locale)
  const phone = await contextOf(browser, locale, 320)
  const [first, second, small] = [
    await laptop.newPage(),
    await laptop.newPage(),
    await phone.newPage(),
  ]
  await signIn(first, server.url, author)
  await signIn(small, server.url, author)
  await visit(first, '/about')
  await visit(second, '/lesson/all')
  await visit(small, '/')
  await expect(bell(first, 0)).toBeVisible()
  await call(server.url, reader, 'POST', `/lesson/like/${lesson}`)
  for (const page of [first, second, small])
    await expect(bell(page, 1)).toBeVisible({ timeout: 10_000 })
  const width = await small.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(320)

  await bell(small, 1).click()
  const lines = small.getByRole('main').getByRole('listitem')
  const words = { actor: reader.username, title: 'Sauerkraut', others: 0, count: 1, amount: 0 }
  await expect(lines).toHaveCount(1)
  await expect(lines.getByRole('link', { name: say('noticeLiked', words) })).toBeVisible()
  await expect(lines.getByText(say('noticesNew'), { exact: true })).toBeVisible()
  for (const page of [first, second, small])
    await expect(bell(page, 0)).toBeVisible({ timeout: 10_000 })

  // What comes while the list is open is offered, and moves nothing.
  await call(server.url, await register(server.url), 'POST', `/lesson/like/${lesson}`)
  const offer = small.getByRole('button', { name: say('noticesShowNew') })
  await expect(offer).toBeVisible({ timeout: 10_000 })
  await offer.click()
  await expect(lines.getByText(say('noticesNew'), { exact: true })).toBeVisible()
  await laptop.close()
  await phone.close()
})

test(`one chooses how each kind is told`, async ({ browser, server, told: { author } }) => {
  const context = await contextOf(browser, locale)
  const page = await context.newPage()
  await signIn(page, server.url, author)
  await visit(page, '/notifications')
  await expect(page.getByText(say('noticesNone'))).toBeVisible()
  await page.getByRole('link', { name: say('noticesHow') }).click()
  await expect(page).toHaveURL(/\/profile\/notifications/)
  const kind = say('noticeKindLiked')
  const mail = page.getByRole('combobox', { name: say('noticeWaysMailOf', { kind }) })
  const shown = page.getByRole('checkbox', { name: say('noticeWaysShownOf', { kind }) })
  const save = page.getByRole('button', { name: say('noticeWaysSave') })
  await expect(save).toBeDisabled()
  await expect(shown).toBeChecked()
  await mail.selectOption('once')
  await shown.uncheck()
  // The words stay when the network is cut.
  await page.route('**/api/notice/settings', (route) => route.abort())
  await save.click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await page.unroute('**/api/notice/settings')
  await save.click()
  await expect(page.getByText(say('noticeWaysSaved'))).toBeVisible()
  await page.reload()
  await expect(mail).toHaveValue('once')
  await expect(shown).not.toBeChecked()
  const zone = page.getByLabel(say('noticeWaysZone'))
  await expect(zone).toHaveValue('')
  await expect(zone).toContainText(say('zoneOfBrowser', { zone: 'Europe/Sofia' }))
  await zone.selectOption('Asia/Tokyo')
  await save.click()
  await expect(page.getByText(say('noticeWaysSaved'))).toBeVisible()
  await page.reload()
  await expect(zone).toHaveValue('Asia/Tokyo')
  await context.close()
})

test('without a live connection the number comes all the same', async ({
  browser,
  server,
  told: { author, reader, lesson },
}) => {
  const context = await contextOf(browser, 'en')
  await context.route('**/chatHub/**', (route) => route.abort())
  const page = await context.newPage()
  await page.clock.install()
  await signIn(page, server.url, author)
  await visit(page, '/about')
  await call(server.url, reader, 'POST', `/lesson/like/${lesson}`)
  const bell = page.getByRole('banner').getByRole('link', { name: 'Notices, 1 unread' })
  await expect(async () => {
    await page.clock.runFor(61_000)
    await expect(bell).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 20_000 })
  await context.close()
})
