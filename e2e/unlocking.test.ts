/** Tests the unlock animation and the newest item on the shelf. */
import type { Page } from '@playwright/test'
import {
  balanceOf,
  expect,
  loseAnswer,
  overflowOf,
  steadyFrames,
  unlock,
  visit,
} from './fixtures.ts'
import { publish, registerBuyer, signIn } from './people.ts'
import { test } from './plaits.ts'

test('the band tears and the book opens', async ({ page, server, shelf }) => {
  await signIn(page, server.url, await registerBuyer(server, 600))
  await steadyFrames(page)
  await visit(page, `/lesson/details/${shelf.lessons[6]}`)
  const noted = await noteBalance(page)
  await markRegions(page)
  // The toast disappears after 2.5 seconds, so it is awaited in parallel.
  await Promise.all([
    expect(page.getByText('Successfully bought lesson!')).toBeVisible(),
    expect(page.locator('[data-toast]')).toHaveAttribute('aria-live', 'off'),
    expect(page).toHaveURL(/\/lesson\/bought$/),
    unlock(page, 100),
  ])
  const announcement = 'Unlocked: Plait 7. Balance: 500'
  // The live region existed before its text, because screen readers ignore one that is added with its text.
  await expect(page.locator('[role=status][data-stood]', { hasText: announcement })).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Read it now: Plait 7' })).toBeFocused()
  await expect.poll(() => balanceOf(page)).toBe(500)
  const between = (await noted()).filter((points) => points > 500 && points < 600)
  expect(between.length).toBeGreaterThan(0)
  expect(between).toEqual(between.toSorted((one, other) => other - one))
  const newest = page.getByRole('article').first()
  await expect(newest.getByText('Unlocked just now')).toBeVisible()
  await expect(newest.locator('[data-half]')).toHaveCount(2)
  // The sliding halves don't widen the page and end up hidden.
  await expect(newest.locator('[data-half=left]')).toHaveCSS('opacity', '0')
  expect(await overflowOf(page)).toBe(0)
  await newest.getByRole('link', { name: 'Read it now: Plait 7' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Plait 7' })).toBeVisible()

  await visit(page, '/lesson/bought')
  await expect(newest.getByText('The newest on your shelf')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: announcement })).toHaveCount(0)
  await expect(newest.locator('[data-half]')).toHaveCount(0)

  await visit(page, `/course/details/${shelf.course}`)
  await unlock(page, 500)
  await expect(page).toHaveURL(/\/course\/bought$/)
  await expect(newest.locator('[data-half]')).toHaveCount(2)
  await expect(newest).toContainText('All of Plait')
  await visit(page, '/lesson/bought')
  await expect(page.getByRole('region', { name: 'Open to you through a course' })).toContainText(
    'All of Plait',
  )
})

test('with reduced motion nothing moves, and no torn parts remain', async ({
  page,
  server,
  shelf,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 320, height: 640 })
  await signIn(page, server.url, await registerBuyer(server, 100))
  await visit(page, `/lesson/details/${shelf.lessons[6]}`)
  const noted = await noteBalance(page)
  await unlock(page, 100)
  await expect(page.locator('[data-half=right]')).toHaveCSS('opacity', '0')
  expect(await overflowOf(page)).toBe(0)
  await expect.poll(() => balanceOf(page)).toBe(0)
  expect(new Set(await noted())).toEqual(new Set([0]))
})

test('a lesson is paid once, whatever fails in between', async ({
  page,
  server,
  shelf,
  context,
}) => {
  await signIn(page, server.url, await registerBuyer(server, 400))
  const dialogOf = (tab: Page) => tab.getByRole('dialog')
  const confirm = (tab: Page) => dialogOf(tab).getByRole('button', { name: 'Unlock for 100' })
  const ask = async (tab: Page, id: number | undefined) => {
    await visit(tab, `/lesson/details/${id}`)
    await tab.getByRole('button', { name: 'Unlock for 100' }).first().click()
    await expect(dialogOf(tab)).toBeVisible()
  }
  const loseAnswerTo = async (id: number | undefined) => {
    await ask(page, id)
    await loseAnswer(page, `/api/lesson/buy/${id}`)
    await confirm(page).click()
    await expect(dialogOf(page).getByRole('alert')).toBeFocused()
  }

  await loseAnswerTo(shelf.lessons[6])
  // The dialog still shows the old sum although the balance has changed.
  await expect(dialogOf(page)).toContainText('400')
  await expect.poll(() => balanceOf(page)).toBe(300)
  await confirm(page).click()
  await expect(page.getByText('This is already yours.')).toBeVisible()
  await expect(dialogOf(page)).toHaveCount(0)
  await expect(page.locator('.prose')).toBeVisible()
  await expect.poll(() => balanceOf(page)).toBe(300)

  // If the response is lost and the person leaves, the lesson is open later.
  await loseAnswerTo(shelf.lessons[5])
  await dialogOf(page).getByRole('button', { name: 'Not now' }).click()
  await expect(page.locator('.prose')).toBeVisible()

  const other = await context.newPage()
  for (const tab of [page, other]) await ask(tab, shelf.lessons[4])
  await Promise.all([confirm(page).click(), confirm(other).click()])
  for (const tab of [page, other])
    await expect
      .poll(
        async () =>
          tab.url().endsWith('/lesson/bought') ||
          (await tab.locator('[data-player]').count()) === 1,
      )
      .toBe(true)
  await visit(page, '/lesson/bought')
  await expect(page.getByRole('main').getByRole('article')).toHaveCount(3)
  await expect.poll(() => balanceOf(page)).toBe(100)

  // Unlocking a lesson that was deleted meanwhile costs no points.
  const gone = await publish(server.url, shelf.author)
  await ask(page, gone)
  const headers = { authorization: `Bearer ${shelf.author.accessToken}` }
  await fetch(`${server.url}/api/lesson/${gone}`, { method: 'DELETE', headers })
  await confirm(page).click()
  await expect(dialogOf(page)).toContainText(
    'Lesson not found or deleted (sorry) No points were taken.',
  )
  await expect.poll(() => balanceOf(page)).toBe(100)
})

/** Records the balances in the header from now on, and returns a function that lists them. */
async function noteBalance(page: Page): Promise<() => Promise<readonly number[]>> {
  await page.evaluate(() => {
    const shown: number[] = []
    Object.assign(window, { shown })
    const balance = document.querySelector('[data-balance] .num')
    if (balance === null) throw new Error('no balance is shown')
    new MutationObserver(() => shown.push(Number(balance.textContent))).observe(balance, {
      characterData: true,
      childList: true,
      subtree: true,
    })
  })
  return () => page.evaluate(() => (window as unknown as { shown: readonly number[] }).shown)
}

/** Marks the live regions that exist before anything happens. */
async function markRegions(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const region of document.querySelectorAll('[role=status]'))
      region.setAttribute('data-stood', '')
  })
}
