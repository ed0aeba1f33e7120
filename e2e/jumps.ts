/** Measures layout shifts caused by late fonts. */
import type { Page } from '@playwright/test'
import type { Locale } from '#contract/messages/messages.ts'
import { awake, expect, followRequests } from './fixtures.ts'

/** Below what a reader notices. A row that wraps differently scores a hundred times as much. */
const UNSEEN = 0.005
const LATE_MS = 600

/** The total layout shift, and the elements that moved. */
interface Jump {
  readonly sum: number
  readonly moved: readonly string[]
}

/**
 * Opens each page with delayed fonts.
 * @returns the noticeable shifts by page, or nothing if everything stays in place
 */
export async function jumpsOf(
  page: Page,
  locale: Locale,
  paths: readonly string[],
): Promise<Record<string, Jump>> {
  await page.route('**/*.woff2', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS))
    await route.continue()
  })
  await page.addInitScript(() => {
    const jump: { sum: number; moved: string[] } = { sum: 0, moved: [] }
    Object.assign(window, { jump })
    interface Shift extends PerformanceEntry {
      readonly value: number
      readonly sources: readonly {
        readonly node: Node | null
        readonly previousRect: DOMRect
        readonly currentRect: DOMRect
      }[]
    }
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        jump.sum += value
        for (const { node, previousRect: from, currentRect: to } of sources)
          jump.moved.push(
            `${node?.textContent?.slice(0, 60)}: ${[from.x, from.y, from.width, from.height].join()} → ${[to.x, to.y, to.width, to.height].join()}`,
          )
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const jumps: Record<string, Jump> = {}
  for (const path of paths) {
    const settled = followRequests(page)
    await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${locale}`)
    await awake(page)
    await settled()
    await page.evaluate(() => document.fonts.ready)
    expect(await page.evaluate(() => document.fonts.check('1rem "Sofia Sans"'))).toBe(true)
    const jump = await page.evaluate(() => (window as unknown as { jump: Jump }).jump)
    if (jump.sum > UNSEEN) jumps[path] = jump
  }
  return jumps
}
