/**
 * Tests free previews: found on the front page and in the list, open to everybody, and with a link to the course.
 */
import { expect, once, test as base, visit } from './fixtures.ts'
import { publishShelf, type Shelf } from './people.ts'

const test = base.extend<{ stall: Shelf }>({
  stall: once(({ url }) => publishShelf(url, 'Glazing', { preview: 1 })),
})

test('a guest finds a free lesson, reads it, and is led to its course', async ({ page, stall }) => {
  await visit(page, '/')
  const free = page.getByRole('region', { name: 'Free to open' })
  const card = free.getByRole('article').filter({ hasText: 'Glazing 1' })
  await expect(card).toContainText('Free preview')
  await expect(card).not.toContainText('KB Points')
  await card.getByRole('link', { name: 'Details' }).click()
  await expect(page).toHaveURL(`/lesson/details/${stall.lesson}`)
  await expect(page.locator('[data-preview-of]')).toHaveText(
    'Free preview of the course All of Glazing',
  )
  const offer = page.getByRole('region', { name: 'All of Glazing' })
  await expect(offer).toContainText('5 more open with the course.')
  await expect(offer).toContainText('6 lessons for 500 instead of 600 one by one')
  await offer.getByRole('link', { name: 'See the course' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All of Glazing')
  // A locked lesson of the course also shows the saving.
  await visit(page, `/lesson/details/${stall.lessons[1]}?lang=bg`)
  const courses = page.getByRole('region', { name: 'Има го и в курс' })
  await expect(courses.getByRole('link', { name: 'All of Glazing' })).toHaveAttribute(
    'href',
    `/course/details/${stall.course}`,
  )
  await expect(courses).toContainText('6 урока за 500 вместо 600 поотделно')
})

test("free lessons in the reader's language come first", async ({ page, server, stall }) => {
  const other = await publishShelf(server.url, 'Глазура', {
    lesson: () => ({ description: 'Как се пече, за да не се напука' }),
    course: { title: 'Всичко за глазурата', description: 'От глината до пещта, стъпка по стъпка' },
    preview: 1,
  })
  const addresses = [stall.lesson, other.lesson].map((id) => `/lesson/details/${id}`)
  for (const [locale, title, expected] of [
    ['en', 'Free to open', addresses],
    ['bg', 'Безплатни уроци', addresses.toReversed()],
  ] as const) {
    await visit(page, `/?lang=${locale}`)
    const links = await page
      .getByRole('region', { name: title })
      .locator('a[data-more]')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''))
    expect(links.filter((link) => addresses.includes(link))).toEqual(expected)
  }
})
