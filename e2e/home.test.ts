/** Tests the front page: real numbers, two carousels for every input device, a list on a phone. */
import type { Page } from '@playwright/test'
import { expect, once, test as base } from './fixtures.ts'
import { publishCourse, publishShelf, register, signIn } from './people.ts'

const test = base.extend<{ stall: readonly number[] }>({
  stall: once(async ({ url }) => {
    const { author, lessons } = await publishShelf(url, 'Lesson', { count: 8 })
    for (const title of ['Second one', 'Third', 'Fourth', 'Fifth'])
      await publishCourse(url, author, lessons.slice(0, 6), { title })
    return lessons
  }),
})

const carousel = (page: Page, name: string) => page.getByRole('region', { name })

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
  const next = lessons.getByRole('button', { name: 'Next' })
  await next.press('Enter')
  await expect(cards.nth(7)).toBeInViewport()
  // A button that its own press disables keeps the focus.
  await expect(next).toBeDisabled()
  await expect(next).toBeFocused()
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
  await expect(courses.getByRole('article')).not.toHaveCount(0)
  await expect(courses.getByRole('button')).toHaveCount(0)
  await courses.getByRole('article').last().scrollIntoViewIfNeeded()
  await expect(courses.getByRole('article').last()).toBeInViewport()
})

test('a visitor reads what the site is, and starts with a free lesson', async ({
  page,
  server,
}) => {
  await publishShelf(server.url, 'Free', { preview: 1 })
  await page.goto('/')
  await expect(page.getByText('Knowledge Bazaar points, KB for short')).toBeVisible()
  const facts = page.getByRole('list').filter({ hasText: 'a lesson of yours' })
  await expect(facts.getByRole('listitem')).toHaveText([/^\+100.*\+500/, /^−100/, /^\+10 ?each/])
  await expect(page.getByRole('link', { name: 'Register and start at zero' })).toBeVisible()
  const start = page.getByRole('main').getByRole('link', { name: 'Start with a free lesson' })
  // Guests' pages are rendered again after three seconds.
  await expect(async () => {
    await page.goto('/')
    await start.click({ timeout: 1000 })
  }).toPass()
  await expect(page).toHaveURL(/\/lesson\/all\?.*free=1/)
  await page.getByRole('link', { name: 'Details' }).first().click()
  await expect(page.getByRole('button', { name: /^Play the video/ })).toBeVisible()
  // Signed-in people get another front page.
  await signIn(page, server.url, await register(server.url))
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Most-watched lessons' })).toBeVisible()
  await expect(page.getByText('Points are earned, never bought.')).toHaveCount(0)
})
