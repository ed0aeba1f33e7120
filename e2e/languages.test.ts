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
