/**
 * Visits pages and brings each into its states: as it is loaded, with its dialogs opened and refused, and with its
 * forms refused. Nothing is written, because the crawl aborts every call that would change something.
 */
import type { Page } from '@playwright/test'
import { expect, visit } from '#e2e/fixtures.ts'
import type { NamedState, Where } from './states.ts'

/** A page as it was loaded, one of its dialogs, or a page after an act. */
export type Kind = 'page' | 'dialog' | 'changed'

/** Looks at the open page. Returns what is wrong by the name of the check. */
export type Look = (page: Page, kind: Kind) => Promise<Record<string, readonly string[]>>

type Check = (state: string, kind: Kind) => Promise<void>

interface Findings {
  readonly wrong: Record<string, readonly string[]>
  /** Names of all states that were looked at. */
  readonly states: readonly string[]
}

interface Tour {
  readonly paths: readonly string[]
  readonly named: readonly NamedState[]
  /** Added to each path. */
  readonly query: string
  readonly where: Omit<Where, 'open' | 'check'>
}

/** Makes calls that change something fail, as without a network. */
async function refuseWrites(page: Page): Promise<() => Promise<void>> {
  const calls = '**/api/**'
  await page.route(calls, (route) => {
    const request = route.request()
    // The page renews its session by a POST; signing out must not end it.
    const passes = request.method() === 'GET' || request.url().endsWith('/identity/refresh')
    return passes ? route.fallback() : route.abort('internetdisconnected')
  })
  return () => page.unroute(calls)
}

/** Opens each path in turn and calls `look` in each of its states; then in the states that have names. */
export async function crawl(page: Page, tour: Tour, look: Look): Promise<Findings> {
  const wrong: Record<string, readonly string[]> = {}
  const states: string[] = []
  const met = new Set<string>()
  const attempt = async (place: string, act: (check: Check) => Promise<void>) => {
    const check: Check = async (state, kind) => {
      const name = `${place}: ${state}`
      states.push(name)
      for (const [what, found] of Object.entries(await look(page, kind)))
        if (found.length > 0) wrong[`${name}: ${what}`] = found
    }
    try {
      await act(check)
    } catch (error) {
      // The others are looked at all the same.
      wrong[`${place}: stuck`] = [String(error).slice(0, 300)]
    }
  }
  const open = async (path: string) => {
    await visit(page, `${path}${path.includes('?') ? '&' : '?'}${tour.query}`)
    if (!/^\/(login|sign-in)/.test(path)) expect(new URL(page.url()).pathname).not.toBe('/login')
  }
  page.setDefaultTimeout(10_000)
  const allowWrites = await refuseWrites(page)
  for (const path of new Set(tour.paths))
    await attempt(path, async (check) => {
      await open(path)
      await check('loaded', 'page')
      await openDialogs(page, met, check)
      if (await refuseForm(page, met)) await check('refused form', 'changed')
    })
  await allowWrites()
  for (const { name, act } of tour.named)
    await attempt(name, (check) => act(page, { ...tour.where, open, check }))
  return { wrong, states }
}

/** Opens each dialog whose opener was not met before, looks, presses its first button and looks again. */
async function openDialogs(page: Page, met: Set<string>, check: Check): Promise<void> {
  const buttons = page.locator('main button[aria-haspopup="dialog"]:visible:enabled')
  const names = await buttons.evaluateAll((all) =>
    all.map((each) => {
      const place = each.closest('section, li, article, form, dialog')
      return `${place?.className ?? ''} ${each.className} ${(each.textContent ?? '').replaceAll(/\d+/g, 'n')}`
    }),
  )
  for (const [place, name] of names.entries()) {
    if (met.has(name)) continue
    met.add(name)
    await buttons.nth(place).click()
    const dialog = page.locator('dialog[open]')
    await expect(dialog).toBeVisible({ timeout: 5000 })
    await expect(dialog.getByRole('status').filter({ hasText: /\S/ })).toHaveCount(0)
    await check(`dialog of ${name}`, 'dialog')
    const step = dialog
      .locator('> div > div:last-child button:enabled:not([aria-disabled=true])')
      .first()
    if ((await step.count()) > 0) {
      await step.click()
      if ((await dialog.count()) > 0) await check(`refused dialog of ${name}`, 'dialog')
    }
    for (let tries = 0; tries < 3 && (await dialog.count()) > 0; tries += 1)
      await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0, { timeout: 5000 })
  }
}

/** Leaves a letter in each field and sends the form. False where there is none, or none that is new. */
async function refuseForm(page: Page, met: Set<string>): Promise<boolean> {
  const fields = page.locator(
    'main form :is(input[type=text], input[type=email], input[type=password], input:not([type]), textarea):visible:enabled',
  )
  const names = await fields.evaluateAll((all) =>
    all.map((each) => each.getAttribute('name') ?? each.className),
  )
  const form = names.join()
  if (names.length === 0 || met.has(form)) return false
  met.add(form)
  for (const place of names.keys()) {
    const field = fields.nth(place)
    await field.fill('я')
    await field.blur()
  }
  const at = page.url()
  // In one step, because checking the fields may disable the button meanwhile.
  await page
    .locator('main form button[type=submit]:not([aria-disabled=true])')
    .evaluateAll((all) => {
      const submit = all.at(-1)
      if (submit instanceof HTMLElement) submit.click()
    })
  return page.url() === at
}
