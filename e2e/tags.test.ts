/** Tags as doors: from cards and lessons to all that has a tag, from the front page's shelves; odd signs included. */
import { ageComments } from './database.ts'
import { expect, test as base, visit } from './fixtures.ts'
import { publish, publishCourse, register, type Registered, signIn } from './people.ts'

const ODD = ['a/b', '100%', '%2F', 'مرحبا', 'c#', 'q?x=1&y']

interface Stall {
  readonly author: Registered
  readonly lessons: readonly number[]
}

const test = base.extend<object, { stall: Stall }>({
  stall: [
    async ({ server }, use) => {
      const author = await register(server.url)
      const lessons: number[] = []
      for (let place = 1; place <= 12; place += 1)
        lessons.push(
          await publish(server.url, author, { title: `Brew ${place}`, tags: 'Coffee, slow' }),
        )
      await publishCourse(server.url, author, lessons.slice(0, 6), { title: 'All of brewing' })
      await publish(server.url, author, { title: 'Odd signs', tags: ODD.join(',') })
      await use({ author, lessons })
    },
    { scope: 'worker' },
  ],
})

test('a tag of a card leads to all that has it, and to its pages', async ({ page, stall }) => {
  await visit(page, '/lesson/all?search=brew')
  await page.getByRole('article').first().getByRole('link', { name: 'Coffee' }).click()
  await expect(page).toHaveURL('/tag/coffee')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('coffee')
  await expect(page.getByRole('status').filter({ hasText: 'newest first' })).toHaveText(
    '12 lessons, 1 course, newest first',
  )
  await expect(page.getByRole('heading', { level: 2, name: /^Brew/ })).toHaveCount(10)
  await expect(page.getByRole('heading', { name: 'All of brewing' })).toBeVisible()
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page).toHaveURL('/tag/coffee?page=2')
  await expect(page.getByRole('heading', { level: 2, name: /^Brew/ })).toHaveCount(2)
  await page.getByRole('article').first().getByRole('link', { name: 'Details' }).click()
  await expect(page).toHaveURL(`/lesson/details/${stall.lessons[1]}`)
  await page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: 'slow' }).click()
  await expect(page).toHaveURL('/tag/slow')
})

for (const [lang, proof, ago] of [
  ['en', '13 lessons, 1 course · ', '2 h ago'],
  ['bg', '13 урока, 1 курс · ', 'преди 2 ч'],
] as const)
  test(`a lesson says what else its author made, and when it was commented (${lang})`, async ({
    page,
    server,
    stall: { author, lessons },
  }) => {
    const [lesson = 0] = lessons
    await visit(page, `/lesson/details/${lesson}?lang=${lang}`)
    await expect(page.locator('.byline')).toContainText(proof)
    const text = `Grind it finer (${lang})`
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
    await visit(page, `/lesson/details/${lesson}?lang=${lang}`)
    const said = page.locator('.say', { hasText: text }).locator('time')
    await expect(said).toHaveText(ago)
    // The machine's form is there for who wants to know it exactly.
    await expect(said).toHaveAttribute('title', /^\d\d\/\d\d\/\d{4} \d\d:\d\d$/)
    await expect(page.locator('.byline')).toContainText(proof)
  })

test('whatever signs a tag has, its door opens, by a step and by its address', async ({
  page,
  server,
  stall,
}) => {
  expect(stall.lessons).toHaveLength(12)
  for (const tag of ODD) {
    await visit(page, '/lesson/all?search=odd')
    await page.getByRole('link', { name: 'Details' }).click()
    await page
      .getByRole('list', { name: 'Tags' })
      .getByRole('link', { name: tag, exact: true })
      .click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(tag.toLowerCase())
    await expect(page.getByRole('heading', { name: 'Odd signs' })).toBeVisible()
    const { status, title } = await page.request.get(page.url()).then(async (answer) => ({
      status: answer.status(),
      title: (await answer.text()).includes('Odd signs'),
    }))
    expect([tag, status, title]).toEqual([tag, 200, true])
  }
  for (const path of ['/tag/%', '/tag/%ff', `/tag/${'x'.repeat(31)}`, '/tag/', '/tag/a/b'])
    expect((await fetch(server.url + path)).status).toBeLessThan(500)
})

test('the front page has shelves of tags, in Bulgarian on a phone too', async ({ page, stall }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await visit(page, '/?lang=bg')
  const shelves = page.getByRole('region', { name: 'По теми' })
  await expect(shelves.getByRole('heading', { level: 3 })).toHaveText(['coffee', 'slow'])
  await expect(shelves.getByRole('navigation', { name: 'coffee' }).getByRole('link')).toHaveCount(
    stall.lessons.length,
  )
  await shelves.getByRole('link', { name: 'coffee' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'първо' })).toHaveText(
    '12 урока, 1 курс, най-новите първо',
  )
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('a tag that nothing has says so, and leads on', async ({ page }) => {
  await visit(page, '/tag/nothing')
  await expect(page.getByText('Nothing has this tag yet.')).toBeVisible()
  await page.getByRole('link', { name: 'Browse the lessons' }).click()
  await expect(page).toHaveURL('/lesson/all')
})
