/**
 * Visits pages and brings each into its states: as it is loaded, with its dialogs opened and refused, and with its
 * forms refused. Nothing is written, because the crawl aborts every call that would change something.
 */
import type { Page } from '@playwright/test'
import { expect, visit } from '#e2e/fixtures.ts'

/** Looks at the open page; `isPage` is false for its other states. Returns what is wrong by the name of the check. */
export type Look = (page: Page, isPage: boolean) => Promise<Record<string, readonly string[]>>

interface Findings {
  readonly wrong: Record<string, readonly string[]>
  /** Names of all states that were looked at. */
  readonly states: readonly string[]
}

/** Makes calls that change something fail, as without a network. */
async function refuseWrites(page: Page): Promise<void> {
  await page.route('**/api/**', (route) => {
    const request = route.request()
    // The page renews its session by a POST; signing out must not end it.
    const passes = request.method() === 'GET' || request.url().endsWith('/identity/refresh')
    return passes ? route.fallback() : route.abort('internetdisconnected')
  })
}

/** Opens each path in turn and calls `look` in each of its states. */
export async function crawl(page: Page, paths: readonly string[], look: Look): Promise<Findings> {
  const wrong: Record<string, readonly string[]> = {}
  const states: string[] = []
  const openers = new Set<string>()
  page.setDefaultTimeout(10_000)
  await refuseWrites(page)
  for (const path of new Set(paths)) {
    const check = async (state: string, isPage = false) => {
      const name = `${path}: ${state}`
      states.push(name)
      for (const [what, found] of Object.entries(await look(page, isPage)))
        if (found.length > 0) wrong[`${name}: ${what}`] = found
    }
    try {
      await visit(page, path)
      if (!/^\/(login|sign-in)/.test(path)) expect(new URL(page.url()).pathname).not.toBe('/login')
      await check('loaded', true)
      await openDialogs(page, openers, check)
      if (await refuseForm(page)) await check('refused form')
    } catch (error) {
      // The other pages are looked at all the same.
      wrong[`${path}: stuck`] = [String(error).slice(0, 300)]
    }
  }
  return { wrong, states }
}

type Check = (state: string) => Promise<void>

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
    await check(`dialog of ${name}`)
    const step = dialog.locator('.acts button:enabled:not([aria-disabled=true])').first()
    if ((await step.count()) > 0) {
      await step.click()
      if ((await dialog.count()) > 0) await check(`refused dialog of ${name}`)
    }
    for (let tries = 0; tries < 3 && (await dialog.count()) > 0; tries += 1)
      await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0, { timeout: 5000 })
  }
}

/** Leaves a letter in each field and sends the form. Returns whether the page has one. */
async function refuseForm(page: Page): Promise<boolean> {
  const fields = page.locator(
    'main form :is(input[type=text], input[type=email], input[type=password], input:not([type]), textarea):visible:enabled',
  )
  const count = await fields.count()
  if (count === 0) return false
  for (let place = 0; place < count; place += 1) {
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
