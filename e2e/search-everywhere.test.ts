/** The search of everything: by misspelt words of descriptions, its filters, its empty answer, without script too. */
import { findings } from './axe.ts'
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
      lessons.push(
        await publish(server.url, author, {
          title: 'Шевица',
          description: 'Кръстат бод за начало',
        }),
      )
      await publishCourse(server.url, author, lessons.slice(0, 6), {
        title: 'A whole house',
        freePreview: String(lessons[0]),
      })
      await expect
        .poll(async () => {
          const answer = await fetch(`${server.url}/api/search?q=ceramics`)
          return ((await answer.json()) as { totals: { lessons: number } }).totals.lessons
        })
        .toBe(11)
      await use({ author, lessons })
    },
    { scope: 'worker' },
  ],
})

test('a guest finds a free lesson by a misspelt word of its description, and reads it', async ({
  page,
  stall,
}) => {
  await visit(page, '/lesson/all?search=ceramics')
  await expect(page.getByRole('article')).toHaveCount(0)
  await page.getByRole('link', { name: '11 more in descriptions and tags' }).click()
  await expect(page).toHaveURL('/search?q=ceramics&kind=lesson')
  const field = page.getByRole('combobox', { name: 'Search lessons, courses and tags' })
  await expect(field).toHaveValue('ceramics')
  await field.fill('cerramics')
  await field.press('Enter')
  await expect(page).toHaveURL('/search?q=cerramics&kind=lesson')
  await expect(page.getByText('Also looked for:')).toBeVisible()
  await expect(page.locator('mark').first()).toHaveText('ceramics')
  expect(await findings(page)).toEqual([])
  await page
    .getByRole('group', { name: 'Price' })
    .getByRole('link', { name: 'Free preview' })
    .click()
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.getByRole('article').getByRole('link', { name: 'Details' }).click()
  await expect(page).toHaveURL(`/lesson/details/${stall.lessons[0]}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Wall 1')
  // What the article of a lesson that one may read begins with.
  await expect(page.getByText(/^w\d+x0 /)).toBeVisible()
})

test('lessons, courses and tags stand in one page, with their pages', async ({ page, stall }) => {
  expect(stall.lessons).toHaveLength(12)
  await visit(page, '/search?q=house')
  await expect(page.getByRole('status').filter({ hasText: 'best match' })).toHaveText(
    '11 lessons, 1 course, best match first',
  )
  await expect(page.getByRole('heading', { name: 'A whole house' }).locator('mark')).toHaveText(
    'house',
  )
  await expect(page.getByRole('region', { name: 'Tags' }).getByRole('link')).toHaveText(['house'])
  expect(await findings(page)).toEqual([])
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
  await expect(page.getByText('Нищо не се казва „qqxxyyzz“')).toBeVisible()
  await expect(page.getByText('най-новите')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'house' }).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'A whole house' })).toBeVisible()
  expect(await findings(page)).toEqual([])
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
  expect(stall.lessons).toHaveLength(12)
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
