/**
 * Visits pages and checks each of their states: loaded, with dialogs opened and their actions failing, and with
 * forms failing. Aborts all writing calls, so that nothing changes.
 */
import type { Page } from '@playwright/test'
import { expect, visit } from '#e2e/fixtures.ts'
import type { NamedState, Where } from './states.ts'

/** A loaded page, one of its dialogs, or a page after an action. */
export type Kind = 'page' | 'dialog' | 'changed'

/** Checks the open page. Returns problems by the name of the check. */
export type Look = (page: Page, kind: Kind) => Promise<Record<string, readonly string[]>>

type Check = (state: string, kind: Kind) => Promise<void>

interface Findings {
  readonly wrong: Record<string, readonly string[]>
  /** Names of all checked states. */
  readonly states: readonly string[]
}

interface Tour {
  readonly paths: readonly string[]
  readonly named: readonly NamedState[]
  /** Added to each path. */
  readonly query: string
  readonly where: Omit<Where, 'open' | 'check'>
}

/** Makes writing calls fail as without a network. */
async function refuseWrites(page: Page): Promise<() => Promise<void>> {
  const calls = '**/api/**'
  await page.route(calls, (route) => {
    const request = route.request()
    // Lets the session renewal through, which is a POST, because failing it would sign the person out.
    const passes = request.method() === 'GET' || request.url().endsWith('/identity/refresh')
    return passes ? route.fallback() : route.abort('internetdisconnected')
  })
  return () => page.unroute(calls)
}

/** Opens each path and calls `look` in each of its states, then in the named states. */
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
      // Continues with the other pages.
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

/** Opens each dialog whose button was not seen before, checks it, presses its first button and checks again. */
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

/** Types a letter into each field and submits the form. Returns false if the page has no new form. */
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
  // In one step, because the validation may disable the button in between.
  await page
    .locator('main form button[type=submit]:not([aria-disabled=true])')
    .evaluateAll((all) => {
      const submit = all.at(-1)
      if (submit instanceof HTMLElement) submit.click()
    })
  return page.url() === at
}
