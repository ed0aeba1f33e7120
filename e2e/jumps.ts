/** How far the parts of a page move when its typefaces come late. */
import type { Page } from '@playwright/test'
import type { Locale } from '#contract/messages/messages.ts'
import { awake, expect, followRequests } from './fixtures.ts'

/** What a reader does not notice; a row that wraps anew is a hundred times as much. */
const UNSEEN = 0.005
const LATE_MS = 600

/**
 * Opens each page with typefaces that come late.
 * @returns what moved on which, seen by a reader; nothing where all stays where it is
 */
export async function jumpsOf(
  page: Page,
  locale: Locale,
  paths: readonly string[],
): Promise<Record<string, number>> {
  await page.route('**/*.woff2', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS))
    await route.continue()
  })
  await page.addInitScript(() => {
    const moved: number[] = []
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries() as (PerformanceEntry & { value: number })[])
        moved.push(value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const jumps: Record<string, number> = {}
  for (const path of paths) {
    const settled = followRequests(page)
    await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${locale}`)
    await awake(page)
    await settled()
    await page.evaluate(() => document.fonts.ready)
    expect(await page.evaluate(() => document.fonts.check('1rem "Sofia Sans"'))).toBe(true)
    const sum = await page.evaluate(() =>
      (window as unknown as { moved: number[] }).moved.reduce((all, one) => all + one, 0),
    )
    if (sum > UNSEEN) jumps[path] = sum
  }
  return jumps
}
