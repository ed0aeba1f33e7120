/**
 * Tests small properties of single pages: redirects, missing and failing pages, fonts, and reading without
 * JavaScript.
 */
import { expect, test, visit } from './fixtures.ts'
import { publish, register, signIn } from './people.ts'

test('signed-in people are redirected from the login', async ({ page, server }) => {
  await signIn(page, server.url, await register(server.url))
  for (const path of ['/login', '/register']) {
    await page.goto(path)
    await expect(page).toHaveURL('/')
  }
  await page.goto('/login?next=%2Fpoints')
  await expect(page).toHaveURL('/points')
})

test('the account menu has three groups of up to five links', async ({ page, server }) => {
  const person = await register(server.url)
  await page.context().addCookies([person.cookie])
  await page.goto('/about')
  await page.getByRole('button', { name: `Account of ${person.username}` }).click()
  const menu = page.getByRole('navigation', { name: `Account of ${person.username}` })
  for (const [name, count] of [
    ['Learning', 5],
    ['Publishing', 3],
    ['You', 5],
  ] as const)
    await expect(menu.getByRole('group', { name }).getByRole('link')).toHaveCount(count)
})

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

test('a failed page offers to retry and links to the lessons', async ({ page }) => {
  await page.route('**/assets/AboutPage*', (route) => route.abort('internetdisconnected'))
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'About' }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect(main.getByRole('link')).toHaveText('See all lessons')
  await main.getByRole('link').click()
  await expect(page).toHaveURL('/lesson/all')
})

for (const [locale, limit] of [
  ['en', 70],
  ['bg', 90],
] as const) {
  test(`a guest loads at most ${limit} KB of fonts: ${locale}`, async ({ browser, server }) => {
    const lesson = await publish(server.url, await register(server.url))
    for (const path of ['/', '/lesson/all', `/lesson/details/${lesson}`, '/login']) {
      // Each has its own cache.
      const context = await browser.newContext({ locale, baseURL: server.url })
      const page = await context.newPage()
      const sizes: Promise<number>[] = []
      page.on('response', (response) => {
        if (response.url().endsWith('.woff2'))
          sizes.push(response.body().then(({ length }) => length))
      })
      await visit(page, path)
      const sum = (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
      expect(sum, path).toBeGreaterThan(0)
      expect(sum, path).toBeLessThanOrEqual(limit * 1024)
      await context.close()
    }
  })
}

test('the ledger shows every entry', async ({ page, server }) => {
  const person = await register(server.url)
  await page.context().addCookies([person.cookie])
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
    'No reward: one of your lessons already has the same video',
  )
  await expect(rows.last()).toContainText('You published The first one')
  await expect(rows.last()).toContainText('+100')
  await page.getByRole('link', { name: /^Out/ }).click()
  await expect(page).toHaveURL('/points?show=out')
  await expect(page.getByText('Nothing has gone out yet.')).toBeVisible()
})

test('lists and lessons can be read without JavaScript', async ({ browser, server }) => {
  const author = await register(server.url)
  const lesson = await publish(server.url, author, {
    title: 'Урок 12',
    description: 'Какво ще научите от него',
  })
  for (let number = 1; number < 12; number += 1)
    await publish(server.url, author, { title: `Друг ${number}` })
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url })
  const page = await context.newPage()
  await page.goto('/lesson/all')
  await expect(page.getByRole('article')).toHaveCount(10)
  await page.getByRole('banner').getByRole('combobox', { name: 'Search lessons' }).fill('урок 12')
  await page.getByRole('banner').getByRole('combobox', { name: 'Search lessons' }).press('Enter')
  await expect(page).toHaveURL(/\/lesson\/all\?.*search=/)
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.getByRole('article').getByRole('link', { name: 'Details' }).click()
  await expect(page).toHaveURL(`/lesson/details/${lesson}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Урок 12')
  await expect(page.getByRole('main')).toContainText('Какво ще научите от него')
  await page.goto('/api/docs')
  await expect(page.getByRole('heading', { name: 'POST /identity/login' })).toBeVisible()
  await expect(
    page.getByRole('heading', { name: 'DELETE /lesson/{id}', exact: true }),
  ).toBeVisible()
  await context.addCookies([author.cookie])
  await page.goto('/points')
  await expect(page.getByRole('main')).toContainText('You published')
  await context.close()
})
