/** Cards and pages mark lessons in another language than the reader's. */
import { expect, test, visit } from './fixtures.ts'
import { publish, register } from './people.ts'

test('a lesson in another language says so on its card and page, in English and Bulgarian', async ({
  page,
  server,
}) => {
  const author = await register(server.url)
  const english = await publish(server.url, author, {
    title: 'Bread for two',
    description: 'A small loaf with a good crust',
  })
  const bulgarian = await publish(server.url, author, {
    title: 'Хляб за двама',
    description: 'Малък хляб с хубава коричка',
  })
  const card = (title: string) => page.getByRole('article').filter({ hasText: title })
  await visit(page, '/lesson/all?search=two')
  await expect(card('Bread for two')).toBeVisible()
  await expect(card('Bread for two')).not.toContainText('In English')
  await visit(page, `/lesson/all?search=${encodeURIComponent('двама')}`)
  await expect(card('Хляб за двама')).toContainText('In Bulgarian')
  await visit(page, `/lesson/details/${bulgarian}`)
  await expect(page.getByRole('main')).toContainText('In Bulgarian')
  await visit(page, '/lesson/all?search=two&lang=bg')
  await expect(card('Bread for two')).toContainText('На английски')
  await visit(page, `/lesson/details/${english}?lang=bg`)
  await expect(page.getByRole('main')).toContainText('На английски')
  await visit(page, `/lesson/details/${bulgarian}?lang=bg`)
  await expect(page.getByRole('main')).not.toContainText('На български')
})

test('lists and the search can be limited to a language, without JavaScript too', async ({
  browser,
  server,
}) => {
  const author = await register(server.url)
  const word = `lamp${Date.now() % 1_000_000}`
  const english = await publish(server.url, author, {
    title: `Mending ${word}`,
    description: 'How to glue a leg so that it holds',
  })
  const bulgarian = await publish(server.url, author, {
    title: `Ремонт на ${word}`,
    description: 'Как се лепи крак, за да държи дълго',
  })
  await expect
    .poll(async () => {
      const answer = await fetch(`${server.url}/api/search?q=${word}`)
      return ((await answer.json()) as { totals: { lessons: number } }).totals.lessons
    })
    .toBe(2)
  for (const javaScriptEnabled of [true, false])
    for (const start of [`/lesson/all?search=${word}`, `/search?q=${word}`]) {
      const context = await browser.newContext({ javaScriptEnabled, baseURL: server.url })
      const page = await context.newPage()
      const choose = (group: string, name: string) =>
        page.getByRole('group', { name: group }).getByRole('link', { name, exact: true }).click()
      const details = page.getByRole('article').getByRole('link', { name: 'Details' })
      await page.goto(start)
      await expect(page.getByRole('article')).toHaveCount(2)
      await choose('Language', 'In Bulgarian')
      await expect(page).toHaveURL(/[?&]language=bg/)
      await expect(page.getByRole('article')).toHaveCount(1)
      await expect(details).toHaveAttribute('href', `/lesson/details/${bulgarian}`)
      await choose('Language', 'In English')
      await expect(page).toHaveURL(/[?&]language=en/)
      await expect(details).toHaveAttribute('href', `/lesson/details/${english}`)
      await choose('Language', 'Any')
      await expect(page.getByRole('article')).toHaveCount(2)
      await expect(page).not.toHaveURL(/language=/)
      await page.goto(`${start}&language=other&lang=bg`)
      // Filtered by the word, because an empty result is replaced by popular lessons.
      await expect(page.getByRole('article').filter({ hasText: word })).toHaveCount(0)
      await context.close()
    }
})
