/** An open page stays readable without the server and says so. Failed requests can be repeated. */
import type { Page } from '@playwright/test'
import type { MessageKey } from '#contract/messages/messages.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { awake, expect, intercept, once, test as base } from './fixtures.ts'
import { publish, register } from './people.ts'

const test = base.extend<{ lesson: number }>({
  lesson: once(async ({ url }) => {
    const author = await register(url)
    let lesson = 0
    for (let count = 0; count < 12; count += 1) lesson = await publish(url, author)
    return lesson
  }),
})

/** Ways to cut the connection to the server, whether the browser notices it or not. */
const CUTS: Readonly<Record<string, (page: Page, away: boolean) => Promise<unknown>>> = {
  'without a network': (page, away) => page.context().setOffline(away),
  'with a server that is away': (page, away) =>
    away ? intercept(page, '**/*', (route) => route.abort()) : page.unroute('**/*'),
  'with a proxy that answers for it': (page, away) =>
    away
      ? intercept(page, '**/api/**', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
      : page.unroute('**/api/**'),
}

const say = (key: MessageKey) => translate('en', key)

for (const [how, cut] of Object.entries(CUTS))
  test(`the open page stays and offers to retry ${how}`, async ({ page, lesson }) => {
    await page.setViewportSize({ width: 390, height: 700 })
    await page.goto('/lesson/all')
    await awake(page)
    const title = page.getByRole('heading', { level: 1 })
    const card = page.locator(`article a[href="/lesson/details/${lesson}"]`)
    const notice = page.getByText(say('networkAway'))
    const again = page.getByRole('status').getByRole('button', { name: say('tryAgain') })
    await expect(title).toHaveText(say('lessons'))
    await card.scrollIntoViewIfNeeded()
    const top = await page.evaluate(() => window.scrollY)

    await cut(page, true)
    await card.click()
    await expect(notice).toBeVisible()
    await expect(page).toHaveURL(/\/lesson\/all/)
    await expect(title).toHaveText(say('lessons'))
    await expect(card).toBeFocused()
    expect(await page.evaluate(() => window.scrollY)).toBe(top)
    await again.click()
    await expect(notice).toBeVisible()
    await cut(page, false)
    await again.click()
    await expect(page).toHaveURL(`/lesson/details/${lesson}`)
    await expect(notice).toHaveCount(0)
    await expect(title).not.toHaveText(say('lessons'))
    const shown = await title.textContent()

    await cut(page, true)
    await page.goBack()
    await expect(notice).toBeVisible()
    await expect(page).toHaveURL(`/lesson/details/${lesson}`)
    await expect(title).toHaveText(shown ?? '')
    await cut(page, false)
    await page.goBack()
    await expect(page).toHaveURL(/\/lesson\/all/)
    await expect(title).toHaveText(say('lessons'))
    await expect(notice).toHaveCount(0)

    // Opens the same URL again: the page must keep its data when the request fails.
    await cut(page, true)
    await page
      .locator('footer')
      .getByRole('link', { name: say('lessons') })
      .click()
    await expect(notice).toBeVisible()
    await expect(title).toHaveText(say('lessons'))
    await expect(card).toBeVisible()
    await cut(page, false)
  })
