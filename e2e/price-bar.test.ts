/** On a phone, the price of a locked item is fixed at the bottom until its button is visible. */
import type { Page } from '@playwright/test'
import { expect, visit } from './fixtures.ts'
import { registerBuyer, signIn } from './people.ts'
import { test } from './plaits.ts'
import { listShifts, watchShifts } from './shifts.ts'

test.use({ viewport: { width: 390, height: 664 } })

const bar = (page: Page) => page.locator('[data-price-bar]')
const panel = (page: Page) => page.locator('[data-buy]')

/** Scrolls the panel's button to the middle of the screen. */
const showStep = (page: Page) =>
  panel(page)
    .locator('[data-kind]')
    .first()
    .evaluate((step) => step.scrollIntoView({ block: 'center', behavior: 'instant' }))

test('a guest registers from the bar, which disappears when the panel’s button is visible, without layout shifts', async ({
  page,
  shelf,
}) => {
  const step = bar(page).getByRole('link', { name: 'Register to unlock' })
  const scrollTo = (top: number) =>
    page.evaluate((to) => window.scrollTo({ top: to, behavior: 'instant' }), top)
  const expectBarFollows = async () => {
    await showStep(page)
    await expect(bar(page)).toHaveCount(0)
    // Below the panel the bar stays hidden, because the reader has passed the price.
    await scrollTo(100_000)
    await expect(panel(page)).not.toBeInViewport()
    await expect(bar(page)).toHaveCount(0)
    await scrollTo(0)
    await expect(bar(page)).toBeVisible()
  }
  await visit(page, `/lesson/details/${shelf.lesson}`)
  await expect(bar(page)).toBeVisible()
  await watchShifts(page)
  await expectBarFollows()
  expect(await listShifts(page)).toEqual([])

  await page.setViewportSize({ width: 390, height: 520 })
  expect(await listHiddenSteps(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 400 })
  await expect(bar(page)).not.toBeVisible()

  await page.setViewportSize({ width: 320, height: 520 })
  await scrollTo(0)
  await expect(step).toBeInViewport({ ratio: 1 })
  await step.click()
  await expect(page).toHaveURL(/\/register\?next=/)

  await visit(page, `/course/details/${shelf.course}`)
  await expect(step).toBeInViewport({ ratio: 1 })
  await expectBarFollows()
})

test('a learner with enough points unlocks from the bar; others see how many are missing', async ({
  page,
  server,
  shelf,
}) => {
  await signIn(page, server.url, await registerBuyer(server, 100))
  await page.setViewportSize({ width: 390, height: 520 })
  await visit(page, `/lesson/details/${shelf.lesson}`)
  await bar(page).getByRole('button', { name: 'Unlock for 100' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('100')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(bar(page).getByRole('button')).toBeFocused()

  await visit(page, `/course/details/${shelf.course}`)
  await expect(bar(page)).toContainText('400')
  await expect(bar(page).getByRole('button')).toHaveCount(0)
})

/** Lists focusable elements that the bar covers while they have focus. */
const listHiddenSteps = (page: Page) =>
  page.evaluate(() => {
    const steps = [...document.querySelectorAll<HTMLElement>('main a[href], main button')]
    return steps.flatMap((step) => {
      if (step.closest('[data-price-bar]') !== null) return []
      step.focus()
      const cover = document.querySelector('[data-price-bar]')?.getBoundingClientRect()
      const { bottom } = step.getBoundingClientRect()
      return cover !== undefined && bottom > cover.top && step.closest('[data-buy]') === null
        ? [step.textContent]
        : []
    })
  })
