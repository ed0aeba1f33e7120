/** Tests small properties of single pages: missing pages, fonts and the ledger. */
import { expect, test, visit } from './fixtures.ts'
import { publish, register, signIn } from './people.ts'

test('a missing page returns 404 with an explanation and two links', async ({ page }) => {
  const ways = page.getByRole('main').getByRole('link')
  for (const [path, words, list] of [
    ['/nothing/here', '404...Not Found!', 'lesson'],
    ['/lesson/details/999999', 'Lesson not found or deleted (sorry)', 'lesson'],
    ['/course/details/999999', 'Course not found or deleted (sorry)', 'course'],
  ] as const) {
    expect((await page.goto(path))?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words)
    await expect(ways).toHaveText([`See all ${list}s`, 'Go to the home page'])
    await expect(ways.first()).toHaveAttribute('href', `/${list}/all`)
    await expect(ways.last()).toHaveAttribute('href', '/')
  }
})

for (const [locale, limit] of [
  ['en', 70],
  ['bg', 90],
] as const)
  test(`a guest loads at most ${limit} KB of fonts: ${locale}`, async ({ sit, server }) => {
    const lesson = await publish(server.url, await register(server.url))
    for (const path of ['/', '/lesson/all', `/lesson/details/${lesson}`, '/login']) {
      // Each has its own cache.
      const page = await sit(null, { locale })
      const sizes: Promise<number>[] = []
      page.on('response', (response) => {
        if (response.url().endsWith('.woff2'))
          sizes.push(response.body().then(({ length }) => length))
      })
      await visit(page, path)
      const sum = (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
      expect(sum, path).toBeGreaterThan(0)
      expect(sum, path).toBeLessThanOrEqual(limit * 1024)
    }
  })

test('the ledger shows every entry', async ({ page, server }) => {
  const person = await register(server.url)
  await signIn(page, server.url, person)
  await page.goto('/points')
  await expect(page.getByText('Nothing in your account book yet.')).toBeVisible()
  const video = 'https://youtu.be/abcdefghijk'
  await publish(server.url, person, { title: 'The first one', video })
  await publish(server.url, person, { title: 'Once more', video })
  await page.goto('/')
  await page.getByRole('banner').locator('[data-balance]').click()
  await expect(page).toHaveURL('/points')
  await expect(page.locator('main [data-balance]')).toContainText('100')
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') })
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText(
    'No reward: you, or three other authors, were already rewarded for this video',
  )
  await expect(rows.last()).toContainText('You published The first one')
  await expect(rows.last()).toContainText('+100')
  await page.getByRole('link', { name: /^Out/ }).click()
  await expect(page).toHaveURL('/points?show=out')
  await expect(page.getByText('Nothing has gone out yet.')).toBeVisible()
})
