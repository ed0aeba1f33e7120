/** Records layout shifts. */
import type { Page } from '@playwright/test'
import type { Locale } from '#contract/messages/messages.ts'
import { expect, visit } from './fixtures.ts'

interface Shift {
  readonly value: number
  readonly hadRecentInput: boolean
  /** The elements that moved, with their positions before and after. */
  readonly moved: readonly string[]
}

/** Runs inside a page. `buffered` also records earlier shifts. */
function noteShifts(buffered: boolean): void {
  const shifts: Shift[] = []
  Object.assign(window, { shifts })
  interface Entry extends PerformanceEntry, Omit<Shift, 'moved'> {
    readonly sources: readonly {
      readonly node: Node | null
      readonly previousRect: DOMRectReadOnly
      readonly currentRect: DOMRectReadOnly
    }[]
  }
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
      const moved = sources.map(
        ({ node, previousRect, currentRect }) =>
          `${node?.textContent?.slice(0, 60)}: ${JSON.stringify(previousRect)} → ${JSON.stringify(currentRect)}`,
      )
      shifts.push({ value, hadRecentInput, moved })
    }
  }).observe({ type: 'layout-shift', buffered })
}

/** Lists the recorded layout shifts. */
export const listShifts = (page: Page): Promise<readonly Shift[]> =>
  page.evaluate(
    () =>
      new Promise<readonly Shift[]>((resolve) => {
        const { shifts } = window as unknown as { shifts: readonly Shift[] }
        // Entries are delivered after their frame.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0, shifts)))
      }),
  )

/** Records layout shifts from now on, after fonts have loaded. */
export async function watchShifts(page: Page): Promise<void> {
  await page.evaluate(async () => void (await document.fonts.ready))
  await page.evaluate(noteShifts, false)
}

/** Below what a reader notices. A row that wraps differently scores a hundred times as much. */
const UNSEEN = 0.005

/**
 * Opens each page with delayed fonts.
 * @returns the noticeable shifts by page, or nothing if everything stays in place
 */
export async function shiftsOfLateFonts(
  page: Page,
  locale: Locale,
  paths: readonly string[],
): Promise<Record<string, readonly Shift[]>> {
  await page.route('**/*.woff2', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600))
    await route.continue()
  })
  await page.addInitScript(noteShifts, true)
  const jumps: Record<string, readonly Shift[]> = {}
  for (const path of paths) {
    await visit(page, `${path}${path.includes('?') ? '&' : '?'}lang=${locale}`)
    await page.evaluate(async () => void (await document.fonts.ready))
    expect(await page.evaluate(() => document.fonts.check('1rem "Sofia Sans"'))).toBe(true)
    const shifts = await listShifts(page)
    if (shifts.reduce((sum, { value }) => sum + value, 0) > UNSEEN) jumps[path] = shifts
  }
  return jumps
}
