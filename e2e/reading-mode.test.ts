/** Tests reading mode, which shows an open lesson without its surroundings. */
import type { Page } from '@playwright/test'
import { expect, overflowOf, visit } from './fixtures.ts'
import { signIn } from './people.ts'
import { test } from './plaits.ts'
import { playHere } from './player.ts'
import { listShifts, watchShifts } from './shifts.ts'

const ROUND =
  'header[data-beside], footer[data-beside], aside[data-beside], [data-comments] > [data-beside]'

async function expectVideoBesideText(page: Page): Promise<void> {
  await page.locator('.prose > p').nth(20).scrollIntoViewIfNeeded()
  const player = page.locator('[data-player]')
  await expect(player).toBeInViewport({ ratio: 1 })
  const video = await player.boundingBox()
  const text = await page.locator('.prose').boundingBox()
  expect((video?.x ?? 0) + (video?.width ?? 0)).toBeLessThan(text?.x ?? 0)
}

test('reading mode hides everything around a lesson, is remembered, and Escape ends it', async ({
  page,
  server,
  shelf,
}) => {
  await signIn(page, server.url, shelf.author)
  await page.setViewportSize({ width: 1440, height: 800 })
  const lesson = `/lesson/details/${shelf.lesson}`
  const round = page.locator(ROUND).filter({ visible: true })
  const mode = page.getByRole('button', { name: 'Reading mode' })
  await visit(page, lesson)
  await expect(mode).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(() => round.count()).toBeGreaterThan(2)
  await mode.press('Enter')
  await expect(mode).toHaveAttribute('aria-pressed', 'true')
  await expect(mode).toBeFocused()
  await expect(round).toHaveCount(0)
  await expectVideoBesideText(page)
  // Escape closes a dialog first.
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(mode).toHaveAttribute('aria-pressed', 'true')

  // Hidden before any script runs, so that nothing moves.
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto(lesson, { waitUntil: 'commit' })
  await expect(page.locator('.prose')).toBeVisible()
  await expect(round).toHaveCount(0)
  await page.goto('/lesson/all', { waitUntil: 'commit' })
  await expect(page.locator('header[data-beside]')).toBeVisible()
  await page.unroute('**/assets/*.js')

  await visit(page, `/course/details/${shelf.course}`)
  await expect(mode).toHaveAttribute('aria-pressed', 'true')
  await expectVideoBesideText(page)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await overflowOf(page)).toBe(0)
  await expect(round).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(mode).toHaveAttribute('aria-pressed', 'false')
  await expect(page.getByText('You’ve left reading mode.')).toBeAttached()
  await expect.poll(() => round.count()).toBeGreaterThan(2)
})

test('on a wide screen the video is beside the text even without the mode, and nothing moves', async ({
  page,
  server,
  shelf,
}) => {
  await signIn(page, server.url, shelf.author)
  await playHere(page)
  const player = page.locator('[data-player]')
  const prose = page.locator('.prose')
  await page.setViewportSize({ width: 1280, height: 800 })
  await visit(page, `/lesson/details/${shelf.lesson}`)
  await watchShifts(page)
  await page.getByRole('button', { name: 'Play the video' }).click()
  await expect(player.locator('iframe')).toBeVisible()
  await prose.locator('p').nth(20).scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 400)
  await expectVideoBesideText(page)
  expect(await listShifts(page)).toEqual([])
  // About 70 characters in this font.
  expect((await prose.boundingBox())?.width).toBe(608)
  await page.setViewportSize({ width: 1440, height: 800 })
  await expectVideoBesideText(page)
  expect((await prose.boundingBox())?.width).toBe(608)
  await page.emulateMedia({ media: 'print' })
  await expect(player).toBeHidden()
  await expect(prose).toBeVisible()
})

test('on a phone a lesson’s article starts soon after its video, and its steps and numbers are one line', async ({
  page,
  server,
  shelf,
}) => {
  await signIn(page, server.url, shelf.author)
  await page.setViewportSize({ width: 390, height: 844 })
  await visit(page, `/lesson/details/${shelf.lesson}`)
  const video = await page.locator('[data-player]').boundingBox()
  const text = await page.locator('.prose').boundingBox()
  expect((text?.y ?? 0) - (video?.y ?? 0) - (video?.height ?? 0)).toBeLessThanOrEqual(350)
  const line = page.locator('[data-line]')
  await expect(line).toContainText('0 likes')
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    expect((await line.boundingBox())?.height).toBe(44)
    for (const name of ['Share', 'Reading mode', 'Delete']) {
      const step = await line.getByRole('button', { name }).boundingBox()
      expect(step?.width, name).toBeGreaterThanOrEqual(44)
    }
  }
})
