/** Tests the global search: misspelt words, filters, empty results, and without JavaScript. */
import { expect, once, test as base, visit } from './fixtures.ts'
import { publish, publishCourse, register, type Registered } from './people.ts'

interface Stall {
  readonly author: Registered
  readonly lessons: readonly number[]
}

/** Its words appear in no other text on the server. */
const test = base.extend<{ stall: Stall }>({
  stall: once(async ({ url }) => {
    const author = await register(url)
    const lessons: number[] = []
    for (let place = 1; place <= 11; place += 1)
      lessons.push(
        await publish(url, author, {
          title: `Minaret ${place}`,
          description: 'Laying majolica evenly',
          tags: 'kasbah,tiles',
        }),
      )
    await publishCourse(url, author, lessons.slice(0, 6), {
      title: 'A whole kasbah',
      freePreview: String(lessons[0]),
    })
    await expect
      .poll(async () => {
        const answer = await fetch(`${url}/api/search?q=majolica`)
        return ((await answer.json()) as { totals: { lessons: number } }).totals.lessons
      })
      .toBe(11)
    return { author, lessons }
  }),
})

test('a guest finds a free lesson by a misspelt word of its description, and reads it', async ({
  page,
  stall,
}) => {
  await visit(page, '/lesson/all?search=majolica')
  await expect(page.getByText('No lesson with “majolica” in its title.')).toBeVisible()
  const elsewhere = page.getByRole('region', { name: 'Found elsewhere' })
  await expect(elsewhere.getByRole('article')).toHaveCount(5)
  await expect(elsewhere.locator('mark').first()).toHaveText('majolica')
  await elsewhere.getByRole('link', { name: 'All results for “majolica”' }).click()
  await expect(page).toHaveURL('/search?q=majolica')
  const field = page.getByRole('main').getByRole('combobox')
  await expect(field).toHaveValue('majolica')
  await field.fill('majollica')
  await field.press('Enter')
  await expect(page).toHaveURL('/search?q=majollica')
  await expect(page.getByText('Nothing for “majollica”. Close matches: majolica')).toBeVisible()
  await expect(page.locator('mark').first()).toHaveText('majolica')
  await page
    .getByRole('group', { name: 'Price' })
    .getByRole('link', { name: 'Free preview' })
    .click()
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.getByRole('article').getByRole('link', { name: 'Details' }).click()
  await expect(page).toHaveURL(`/lesson/details/${stall.lessons[0]}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Minaret 1')
  // The beginning of the article of an open lesson.
  await expect(page.getByText(/^w\d+x0 /)).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'On the same subject' })).toBeVisible()
})

test('a list or search without results leads on', async ({ page, stall }) => {
  expect(stall.lessons).toHaveLength(11)
  const spelling = page.getByRole('link', { name: 'majolica', exact: true })
  const expectWaysOn = async () => {
    const tags = page.getByRole('region', { name: 'By subject' })
    await expect(tags.getByRole('link').first()).toBeVisible()
    const courses = page.getByRole('region', { name: 'Courses people like most' })
    await expect(courses.getByRole('heading', { level: 3 }).first()).toBeVisible()
  }
  for (const kind of ['lesson', 'course']) {
    const open = async (search: string, more = '') => {
      await visit(page, `/${kind}/all?search=${search}${more}`)
      await expect(page.getByText(`No ${kind} with “${search}” in its title.`)).toBeVisible()
      // An empty list has no sort order.
      const total = page.getByRole('status').filter({ hasText: `0 ${kind}s` })
      await expect(total).toHaveText(`0 ${kind}s`)
      await expectWaysOn()
    }
    await open('qqxxyyzz')
    await expect(page.getByText('Try fewer words')).toBeVisible()
    await expect(page.getByText('Did you mean:')).toHaveCount(0)
    await open('majollica', '&likes=3')
    await expect(spelling).toBeVisible()
  }
  // No course matches, but lessons do.
  await visit(page, '/course/all?search=majolica')
  await expect(page.getByRole('region', { name: 'Found elsewhere' })).toContainText('Minaret 11')
  await visit(page, '/lesson/all?search=majollica')
  await expect(page.getByText('Nothing for “majollica”. Close matches:')).toBeVisible()
  await spelling.click()
  await expect(page).toHaveURL('/search?q=majolica')
  await expect(page.getByRole('article').first()).toBeVisible()
  const field = page.getByRole('main').getByRole('combobox')
  await field.fill('qqxxyyzz')
  await field.press('Enter')
  await expect(page.getByText('Nothing found for “qqxxyyzz”.')).toBeVisible()
  await expect(page.getByText('newest first')).toHaveCount(0)
  await expectWaysOn()
})

test('lessons, courses and tags are on one page, with pages; people for signed-in readers', async ({
  page,
  stall,
}) => {
  const { username, id } = stall.author
  await visit(page, '/search?q=kasbah')
  await expect(page.getByRole('status').filter({ hasText: 'best match' })).toHaveText(
    '11 lessons, 1 course, best match first',
  )
  await expect(page.getByRole('heading', { name: 'A whole kasbah' }).locator('mark')).toHaveText(
    'kasbah',
  )
  await expect(page.getByRole('region', { name: 'Tags' }).getByRole('link')).toHaveText(['kasbah'])
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page.getByRole('article')).toHaveCount(1)
  await page
    .getByRole('group', { name: 'Search in' })
    .getByRole('link', { name: 'Courses' })
    .click()
  await expect(page).toHaveURL('/search?q=kasbah&kind=course')
  await expect(page.getByRole('article')).toHaveCount(1)

  const field = page.getByRole('main').getByRole('combobox')
  await field.fill('<b>')
  await field.press('Enter')
  await expect(page).toHaveURL(/q=%3Cb%3E/)
  await expect(field).toHaveValue('<b>')

  await visit(page, `/search?q=${username}`)
  await expect(page.getByRole('region', { name: 'People' })).toHaveCount(0)
  await page.context().addCookies([stall.author.cookie])
  await visit(page, `/search?q=${username}`)
  await page.getByRole('region', { name: 'People' }).getByRole('link').first().click()
  await expect(page).toHaveURL(`/profile/${id}`)
})

test('search, filters and pages work without JavaScript; unusual terms get an answer', async ({
  browser,
  server,
  stall,
}) => {
  expect(stall.lessons).toHaveLength(11)
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url })
  const page = await context.newPage()
  await page.goto('/search?q=wall')
  await page.getByRole('main').getByRole('combobox').fill('majolica')
  await page.getByRole('main').getByRole('combobox').press('Enter')
  await expect(page).toHaveURL('/search?q=majolica')
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page.getByRole('article')).toHaveCount(1)
  for (const q of ['%_\\', '?!…', 'a', 'гuитar', '<b>', "';--"]) {
    await page.goto(`/search?q=${encodeURIComponent(q)}`)
    await expect(page.getByRole('main').getByRole('combobox')).toHaveValue(q)
  }
  // An empty or overlong term counts as no search.
  for (const q of ['', 'x'.repeat(10_000)]) {
    await page.goto(`/search?q=${q}`)
    await expect(page).toHaveURL('/lesson/all')
  }
  await context.close()
})
