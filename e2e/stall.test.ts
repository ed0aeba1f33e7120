/** The front page of the signed-in: three steps for who is new, then where to go on, what is new, and one's own week. */
import { LOCALES, type Locale, type MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { expect, test as base, visit, writePicture } from './fixtures.ts'
import { publish, publishCourse, register, type Registered } from './people.ts'
import { publishByForm } from './publish-by-form.ts'

const FIRST: Readonly<Record<Locale, string>> = {
  en: 'Warp is what stands and weft is what wanders: the shuttle goes over one thread and under the next, and comes back.',
  bg: 'Основата стои, а вътъкът се разхожда: совалката минава над една нишка и под следващата, после се връща по реда си.',
}

interface Stall {
  readonly author: Registered
  readonly lessons: readonly number[]
}

const test = base.extend<object, { stall: Stall }>({
  stall: [
    async ({ server }, use) => {
      const author = await register(server.url)
      const lessons: number[] = []
      for (let place = 1; place <= 7; place += 1)
        lessons.push(await publish(server.url, author, { title: `Weaving ${place}` }))
      await publishCourse(server.url, author, lessons.slice(0, 6), {
        title: 'All of weaving',
        freePreview: String(lessons[0]),
      })
      await use({ author, lessons })
    },
    { scope: 'worker' },
  ],
})

for (const locale of LOCALES) {
  const say = (key: MessageKey, values?: MessageValues) => translate(locale, key, values)

  test.describe(`a new person in ${locale}`, () => {
    test.use({ locale: locale === 'bg' ? 'bg-BG' : 'en-GB' })

    test('goes through the three steps, and has a stall then', async ({
      page,
      server,
      stall,
    }, info) => {
      await page.context().addCookies([(await register(server.url)).cookie])
      await visit(page, '/')
      const steps = page.getByRole('region', { name: say('stallSteps') })
      await expect(steps.getByRole('link')).toHaveText([
        say('stallStepRead'),
        say('stallStepPublish'),
        say('stallStepUnlock'),
      ])
      await expect(steps).toContainText('+100')
      await steps.getByRole('link', { name: say('stallStepRead') }).click()
      await expect(page).toHaveURL(/free=1/)
      await expect(page.getByRole('article')).toHaveCount(1)
      await page
        .getByRole('article')
        .getByRole('link', { name: say('details') })
        .click()
      await expect(page).toHaveURL(`/lesson/details/${stall.lessons[0]}`)
      await expect(page.getByText(/^w\d+x0 /)).toBeVisible()
      await expect(async () => {
        await visit(page, '/')
        await expect(steps.getByRole('link')).toHaveCount(2, { timeout: 1000 })
      }).toPass()
      await steps.getByRole('link', { name: say('stallStepPublish') }).click()
      await publishByForm(page, await writePicture(info.outputDir), locale, {
        video: 'firststep',
        article: FIRST[locale],
      })
      await visit(page, '/')
      await expect(steps.getByRole('link')).toHaveText([say('stallStepUnlock')])
      await visit(page, `/lesson/details/${stall.lessons[6]}`)
      const unlock = { name: say('unlockFor', { price: '100' }) }
      await page.getByRole('button', unlock).click()
      await page.getByRole('dialog').getByRole('button', unlock).click()
      // The page tells the server that it was opened, after it shows the text: who leaves at once is asked too early.
      const told = page.waitForResponse(`**/api/progress/${stall.lessons[6]}`)
      await page.getByRole('link', { name: `${say('readNow')}: Weaving 7` }).click()
      await expect(page.getByText(/^w\d+x0 /)).toBeVisible()
      expect((await told).status()).toBe(204)
      await visit(page, '/')
      await expect(steps).toHaveCount(0)
      const goOn = page.getByRole('region', { name: say('stallContinue') })
      await expect(goOn.getByRole('link', { name: 'Weaving 7' })).toBeVisible()
      await expect(page.getByRole('region', { name: say('stallWeek') })).toBeVisible()
    })
  })
}

test('the author’s week stands there, in Bulgarian on the smallest screen', async ({
  page,
  stall,
}) => {
  await page.context().addCookies([stall.author.cookie])
  await page.setViewportSize({ width: 320, height: 700 })
  await visit(page, '/?lang=bg')
  await expect(page.locator('.stall-strip h1')).toHaveCount(1)
  await expect(page.locator('.stall-strip .figures li')).toHaveCount(4)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})

test('guests are welcomed as before', async ({ page, stall }) => {
  expect(stall.lessons).toHaveLength(7)
  await visit(page, '/')
  await expect(page.locator('.stall-strip')).toHaveCount(0)
  await expect(page.locator('.hero h1')).toBeVisible()
})
