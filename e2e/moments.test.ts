/** Tests the celebration after publishing a lesson. The test of course creation covers that of courses. */
import type { Page } from '@playwright/test'
import { expect, overflowOf, steadyFrames, test, writePicture } from './fixtures.ts'
import { publish, register, signIn } from './people.ts'
import { publishByForm } from './publish-by-form.ts'
import { listShifts, watchShifts } from './shifts.ts'

const momentOf = (page: Page) => page.getByRole('region', { name: 'Your lesson is on the stall' })
/** The visible balance, which counts up. */
const balanceIn = (page: Page) => momentOf(page).locator('p > span[aria-hidden=true]').first()

test('publishing is celebrated once, suggests the next step, and shows no amount for a withheld reward', async ({
  page,
  server,
}, info) => {
  await signIn(page, server.url, await register(server.url))
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const picture = await writePicture(info.outputDir)
  await publishByForm(page, picture)
  const moment = momentOf(page)
  const line = moment.getByRole('row').last()
  await expect(line).toContainText('+100')
  // With reduced motion, the final value is shown immediately.
  await expect(balanceIn(page)).toHaveText('100')
  const running = await moment.evaluate(
    (box) =>
      box.getAnimations({ subtree: true }).filter((one) => one.playState === 'running').length,
  )
  expect(running).toBe(0)
  await expect(moment).toContainText('1 of 6 lessons towards a course worth 500')
  const newest = moment.locator('[data-newest]')
  await expect(newest).toHaveCount(1)
  await expect(newest.locator('xpath=../*')).toHaveCount(6)

  await moment.getByRole('button', { name: 'Copy link' }).click()
  await expect(moment.getByRole('status')).toContainText('Link copied.')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
  const asked = page.waitForRequest(/\/api\/lesson\/\d+$/)
  await moment.getByRole('button', { name: 'View as a guest' }).click()
  const dialog = page.getByRole('dialog', { name: 'What a guest sees' })
  await expect(dialog).toContainText('Everybody else can unlock it for 100 KB Points.')
  expect((await asked).headers()['authorization']).toBeUndefined()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.setViewportSize({ width: 320, height: 800 })
  expect(await overflowOf(page)).toBe(0)
  // Authors are not asked to rate their own lesson.
  await expect(page.getByPlaceholder('Answer your readers')).toBeVisible()
  await expect(page.getByPlaceholder('How did it go for you?')).toHaveCount(0)
  const choose = moment.getByRole('link', { name: 'Choose a lesson to unlock' })
  await expect(choose).toHaveAttribute('href', '/lesson/all?sort=likes')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(moment).toHaveCount(0)

  // Uses the same video again.
  await publishByForm(page, picture, { button: 'Publish without a reward' })
  await expect(line).toContainText(
    'No reward: you, or three other authors, were already rewarded for this video',
  )
  await expect(line).not.toContainText('+100')
  await expect(balanceIn(page)).toHaveText('100')
  await expect(moment).toContainText('1 of 6 lessons towards a course worth 500')
  await expect(newest).toHaveCount(0)
})

test('the animation of the cover, the text and the balance causes no layout shift', async ({
  page,
  server,
}, info) => {
  const author = await register(server.url)
  await signIn(page, server.url, author)
  await steadyFrames(page)
  const picture = await writePicture(info.outputDir)
  await publishByForm(page, picture)
  await expect(balanceIn(page)).toHaveText('100')
  const moment = momentOf(page)
  const moved = await moment.evaluate((box) =>
    box
      .getAnimations({ subtree: true })
      .flatMap((one) => (one instanceof CSSAnimation ? one.animationName : [])),
  )
  // Finished animations keep their final state.
  for (const name of ['bind-board', 'bind-pages', 'bind-band', 'write', 'shelve'])
    expect(moved).toContainEqual(expect.stringContaining(name))
  const isStill = () =>
    moment.evaluate((box) =>
      box
        .getAnimations({ subtree: true })
        .every((one) => one.playState === 'finished' || !(one instanceof CSSAnimation)),
    )
  await expect.poll(isStill).toBe(true)

  // With six lessons, the answer offers to create a course.
  for (let count = 0; count < 4; count += 1) await publish(server.url, author)
  for (const address of ['**/api/lesson/*', '**/api/course/choices'])
    await page.route(address, async (route) => {
      // Longer than the delay before a skeleton is shown, and than the time for which a click excuses layout
      // shifts.
      await new Promise((resolve) => setTimeout(resolve, 900))
      await route.continue()
    })
  for (const [width, video] of [
    [390, 'roundsplice'],
    [1440, 'shortsplice'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await publishByForm(page, picture, { video, before: () => watchShifts(page) })
    await expect(page.getByText('You have 6 lessons for a course worth 500.')).toBeVisible()
    await expect(moment.getByRole('link', { name: 'Create a course' })).toBeVisible()
    await expect.poll(isStill).toBe(true)
    const unexcused = (await listShifts(page)).filter(({ hadRecentInput }) => !hadRecentInput)
    expect([width, unexcused]).toEqual([width, []])
  }
})
