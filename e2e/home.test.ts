/** Tests the front page: real numbers, two carousels for every input device, a list on a phone. */
import type { Page } from '@playwright/test'
import { expect, test as base } from './fixtures.ts'
import { publish, publishCourse, register } from './people.ts'

const test = base.extend<object, { stall: number[] }>({
  stall: [
    async ({ server }, use) => {
      const author = await register(server.url)
      const lessons: number[] = []
      while (lessons.length < 8) lessons.push(await publish(server.url, author))
      for (const title of ['First course', 'Second one', 'Third', 'Fourth', 'Fifth'])
        await publishCourse(server.url, author, lessons.slice(0, 6), { title })
      await use(lessons)
    },
    { scope: 'worker' },
  ],
})

const carousel = (page: Page, name: string) => page.getByRole('region', { name })

test('the numbers match the database', async ({ page, stall }) => {
  await page.goto('/')
  await expect(page.getByText(/lessons\s*5 courses/)).toHaveText(
    `${stall.length} lessons5 courses1 author`,
  )
})

test('arrows, dots and keys move four cards at a time', async ({ page, stall }) => {
  expect(stall).toHaveLength(8)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/')
  const lessons = carousel(page, 'Most-watched lessons')
  const cards = lessons.getByRole('article')
  await expect(cards).toHaveCount(8)
  await lessons.scrollIntoViewIfNeeded()
  await expect(cards.nth(3)).toBeInViewport()
  await expect(cards.nth(4)).not.toBeInViewport()
  await expect(lessons.getByRole('button', { name: 'Previous' })).toBeDisabled()
  await lessons.getByRole('button', { name: 'Next' }).click()
  await expect(cards.nth(7)).toBeInViewport()
  await expect(cards.nth(3)).not.toBeInViewport()
  await expect(lessons.getByText('2 of 2', { exact: true })).toBeVisible()
  await lessons.getByRole('button', { name: 'Part 1 of 2' }).click()
  await expect(cards.nth(0)).toBeInViewport()
  await cards.nth(0).getByRole('link', { name: 'Details' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(cards.nth(7)).toBeInViewport()
  // Each carousel moves on its own.
  const courses = carousel(page, 'Courses people like most')
  await courses.scrollIntoViewIfNeeded()
  await expect(courses.getByRole('article').nth(0)).toBeInViewport()
  await expect(courses.getByText('1 of 2', { exact: true })).toBeVisible()
})

test('a phone shows all cards in a list', async ({ page, stall }) => {
  expect(stall).toHaveLength(8)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/')
  const courses = carousel(page, 'Courses people like most')
  await expect(courses.getByRole('article')).toHaveCount(5)
  await expect(courses.getByRole('button')).toHaveCount(0)
  await courses.getByRole('article').last().scrollIntoViewIfNeeded()
  await expect(courses.getByRole('article').last()).toBeInViewport()
})

test('the introduction is for guests, and ends with the next step', async ({
  page,
  server,
  stall,
}) => {
  expect(stall).toHaveLength(8)
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Register and start at zero' })).toBeVisible()
  // Signed-in people get another front page.
  const person = await register(server.url)
  await page.context().addCookies([person.cookie])
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Most-watched lessons' })).toBeVisible()
  await expect(page.getByText('Points are earned, never bought.')).toHaveCount(0)
})

// The last test, because a free lesson changes the other carousels.
test('a visitor reads what the site is, and starts', async ({ page, server, stall }) => {
  expect(stall).toHaveLength(8)
  await page.goto('/')
  await expect(page.getByText('Knowledge Bazaar points, KB for short')).toBeVisible()
  const facts = page.getByRole('list').filter({ hasText: 'a lesson of yours' })
  await expect(facts.getByRole('listitem')).toHaveText([/^\+100.*\+500/, /^−100/, /^\+10 ?each/])
  const banner = page.getByRole('main')
  const start = banner.getByRole('link', { name: 'Start with a free lesson' })
  await expect(start, 'nothing is free').toHaveCount(0)
  await expect(banner.getByRole('link', { name: 'Register', exact: true })).toBeVisible()
  const author = await register(server.url)
  const lessons: number[] = []
  while (lessons.length < 6) lessons.push(await publish(server.url, author))
  await publishCourse(server.url, author, lessons, { freePreview: String(lessons[0]) })
  await expect(async () => {
    await page.goto('/')
    await start.click({ timeout: 1000 })
  }).toPass()
  await expect(page).toHaveURL(/\/lesson\/all\?.*free=1/)
  await page.getByRole('link', { name: 'Details' }).first().click()
  await expect(page).toHaveURL(`/lesson/details/${lessons[0]}`)
})
