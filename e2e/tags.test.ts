/** Tests tags as links from lessons and the front page to all tagged items, including unusual characters. */
import { expect, once, test as base, visit } from './fixtures.ts'
import { publish, publishShelf, type Shelf, signIn } from './people.ts'

const ODD = ['a/b', '100%', '%2F', 'مرحبا', 'c#', 'q?x=1&y']

/** Its words appear in no other text on the server. */
const test = base.extend<{ stall: Shelf }>({
  stall: once(async ({ url }) => {
    const tagged = { count: 12, lesson: () => ({ tags: 'Coffee, slow' }) }
    const shelf = await publishShelf(url, 'Brewage', tagged)
    await publish(url, shelf.author, { title: 'Oddest signs', tags: ODD.join(',') })
    return shelf
  }),
})

test('a tag links to all its items, with pages', async ({ page, stall }) => {
  await visit(page, '/lesson/all?search=brewage')
  await page.getByRole('article').first().getByRole('link', { name: 'Details' }).click()
  await page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: 'Coffee' }).click()
  await expect(page).toHaveURL('/tag/coffee')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('coffee')
  await expect(page.getByRole('status').filter({ hasText: 'newest first' })).toHaveText(
    '12 lessons, 1 course, newest first',
  )
  await expect(page.getByRole('heading', { level: 2, name: /^Brewage/ })).toHaveCount(10)
  await expect(page.getByRole('heading', { name: 'All of Brewage' })).toBeVisible()
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page).toHaveURL('/tag/coffee?page=2')
  await expect(page.getByRole('heading', { level: 2, name: /^Brewage/ })).toHaveCount(2)
  await page.getByRole('article').first().getByRole('link', { name: 'Details' }).click()
  await expect(page).toHaveURL(`/lesson/details/${stall.lessons[1]}`)
  await visit(page, '/tag/nothing')
  await page.getByRole('link', { name: 'Browse the lessons' }).click()
  await expect(page).toHaveURL('/lesson/all')
  // `server/items/search/tagged.test.ts` tests which shelves are shown and their content.
  await visit(page, '/')
  const shelves = page.getByRole('region', { name: 'By subject' })
  const tag = await shelves.getByRole('heading', { level: 3 }).first().innerText()
  await shelves.getByRole('link', { name: tag, exact: true }).first().click()
  await expect(page).toHaveURL(`/tag/${encodeURIComponent(tag.toLowerCase())}`)
})

test('tags with any characters work as links and URLs', async ({ page, server, stall }) => {
  await signIn(page, server.url, stall.author)
  await visit(page, '/lesson/all?search=oddest')
  await page.getByRole('link', { name: 'Details' }).click()
  // Signed-in people also see what else the author has published.
  await expect(page.locator('[data-byline]')).toContainText('13 lessons, 1 course · ')
  const tags = page.getByRole('list', { name: 'Tags' })
  for (const tag of ODD) {
    await tags.getByRole('link', { name: tag, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(tag.toLowerCase())
    await expect(page.getByRole('heading', { name: 'Oddest signs' })).toBeVisible()
    const answer = await page.request.get(page.url())
    expect([tag, answer.status()]).toEqual([tag, 200])
    expect(await answer.text()).toContain('Oddest signs')
    await page.goBack()
  }
})
