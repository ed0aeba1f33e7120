/** Tests the global search: misspelt words, filters, empty results, and without JavaScript. */
import { expect, once, test as base, visit } from './fixtures.ts'
import { publishShelf, type Shelf, signIn } from './people.ts'

/** Its words appear in no other text on the server. */
const test = base.extend<{ stall: Shelf }>({
  stall: once(async ({ url }) => {
    const shelf = await publishShelf(url, 'Minaret', {
      count: 11,
      lesson: () => ({ description: 'Laying majolica evenly', tags: 'kasbah,tiles' }),
      course: { title: 'A whole kasbah' },
      preview: 1,
    })
    await expect
      .poll(async () => {
        const answer = await fetch(`${url}/api/search?q=majolica`)
        return ((await answer.json()) as { totals: { lessons: number } }).totals.lessons
      })
      .toBe(11)
    return shelf
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
    await visit(page, `/${kind}/all?search=qqxxyyzz`)
    await expect(page.getByText(`No ${kind} with “qqxxyyzz” in its title.`)).toBeVisible()
    // An empty list has no sort order.
    const total = page.getByRole('status').filter({ hasText: `0 ${kind}s` })
    await expect(total).toHaveText(`0 ${kind}s`)
    await expectWaysOn()
  }
  // No course matches, but lessons do.
  await visit(page, '/course/all?search=majolica')
  await expect(page.getByRole('region', { name: 'Found elsewhere' })).toContainText('Minaret 11')
  await visit(page, '/lesson/all?search=majollica&likes=3')
  await spelling.click()
  await expect(page).toHaveURL('/search?q=majolica')
  const field = page.getByRole('main').getByRole('combobox')
  await field.fill('qqxxyyzz')
  await field.press('Enter')
  await expect(page.getByText('Nothing found for “qqxxyyzz”.')).toBeVisible()
  await expect(page.getByText('newest first')).toHaveCount(0)
  await expectWaysOn()
})

test('lessons, courses and tags are on one page, with pages; people for signed-in readers', async ({
  page,
  server,
  stall,
}) => {
  const { username } = stall.author
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

  await visit(page, `/search?q=${username}`)
  await expect(page.getByRole('region', { name: 'People' })).toHaveCount(0)
  await signIn(page, server.url, stall.author)
  await visit(page, `/search?q=${username}`)
  await page.getByRole('region', { name: 'People' }).getByRole('link').first().click()
  await expect(page).toHaveURL(`/by/${username}`)
})
