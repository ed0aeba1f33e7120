/** Moments: what a page celebrates once, in both languages, and with less motion at once. */
import type { Page } from '@playwright/test'
import { type MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { expect, steadyFrames, test, visit, writePicture } from './fixtures.ts'
import { publish, publishCourse, register } from './people.ts'
import { publishByForm } from './publish-by-form.ts'

const locale = 'en'

const say = (key: MessageKey, values?: MessageValues) => translate('en', key, values)

test.describe(`moments`, () => {
  test.use({ locale: 'en-GB' })

  test('publishing is celebrated once, and says what may come next', async ({
    page,
    server,
  }, info) => {
    const author = await register(server.url)
    await page.context().addCookies([author.cookie])
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await publishByForm(page, await writePicture(info.outputDir), locale)

    const moment = page.getByRole('region', { name: say('momentLesson') })
    await expect(moment.getByRole('row').last()).toContainText('+100')
    // With less motion nothing counts: the sum stands there from the start.
    await expect(moment.locator('[data-balance]')).toContainText('100')
    expect(
      await moment.evaluate(
        (box) =>
          box.getAnimations({ subtree: true }).filter((one) => one.playState === 'running').length,
      ),
    ).toBe(0)
    await expect(moment).toContainText(say('momentShelf', { count: 1, min: 6, reward: '500' }))
    await expect(moment.locator('[data-place=taken]')).toHaveCount(1)
    await expect(moment.locator('[data-place=free]')).toHaveCount(5)

    await moment.getByRole('button', { name: say('copyLink') }).click()
    await expect(moment.getByRole('status')).toContainText(say('linkCopied'))
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())

    const asked = page.waitForRequest(/\/api\/lesson\/\d+$/)
    await moment.getByRole('button', { name: say('asGuest') }).click()
    const dialog = page.getByRole('dialog', { name: say('guestSees') })
    await expect(dialog).toContainText(say('guestSeesNote', { price: '100' }))
    expect((await asked).headers()['authorization']).toBeUndefined()
    await dialog.getByRole('button', { name: say('close') }).click()

    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
      ).toBeLessThanOrEqual(0)
    }
    // Nobody is asked how their own lesson went for them.
    await expect(page.getByPlaceholder(say('commentPlaceholderOwner'))).toBeVisible()
    await expect(page.getByPlaceholder(say('commentPlaceholder'))).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(moment).toHaveCount(0)
  })

  test('with motion the cover binds itself, the line writes itself and the balance counts up', async ({
    page,
    server,
  }, info) => {
    const author = await register(server.url)
    await page.context().addCookies([author.cookie])
    await steadyFrames(page)
    await page.addInitScript(noteCount)
    await publishByForm(page, await writePicture(info.outputDir), locale)
    const moment = page.getByRole('region', { name: say('momentLesson') })
    await expect(moment.locator('[data-balance] .num')).toHaveText('100')
    // What has come to its end still holds what it moved.
    const moved = await moment.evaluate((box) =>
      box
        .getAnimations({ subtree: true })
        .flatMap((one) =>
          one instanceof CSSAnimation ? one.animationName.split('_').slice(1) : [],
        ),
    )
    for (const name of ['bind-board', 'bind-pages', 'bind-band', 'write', 'shelve'])
      expect(moved).toContain(name)
    const counted = await page.evaluate(() => (window as unknown as { counted: number[] }).counted)
    expect(counted.filter((points) => points > 0 && points < 100).length).toBeGreaterThan(0)
    expect(counted).toEqual(counted.toSorted((one, other) => one - other))
    // Bound, written, and shelved: all lies where it does with less motion.
    await expect
      .poll(() =>
        moment.evaluate((box) =>
          box
            .getAnimations({ subtree: true })
            .every((one) => one.playState === 'finished' || !(one instanceof CSSAnimation)),
        ),
      )
      .toBe(true)
  })

  test('a course is celebrated with what it earned, and leads to no other course', async ({
    page,
    server,
  }, info) => {
    const author = await register(server.url)
    await page.context().addCookies([author.cookie])
    for (let place = 1; place <= 6; place += 1)
      await publish(server.url, author, { title: `Hitch ${place}` })
    await publishCourseByForm(
      page,
      await writePicture(info.outputDir),
      say('publishEarn', { reward: '500' }),
    )

    const moment = page.getByRole('region', { name: say('momentCourse') })
    await expect(moment.getByRole('row').last()).toContainText('+500')
    await expect(moment.locator('[data-balance] .num')).toHaveText(/^1.?100$/)
    await expect(moment.locator('[data-place]')).toHaveCount(0)
    await moment.getByRole('button', { name: say('asGuest') }).click()
    const dialog = page.getByRole('dialog', { name: say('guestSees') })
    await expect(dialog).toContainText(say('guestSeesNote', { price: '500' }))
    await dialog.getByRole('button', { name: say('close') }).click()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(moment).toHaveCount(0)
  })

  test('a withheld reward is written as nothing, with its reason, and counts towards nothing', async ({
    page,
    server,
  }, info) => {
    const author = await register(server.url)
    await page.context().addCookies([author.cookie])
    await publish(server.url, author, { video: `https://youtu.be/eyesplice${locale}` })
    await publishByForm(page, await writePicture(info.outputDir), locale, {
      button: say('publishPlain'),
    })

    const moment = page.getByRole('region', { name: say('momentLesson') })
    const line = moment.getByRole('row').last()
    await expect(line).toContainText(say('withheldSameVideo'))
    await expect(line).not.toContainText('+100')
    await expect(moment.locator('[data-balance] .num')).toHaveText('100')
    await expect(moment).toContainText(say('momentShelf', { count: 1, min: 6, reward: '500' }))
    await expect(moment.locator('[data-newest]')).toHaveCount(0)
  })

  test('a second course of the same lessons is celebrated without a reward', async ({
    page,
    server,
  }, info) => {
    const author = await register(server.url)
    await page.context().addCookies([author.cookie])
    const lessons: number[] = []
    for (let place = 1; place <= 6; place += 1)
      lessons.push(await publish(server.url, author, { title: `Hitch ${place}` }))
    await publishCourse(server.url, author, lessons)
    await publishCourseByForm(page, await writePicture(info.outputDir), say('publishPlain'))

    const moment = page.getByRole('region', { name: say('momentCourse') })
    const line = moment.getByRole('row').last()
    await expect(line).toContainText(say('withheldLessonsDontCount'))
    await expect(line).not.toContainText('+500')
    await expect(moment.locator('[data-balance] .num')).toHaveText(/^1.?100$/)
  })
})

for (const width of [390, 1440]) {
  test(`nothing jumps while a slow lesson is published, ${width} wide`, async ({
    page,
    server,
  }, info) => {
    const author = await register(server.url)
    await page.context().addCookies([author.cookie])
    await page.setViewportSize({ width, height: 844 })
    // Six stand on the shelf: the step to a course comes with the answer.
    for (let count = 0; count < 5; count += 1) await publish(server.url, author)
    for (const address of ['**/api/lesson/*', '**/api/course/choices'])
      await page.route(address, async (route) => {
        // Longer than a page waits before it shows the shape of the next one, and than a press excuses what jumps.
        await new Promise((resolve) => setTimeout(resolve, 900))
        await route.continue()
      })
    await publishByForm(page, await writePicture(info.outputDir), 'en', {
      before: () => noteShifts(page),
    })
    await expect(page.getByText('You have 6 lessons for a course worth 500.')).toBeVisible()
    await expect(
      page.getByRole('main').getByRole('link', { name: 'Create a course' }),
    ).toBeVisible()
    // The moment's own motion lasts 600 ms.
    await page.waitForTimeout(700)
    expect(await page.evaluate(() => (window as unknown as { shifts: unknown[] }).shifts)).toEqual(
      [],
    )
  })
}

/** Notes what jumps from now on, and by how much. */
async function noteShifts(page: Page): Promise<void> {
  await page.evaluate(() => {
    interface Shift extends PerformanceEntry {
      readonly value: number
      readonly hadRecentInput: boolean
      readonly sources: readonly { readonly node: Node | null }[]
    }
    const shifts: unknown[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[])
        if (!hadRecentInput)
          shifts.push([value, ...sources.map(({ node }) => node?.parentElement?.className)])
    }).observe({ type: 'layout-shift' })
  })
}

async function publishCourseByForm(page: Page, picture: string, name: string): Promise<void> {
  await visit(page, '/course/create')
  await page.locator('input[name=title]').fill('All hitches')
  await page.locator('input[name=description]').fill('How to tie them and when to trust them')
  await page.locator('input[type=file]').first().setInputFiles(picture)
  for (let place = 1; place <= 6; place += 1)
    await page.getByRole('checkbox', { name: `Hitch ${place}` }).check()
  const button = page.getByRole('button', { name })
  await expect(button).toBeEnabled()
  await button.click()
  await expect(page).toHaveURL(/\/course\/details\/\d+/)
}

/** Notes each number that the balance of the moment shows. */
function noteCount(): void {
  const counted: number[] = []
  Object.assign(window, { counted })
  new MutationObserver(() => {
    const shown = document.querySelector('main [data-balance] .num')?.textContent
    if (shown !== undefined && shown !== null) counted.push(Number(shown))
  }).observe(document, { characterData: true, childList: true, subtree: true })
}
