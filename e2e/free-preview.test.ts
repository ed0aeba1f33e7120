/**
 * Tests free previews: found on the front page and in the list, open to everybody, and with a link to the course.
 */
import { expect, once, test as base, visit } from './fixtures.ts'
import { publish, publishCourse, register } from './people.ts'

interface Stall {
  readonly preview: number
  readonly priced: number
  readonly course: number
}

const test = base.extend<{ stall: Stall }>({
  stall: once(async (server): Promise<Stall> => {
    const author = await register(server.url)
    const lessons: number[] = []
    while (lessons.length < 6)
      lessons.push(await publish(server.url, author, { title: `Glazing ${lessons.length + 1}` }))
    const [preview = 0, priced = 0] = lessons
    const course = await publishCourse(server.url, author, lessons, {
      title: 'All of glazing',
      freePreview: String(preview),
    })
    return { preview, priced, course }
  }),
})

test('a guest finds a free lesson, reads it, and is led to its course', async ({ page, stall }) => {
  await visit(page, '/')
  const free = page.getByRole('region', { name: 'Free to open' })
  const card = free.getByRole('article').filter({ hasText: 'Glazing 1' })
  await expect(card).toContainText('Free preview')
  await expect(card).not.toContainText('KB Points')
  await card.getByRole('link', { name: 'Details' }).click()
  await expect(page).toHaveURL(`/lesson/details/${stall.preview}`)
  await expect(page.getByRole('article').first()).toContainText('w')
  await expect(page.locator('[data-preview-of]')).toHaveText(
    'Free preview of the course All of glazing',
  )
  const offer = page.getByRole('region', { name: 'All of glazing' })
  await expect(offer).toContainText('5 more open with the course.')
  await expect(offer).toContainText('6 lessons for 500 instead of 600 one by one')
  await offer.getByRole('link', { name: 'See the course' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All of glazing')
})

test("free lessons in the reader's language come first", async ({ page, server, stall }) => {
  const author = await register(server.url)
  const lessons: number[] = []
  while (lessons.length < 6) {
    const id = await publish(server.url, author, {
      title: `Глазура, част ${lessons.length + 1}`,
      description: 'Как се пече, за да не се напука',
    })
    lessons.push(id)
  }
  await publishCourse(server.url, author, lessons, {
    title: 'Всичко за глазурата',
    description: 'От глината до пещта, стъпка по стъпка',
    freePreview: String(lessons[0]),
  })
  const addresses = [stall.preview, lessons[0]].map((id) => `/lesson/details/${id}`)
  for (const [locale, title, expected] of [
    ['en', 'Free to open', addresses],
    ['bg', 'Безплатни уроци', addresses.toReversed()],
  ] as const) {
    await visit(page, `/?lang=${locale}`)
    const free = page.getByRole('region', { name: title })
    const links = await free
      .locator('a[data-more]')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href')))
    expect(links.filter((link) => link !== null && addresses.includes(link))).toEqual(expected)
  }
})

test('the list can be limited to free lessons, without JavaScript too', async ({
  browser,
  server,
  stall,
}) => {
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ javaScriptEnabled, baseURL: server.url })
    const page = await context.newPage()
    await page.goto(`/lesson/all?search=glazing`)
    // Six lessons, and their course below.
    await expect(page.getByRole('article')).toHaveCount(7)
    await page
      .getByRole('group', { name: 'Price' })
      .getByRole('link', { name: 'Free preview' })
      .click()
    await expect(page).toHaveURL(/free=1/)
    await expect(page.getByRole('article')).toHaveCount(1)
    await expect(page.getByRole('article')).toContainText('Free preview')
    await expect(page.getByRole('article').getByRole('link', { name: 'Details' })).toHaveAttribute(
      'href',
      `/lesson/details/${stall.preview}`,
    )
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await expect(page.getByRole('article')).toHaveCount(7)
    await context.close()
  }
})

test('a locked lesson shows its course and the saving, in Bulgarian on a phone too', async ({
  page,
  stall,
}) => {
  await visit(page, `/lesson/details/${stall.priced}`)
  const courses = page.getByRole('region', { name: 'Also in a course' })
  await expect(courses.getByRole('link', { name: 'All of glazing' })).toHaveAttribute(
    'href',
    `/course/details/${stall.course}`,
  )
  await expect(courses).toContainText('6 lessons for 500 instead of 600 one by one')
  await page.setViewportSize({ width: 320, height: 720 })
  await visit(page, `/lesson/details/${stall.priced}?lang=bg`)
  await expect(page.getByRole('region', { name: 'Има го и в курс' })).toContainText(
    '6 урока за 500 вместо 600 поотделно',
  )
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(320)
})
