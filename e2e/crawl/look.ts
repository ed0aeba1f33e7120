/** Checks of an open page. Each returns a list of problems. */
import type { CDPSession, Page } from '@playwright/test'
import { LOCALES, type Locale } from '#contract/messages/messages.ts'
import { catalogueOf } from '#server/kernel/text/catalogues.ts'
import { findings } from '#e2e/axe.ts'
import { afterFrames, expect, followRequests } from '#e2e/fixtures.ts'
import { synthesisedFonts, markControls, measureControls } from './control-states.ts'

/** In px. The slow tests use the widths around breakpoints. */
export const FEW_WIDTHS = [320, 768, 1440]
export const ALL_WIDTHS = [
  320, 360, 390, 480, 640, 768, 960, 1024, 1088, 1200, 1248, 1300, 1440, 1920,
]
/** The last of FEW_WIDTHS, so that the window need not be resized after them. */
export const WIDE = { width: 1440, height: 720 }
export const PHONE = { width: 390, height: 844 }

/** Resizes the open page without reloading it. Returns the elements that overflow horizontally. */
export async function overflowingAt(page: Page, widths: readonly number[]): Promise<string[]> {
  const problems: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 720 })
    // Scripts that observe the window size have run by then.
    await afterFrames(page)
    const found = await page.evaluate(findOverflowing)
    if (found.length > 0) problems.push(`at ${width}: ${found.join(', ')}`)
  }
  return problems
}

/** Returns catalogue keys that are shown instead of their texts. */
export async function untranslatedKeys(page: Page): Promise<string[]> {
  const html = await page.evaluate(htmlWithoutCode)
  // Matches texts and attributes that are a single word in camel case.
  const words = html.matchAll(
    />([a-z]+[A-Z]\w*)<|(?:aria-label|title|alt|placeholder)="([a-z]+[A-Z]\w*)"/g,
  )
  return [...words]
    .map(([, text, name]) => text ?? name ?? '')
    .filter((key) => Object.hasOwn(catalogueOf('en'), key))
}

/** Switches to each other language and back. Returns the catalogue keys that are shown instead of their texts. */
export async function untranslatedAfterSwitch(page: Page, locale: Locale): Promise<string[]> {
  const found: string[] = []
  for (const to of [...LOCALES.filter((other) => other !== locale), locale]) {
    const settled = followRequests(page)
    await page.locator('footer select').selectOption(to)
    await expect(page.locator('html')).toHaveAttribute('lang', to)
    await settled()
    found.push(...(await untranslatedKeys(page)).map((key) => `${to}: ${key}`))
  }
  return found
}

export async function darkContrast(page: Page, place = 'html'): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  const found = await findings(page, { runOnly: ['color-contrast'] }, place)
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}

const PSEUDO_CLASSES = [
  [],
  ['hover'],
  ['focus', 'focus-visible'],
  ['hover', 'active'],
  ['hover', 'focus', 'focus-visible'],
]

/** Measures each kind of control that is not in `seen` in every combination of states, in light and dark. */
export async function controlFaults(
  page: Page,
  session: CDPSession,
  seen: string[],
): Promise<string[]> {
  seen.push(...(await page.evaluate(markControls, seen)))
  const { root } = await session.send('DOM.getDocument', { depth: 0 })
  const { nodeIds } = await session.send('DOM.querySelectorAll', {
    nodeId: root.nodeId,
    selector: '[data-control]',
  })
  const faults = await page.evaluate(synthesisedFonts)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const forcedPseudoClasses of nodeIds.length === 0 ? [] : PSEUDO_CLASSES) {
      for (const nodeId of nodeIds)
        // Hydration may replace the node.
        await session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses }).catch(() => {})
      const found = await page.evaluate(measureControls, forcedPseudoClasses.join(' '))
      faults.push(...found.map((fault) => `${colorScheme}: ${fault}`))
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return faults
}

/** Returns the innermost elements that extend beyond the window. */
function findOverflowing(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const isWide = (element: Element) => element.getBoundingClientRect().right > clientWidth + 0.5
  return [...document.querySelectorAll('#app *')]
    .filter((element) => isWide(element) && ![...element.children].some(isWide))
    .map((element) => `${element.tagName}.${element.className}`)
    .concat(`${scrollWidth}`)
}

function htmlWithoutCode(): string {
  const copy = document.body.cloneNode(true)
  if (!(copy instanceof HTMLElement)) return ''
  // Code samples contain field names on purpose.
  for (const code of copy.querySelectorAll('code, script')) code.remove()
  return copy.innerHTML
}

/** Returns visible texts that overflow the page or an ancestor that clips them. Scrollable texts are fine. */
export function clippedTexts(): string[] {
  const clipped: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  /** Returns the nearest ancestor that clips or scrolls the text. */
  const clipBoxOf = (from: Element | null): { box: DOMRect; scrolls: boolean } | null => {
    for (let element = from; element !== null; element = element.parentElement) {
      const { overflowX, webkitLineClamp, clipPath, textOverflow } = getComputedStyle(element)
      // Skips texts for screen readers, and long user texts that end in an ellipsis by design.
      if (clipPath !== 'none' || webkitLineClamp !== 'none' || textOverflow === 'ellipsis')
        return null
      if (overflowX !== 'visible')
        return { box: element.getBoundingClientRect(), scrolls: /auto|scroll/.test(overflowX) }
      if (element === document.body) break
    }
    const { clientWidth, clientHeight } = document.documentElement
    return { box: new DOMRect(0, 0, clientWidth, clientHeight), scrolls: false }
  }
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode
    const words = textContent?.trim() ?? ''
    if (words === '' || parentElement?.checkVisibility({ visibilityProperty: true }) !== true)
      continue
    // Skips elements that only become visible on focus, and the shelf of the home page, which is cut off by design.
    if (parentElement.closest('script, style, option, .skip, [data-shelf]') !== null) continue
    const clip = clipBoxOf(parentElement)
    if (clip === null || clip.scrolls) continue
    const range = document.createRange()
    range.selectNodeContents(walker.currentNode)
    const { left, right } = range.getBoundingClientRect()
    if (left < clip.box.left - 1 || right > clip.box.right + 1) clipped.push(words)
  }
  return clipped
}

/**
 * Returns visible and accessible texts with three consecutive Latin words. Skips code and elements marked as
 * English.
 */
export function latinSentences(): string[] {
  const texts: string[] = [document.title]
  const isExempt = (element: Element | null) =>
    element?.closest('[lang=en], code, pre, script, style') !== null
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode
    if (!isExempt(parentElement)) texts.push(textContent ?? '')
  }
  for (const name of ['aria-label', 'title', 'alt', 'placeholder']) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      if (!isExempt(element)) texts.push(element.getAttribute(name) ?? '')
    }
  }
  const commands = /npm run [\w:-]+/g
  return texts.filter((text) =>
    /(?:\b[a-z]{2,}\s+){2}[a-z]{2,}\b/i.test(text.replaceAll(commands, '')),
  )
}
