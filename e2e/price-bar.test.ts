/** On a phone the price of what is locked stands at the foot of the screen until its button is in view. */
import type { Page } from '@playwright/test'
import { LOCALES } from '#contract/messages/messages.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { expect, once, test as base, visit } from './fixtures.ts'
import { publish, publishCourse, register, type Registered, signIn } from './people.ts'

/** What TypeScript's library does not describe yet. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number
  readonly sources: readonly {
    readonly node: Node | null
    readonly previousRect: DOMRectReadOnly
    readonly currentRect: DOMRectReadOnly
  }[]
}

interface Shelf {
  readonly author: Registered
  readonly learner: Registered
  readonly lesson: number
  readonly course: number
}

const test = base.extend<{ shelf: Shelf }>({
  shelf: once(async (server) => {
    const author = await register(server.url)
    const lessons: number[] = []
    for (let number = 1; number <= 6; number += 1)
      lessons.push(
        await publish(server.url, author, {
          description: 'Fifty-nine letters that make the head of its page a long one',
          opening: 'The first page of it. '.repeat(12).trim(),
        }),
      )
    const course = await publishCourse(server.url, author, lessons)
    const learner = await register(server.url)
    await publish(server.url, learner)
    return { author, learner, lesson: lessons[0] ?? 0, course }
  }),
})
test.use({ viewport: { width: 390, height: 664 } })

const bar = (page: Page) => page.locator('.price-bar')
const panel = (page: Page) => page.locator('.buy')

/** Brings the panel's step to the middle of the screen. */
const showStep = (page: Page) =>
  panel(page)
    .locator('.btn')
    .evaluate((step) => step.scrollIntoView({ block: 'center', behavior: 'instant' }))

for (const locale of LOCALES) {
  test.describe(`the price in ${locale}`, () => {
    test.use({ locale: locale === 'bg' ? 'bg-BG' : 'en-GB' })

    test('a guest registers from the bar, which goes when the panel’s own step is in view', async ({
      page,
      shelf,
    }) => {
      for (const address of [
        `/lesson/details/${shelf.lesson}`,
        `/course/details/${shelf.course}`,
      ]) {
        await page.setViewportSize({ width: 320, height: 520 })
        await visit(page, address)
        const step = bar(page).getByRole('link', { name: translate(locale, 'registerToUnlock') })
        await expect(step).toBeInViewport({ ratio: 1 })
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        expect([address, width]).toEqual([address, 320])
        await showStep(page)
        await expect(bar(page)).toHaveCount(0)
        // Further down it stays away: who has passed the price is reading.
        await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
        await expect(panel(page)).not.toBeInViewport()
        await expect(bar(page)).toHaveCount(0)
        await page.evaluate(() => window.scrollTo(0, 0))
        await step.click()
        await expect(page).toHaveURL(/\/register\?next=/)
      }
    })
  })
}

test('who has the points unlocks from the bar', async ({ page, server, shelf }) => {
  await signIn(page, server.url, shelf.learner)
  await page.setViewportSize({ width: 390, height: 520 })
  await visit(page, `/lesson/details/${shelf.lesson}`)
  await bar(page).getByRole('button', { name: 'Unlock for 100' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('100')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(bar(page).getByRole('button')).toBeFocused()
})

test('who lacks points is told how many, and the bar offers no step', async ({
  page,
  server,
  shelf,
}) => {
  await signIn(page, server.url, shelf.learner)
  await page.setViewportSize({ width: 390, height: 520 })
  await visit(page, `/course/details/${shelf.course}`)
  await expect(bar(page)).toContainText('400')
  await expect(bar(page).getByRole('button')).toHaveCount(0)
})

test('what takes the focus by keyboard is not behind the bar', async ({ page, shelf }) => {
  await page.setViewportSize({ width: 390, height: 520 })
  await visit(page, `/lesson/details/${shelf.lesson}`)
  await expect(bar(page)).toBeVisible()
  const hidden = await page.evaluate(() => {
    const steps = [...document.querySelectorAll<HTMLElement>('main a[href], main button')]
    return steps.flatMap((step) => {
      if (step.closest('.price-bar') !== null) return []
      step.focus()
      const cover = document.querySelector('.price-bar')?.getBoundingClientRect()
      const { bottom } = step.getBoundingClientRect()
      return cover !== undefined && bottom > cover.top && step.closest('.buy') === null
        ? [step.textContent]
        : []
    })
  })
  expect(hidden).toEqual([])
})

test('nothing moves when the bar comes or goes, and a wide screen has none', async ({
  page,
  shelf,
}) => {
  await visit(page, `/lesson/details/${shelf.lesson}`)
  // From here on: what the typefaces and the pictures do on the way is another test's.
  await page.evaluate(() => document.fonts.ready)
  const shifts = await page.evaluate(
    () =>
      new Promise<readonly string[]>((resolve) => {
        const shifted: string[] = []
        new PerformanceObserver((list) => {
          for (const { value, sources } of list.getEntries() as LayoutShift[])
            for (const { node, previousRect, currentRect } of sources)
              shifted.push(
                `${value}: ${node?.nodeName} ${node?.textContent?.slice(0, 40)} from ${previousRect.y} to ${currentRect.y}`,
              )
        }).observe({ type: 'layout-shift' })
        window.scrollTo({ top: 900, behavior: 'instant' })
        setTimeout(() => window.scrollTo({ top: 0, behavior: 'instant' }), 300)
        setTimeout(() => resolve(shifted), 900)
      }),
  )
  await expect(bar(page)).toBeVisible()
  expect(shifts).toEqual([])
  await page.setViewportSize({ width: 1280, height: 400 })
  await expect(bar(page)).not.toBeVisible()
})
