/** The search of everything: by misspelt words of descriptions, its filters, its empty answer, without script too. */
import { LOCALES, type MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { expect, test as base, visit } from './fixtures.ts'
import { publish, publishCourse, register, type Registered } from './people.ts'

interface Stall {
  readonly author: Registered
  readonly lessons: readonly number[]
}

const test = base.extend<object, { stall: Stall }>({
  stall: [
    async ({ server }, use) => {
      const author = await register(server.url)
      const lessons: number[] = []
      for (let place = 1; place <= 11; place += 1)
        lessons.push(
          await publish(server.url, author, {
            title: `Wall ${place}`,
            description: 'Laying ceramics evenly',
            tags: 'house',
          }),
        )
      for (let place = 1; place <= 6; place += 1)
        lessons.push(
          await publish(server.url, author, {
            title: `Шевица ${place}`,
            description: 'Кръстат бод за начало',
          }),
        )
      await publishCourse(server.url, author, lessons.slice(11), {
        title: 'Цяла шевица',
        freePreview: String(lessons[11]),
      })
      await publishCourse(server.url, author, lessons.slice(0, 6), {
        title: 'A whole house',
        freePreview: String(lessons[0]),
      })
      await expect
        .poll(async () => {
          const total = async (word: string) => {
            const answer = await fetch(`${server.url}/api/search?q=${encodeURIComponent(word)}`)
            return ((await answer.json()) as { totals: { lessons: number } }).totals.lessons
          }
          return Promise.all([total('ceramics'), total('кръстат')])
        })
        .toEqual([11, 6])
      await use({ author, lessons })
    },
    { scope: 'worker' },
  ],
})

/** A word of descriptions, how one may misspell it, in how many it stands, and the free one among them. */
const SOUGHT = {
  en: { word: 'ceramics', misspelt: 'cerramics', total: 11, free: 0, title: 'Wall 1' },
  bg: { word: 'кръстат', misspelt: 'кръсстат', total: 6, free: 11, title: 'Шевица 1' },
} as const

const addressOf = (word: string) => `/search?q=${encodeURIComponent(word)}&kind=lesson`

for (const locale of LOCALES) {
  const say = (key: MessageKey, values?: MessageValues) => translate(locale, key, values)

  test.describe(`a guest in ${locale}`, () => {
    test.use({ locale: locale === 'bg' ? 'bg-BG' : 'en-GB' })

    test('finds a free lesson by a misspelt word of its description, and reads it', async ({
      page,
      stall,
    }) => {
      const { word, misspelt, total, free, title } = SOUGHT[locale]
      await visit(page, `/lesson/all?search=${word}`)
      await expect(page.getByText(say('noLessonsFound', { search: word }))).toBeVisible()
      await page.getByRole('link', { name: say('searchMore', { total }) }).click()
      await expect(page).toHaveURL(addressOf(word))
      const field = page.getByRole('combobox', { name: say('searchEverywhere') })
      await expect(field).toHaveValue(word)
      await field.fill(misspelt)
      await field.press('Enter')
      await expect(page).toHaveURL(addressOf(misspelt))
      await expect(page.getByText(say('searchSpelt'))).toBeVisible()
      await expect(page.locator('mark').first()).toHaveText(word, { ignoreCase: true })
      await page
        .getByRole('group', { name: say('freeFilter') })
        .getByRole('link', { name: say('freePreview') })
        .click()
      await expect(page.getByRole('article')).toHaveCount(1)
      await page
        .getByRole('article')
        .getByRole('link', { name: say('details') })
        .click()
      await expect(page).toHaveURL(`/lesson/details/${stall.lessons[free]}`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
      // What the article of a lesson that one may read begins with.
      await expect(page.getByText(/^w\d+x0 /)).toBeVisible()
      await expect(page.getByRole('complementary', { name: say('sameTags') })).toBeVisible()
    })

    for (const [list, none, count] of [
      ['lesson', 'noLessonsFound', 'lessonCount'],
      ['course', 'noCoursesFound', 'courseCount'],
    ] as const)
      test(`is led on by the list of each ${list} that has nothing for their words`, async ({
        page,
        stall,
      }) => {
        expect(stall.lessons).toHaveLength(17)
        const { word, misspelt } = SOUGHT[locale]
        const total = page.getByRole('status').filter({ hasText: say(count, { total: 0 }) })
        const spelling = page.getByRole('link', { name: word, exact: true })
        const open = async (search: string, more = '') => {
          await visit(page, `/${list}/all?search=${encodeURIComponent(search)}${more}`)
          await expect(page.getByText(say(none, { search }))).toBeVisible()
          // Nothing stands in no order.
          await expect(total).toHaveText(say(count, { total: 0 }))
          const tags = page.getByRole('region', { name: say('homeTags') })
          await expect(tags.getByRole('link', { name: 'house', exact: true })).toBeVisible()
          await expect(page.getByRole('heading', { name: 'A whole house' })).toBeVisible()
        }
        await open('qqxxyyzz')
        await expect(page.getByText(say('noTitleTip'))).toBeVisible()
        await expect(page.getByText(say('searchMeant'))).toHaveCount(0)
        await open(misspelt, '&language=en')
        await expect(spelling).toBeVisible()
        await open(misspelt)
        await spelling.click()
        await expect(page).toHaveURL(`/search?q=${encodeURIComponent(word)}`)
        await expect(page.getByRole('article').first()).toBeVisible()
      })
  })
}

test('lessons, courses and tags stand in one page, with their pages', async ({ page, stall }) => {
  expect(stall.lessons).toHaveLength(17)
  await visit(page, '/search?q=house')
  await expect(page.getByRole('status').filter({ hasText: 'best match' })).toHaveText(
    '11 lessons, 1 course, best match first',
  )
  await expect(page.getByRole('heading', { name: 'A whole house' }).locator('mark')).toHaveText(
    'house',
  )
  await expect(page.getByRole('region', { name: 'Tags' }).getByRole('link')).toHaveText(['house'])
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page.getByRole('article')).toHaveCount(1)
  await page
    .getByRole('link', { name: /^Courses/ })
    .last()
    .scrollIntoViewIfNeeded()
  await page
    .getByRole('group', { name: 'Search in' })
    .getByRole('link', { name: 'Courses' })
    .click()
  await expect(page).toHaveURL('/search?q=house&kind=course')
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('the signed-in find people; guests don’t', async ({ page, stall }) => {
  const { username, id } = stall.author
  await visit(page, `/search?q=${username}`)
  await expect(page.getByRole('region', { name: 'People' })).toHaveCount(0)
  await page.context().addCookies([stall.author.cookie])
  await visit(page, `/search?q=${username}`)
  await page.getByRole('region', { name: 'People' }).getByRole('link').first().click()
  await expect(page).toHaveURL(`/profile/${id}`)
})

test('what finds nothing leads on, in Bulgarian on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await visit(page, '/search?q=qqxxyyzz&lang=bg')
  await expect(page.getByText('Не намерихме нищо за „qqxxyyzz“')).toBeVisible()
  await expect(page.getByText('най-новите')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'house' }).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'A whole house' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('odd words are answered, and without words there is nothing to search', async ({ page }) => {
  for (const q of ['%_\\', '?!…', 'a', 'гuитar', '<b>', "';--"]) {
    await visit(page, `/search?q=${encodeURIComponent(q)}`)
    await expect(page.getByRole('main').getByRole('combobox')).toHaveValue(q)
  }
  await page.goto('/search?q=')
  await expect(page).toHaveURL('/lesson/all')
  // Too long for a search: it counts as none.
  await page.goto(`/search?q=${'x'.repeat(10_000)}`)
  await expect(page).toHaveURL('/lesson/all')
})

test('without script it searches, narrows and turns pages', async ({ browser, server, stall }) => {
  expect(stall.lessons).toHaveLength(17)
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url })
  const page = await context.newPage()
  await page.goto('/search?q=wall')
  await page.getByRole('main').getByRole('combobox').fill('ceramics')
  await page.getByRole('main').getByRole('combobox').press('Enter')
  await expect(page).toHaveURL('/search?q=ceramics')
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page.getByRole('article')).toHaveCount(1)
  await context.close()
})
