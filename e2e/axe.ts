/** What axe finds on the open page. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Broken rules with the elements in `place` that break them; evaluated past the page's policy. */
export async function findings(
  page: Page,
  options: RunOptions = {},
  place = 'html',
): Promise<readonly string[]> {
  // A page that was looked at before has it still.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await axeSource)
  const given: RunOptions = { resultTypes: ['violations'], selectors: false, ...options }
  return page.evaluate(
    async ([where, how]) => {
      const { axe } = globalThis as unknown as {
        axe: { run(place: string, options: RunOptions): Promise<AxeResults> }
      }
      // A change of theme reaches the styles with the next frame, and only then are there colours on their way.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      // A colour on its way to another, as after a change of theme, is no finding; what is longer is not waited for.
      const passing = document.getAnimations().filter(({ playState }) => playState === 'running')
      await Promise.race([
        Promise.allSettled(passing.map(({ finished }) => finished)),
        new Promise((resolve) => setTimeout(resolve, 500)),
      ])
      const { violations } = await axe.run(where, how)
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
      )
    },
    [place, given] as const,
  )
}
