/**
 * Tests tags as links from cards, lessons and the front page to all tagged items, including unusual characters.
 */
import { ageComments } from './database.ts'
import { expect, once, test as base, visit } from './fixtures.ts'
import { publish, publishCourse, register, type Registered, signIn } from './people.ts'

const ODD = ['a/b', '100%', '%2F', 'مرحبا', 'c#', 'q?x=1&y']

interface Stall {
  readonly author: Registered
  readonly lessons: readonly number[]
}

/** Its words appear in no other text on the server. */
const test = base.extend<{ stall: Stall }>({
  stall: once(async ({ url }) => {
    const author = await register(url)
    const lessons: number[] = []
    for (let place = 1; place <= 12; place += 1)
      lessons.push(await publish(url, author, { title: `Brewage ${place}`, tags: 'Coffee, slow' }))
    await publishCourse(url, author, lessons.slice(0, 6), { title: 'All of brewing' })
    await publish(url, author, { title: 'Oddest signs', tags: ODD.join(',') })
    return { author, lessons }
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
  await expect(page.getByRole('heading', { name: 'All of brewing' })).toBeVisible()
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page).toHaveURL('/tag/coffee?page=2')
  await expect(page.getByRole('heading', { level: 2, name: /^Brewage/ })).toHaveCount(2)
  await page.getByRole('article').first().getByRole('link', { name: 'Details' }).click()
  await expect(page).toHaveURL(`/lesson/details/${stall.lessons[1]}`)
  await page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: 'slow' }).click()
  await expect(page).toHaveURL('/tag/slow')
  await visit(page, '/tag/nothing')
  await expect(page.getByText('Nothing has this tag yet.')).toBeVisible()
  await page.getByRole('link', { name: 'Browse the lessons' }).click()
  await expect(page).toHaveURL('/lesson/all')
  // `server/items/search/tagged.test.ts` tests which shelves are shown and their content.
  await visit(page, '/')
  const shelves = page.getByRole('region', { name: 'By subject' })
  const tag = await shelves.getByRole('heading', { level: 3 }).first().innerText()
  await shelves.getByRole('link', { name: tag, exact: true }).first().click()
  await expect(page).toHaveURL(`/tag/${encodeURIComponent(tag.toLowerCase())}`)
})

test('a lesson shows its author’s other items, and when it was commented on', async ({
  page,
  server,
  stall: { author, lessons },
}) => {
  const [lesson = 0] = lessons
  const text = 'Grind it finer'
  const response = await fetch(`${server.url}/api/comment/create/${lesson}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${author.accessToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ text }),
  })
  expect(response.status).toBe(200)
  await ageComments(server.dataDir, text, 125)
  await signIn(page, server.url, author)
  await visit(page, `/lesson/details/${lesson}`)
  const comments = page.getByRole('region', { name: /^Comments/ })
  const said = comments.locator('article', { hasText: text }).locator('time')
  await expect(said).toHaveText('2 h ago')
  // The tooltip shows the exact time.
  await expect(said).toHaveAttribute('title', /^\d\d\/\d\d\/\d{4} \d\d:\d\d$/)
  await expect(page.locator('[data-byline]')).toContainText('13 lessons, 1 course · ')
})

test('tags with any characters work as links and URLs', async ({ page, server, stall }) => {
  expect(stall.lessons).toHaveLength(12)
  await visit(page, '/lesson/all?search=oddest')
  await page.getByRole('link', { name: 'Details' }).click()
  const tags = page.getByRole('list', { name: 'Tags' })
  for (const tag of ODD) {
    await tags.getByRole('link', { name: tag, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(tag.toLowerCase())
    await expect(page.getByRole('heading', { name: 'Oddest signs' })).toBeVisible()
    const { status, title } = await page.request.get(page.url()).then(async (answer) => ({
      status: answer.status(),
      title: (await answer.text()).includes('Oddest signs'),
    }))
    expect([tag, status, title]).toEqual([tag, 200, true])
    await page.goBack()
  }
  for (const path of ['/tag/%', '/tag/%ff', `/tag/${'x'.repeat(31)}`, '/tag/', '/tag/a/b'])
    expect((await fetch(server.url + path)).status).toBeLessThan(500)
})
