import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns axe's violations inside `place`. Evaluated by the driver, because the page's policy forbids the script.
 */
export async function findings(
  page: Page,
  options: RunOptions = {},
  place = 'html',
): Promise<readonly string[]> {
  // The script is already in a page that was checked before.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await axeSource)
  const given: RunOptions = { resultTypes: ['violations'], selectors: false, ...options }
  return page.evaluate(
    async ([where, how]) => {
      const { axe } = globalThis as unknown as {
        axe: { run(place: string, options: RunOptions): Promise<AxeResults> }
      }
      // A new theme starts its transitions in the frame after the change.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      // Waits for colour transitions, whose intermediate colours are not findings, but not for longer animations.
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
