/** Tests the pages of open lessons and courses. */
import type { Page } from '@playwright/test'
import { expect, once, test as base, visit } from './fixtures.ts'
import { publishShelf, register, type Shelf, signIn } from './people.ts'

const ARTICLE =
  '<h1>Ropes</h1><p>Every knot takes something of the strength of its rope, and a good one takes little.</p><h2>Bowline</h2><p>It neither slips nor jams.</p>'
const TITLE = 'עברית, in a title'
const DESCRIPTION = 'תיאור קצר של השיעור הזה'

const test = base.extend<{ shelf: Shelf }>({
  shelf: once(({ url }) =>
    publishShelf(url, TITLE, {
      lesson: (number) => {
        const words = Array.from({ length: 30 }, (_, place) => `r${number}x${place}`).join(' ')
        return { title: TITLE, description: DESCRIPTION, article: `${ARTICLE}<p>${words}</p>` }
      },
      course: { title: TITLE, description: DESCRIPTION },
    }),
  ),
})

test('an H1 in an article is not a second h1 of the page, and texts follow the direction of their script', async ({
  page,
  sit,
  server,
  shelf,
}) => {
  await signIn(page, server.url, shelf.author)
  const headings = () =>
    page
      .locator('.prose :is(h1, h2, h3, h4, h5, h6)')
      .evaluateAll((all) => all.map(({ tagName, textContent }) => `${tagName} ${textContent}`))
  const look = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const { fontSize, fontWeight, fontFamily, color } = getComputedStyle(element)
      return { fontSize, fontWeight, fontFamily, color }
    })
  const directions = (words: string, on: Page) =>
    on.evaluate((text) => {
      const isShown = (element: Element) =>
        element.textContent === text && element.children.length === 0 && !element.closest('.sr')
      return [...document.querySelectorAll('main *')]
        .filter(isShown)
        .map((element) => getComputedStyle(element).direction)
    }, words)
  const expectRightToLeft = async (words: string, on = page) =>
    expect([on.url(), new Set(await directions(words, on))]).toEqual([on.url(), new Set(['rtl'])])

  await visit(page, `/lesson/details/${shelf.lesson}`)
  await expect(page.locator('h1')).toHaveCount(1)
  expect(await headings()).toEqual(['H2 Ropes', 'H3 Bowline'])
  const shown = [await look('.prose h2'), await look('.prose h3')]
  await expectRightToLeft(TITLE)
  await expectRightToLeft(DESCRIPTION)

  // Headings of the article are below the lesson's heading, which is an h2 on a course's page.
  await visit(page, `/course/details/${shelf.course}`)
  await expect(page.locator('h1')).toHaveCount(1)
  expect(await headings()).toEqual(['H3 Ropes', 'H4 Bowline'])
  await expect(page.locator('div:has(> div > nav + h1)')).toContainText(DESCRIPTION)
  await expectRightToLeft(TITLE)
  await expectRightToLeft(DESCRIPTION)

  // The editor shows what was written, with the same styles.
  await visit(page, `/lesson/edit/${shelf.lesson}`)
  await expect(page.locator('.ProseMirror h1')).toHaveText('Ropes')
  await expect(page.locator('.ProseMirror h1')).toHaveAttribute('aria-level', '2')
  await expect(page.locator('.ProseMirror h2')).toHaveAttribute('aria-level', '3')
  expect([await look('.ProseMirror h1'), await look('.ProseMirror h2')]).toEqual(shown)
  await expect(page.locator('input[name=title]')).toHaveCSS('direction', 'rtl')

  // Text direction works without JavaScript.
  const plain = await sit(shelf.author, { javaScriptEnabled: false })
  for (const path of [
    '/lesson/all',
    '/course/all',
    '/lesson/yours',
    '/points',
    `/profile/${shelf.author.id}`,
    `/course/edit/${shelf.course}`,
  ]) {
    await plain.goto(path)
    await expectRightToLeft(TITLE, plain)
  }
})

/** Holds back a call until the test ends. */
const hold = (page: Page, call: string) => page.route(`**/api/${call}`, async () => {})

test('while an open page loads, its own skeleton is shown', async ({ page, server, shelf }) => {
  await signIn(page, server.url, shelf.author)
  await hold(page, `lesson/${shelf.lesson}`)
  await hold(page, `course/${shelf.course}`)
  const lesson = page.getByRole('status', { name: 'Loading the lesson' })
  await visit(page, '/lesson/yours')
  await page.locator(`a[href="/lesson/details/${shelf.lesson}"]`).first().click()
  await expect(lesson).toHaveAttribute('data-shape', 'open')
  await visit(page, '/course/yours')
  await page.locator(`a[href^="/course/details/${shelf.course}"]`).first().click()
  const course = page.getByRole('status', { name: 'Loading the course' })
  await expect(course).toHaveAttribute('data-shape', 'open')

  // A learner who has not unlocked it sees the skeleton of a locked page while loading.
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await signIn(page, server.url, await register(server.url))
  await visit(page, '/lesson/all')
  await page.locator(`a[href="/lesson/details/${shelf.lesson}"]`).first().click()
  await expect(lesson).toHaveAttribute('data-shape', 'locked')
})

test('a player that fails leads to YouTube', async ({ page, server, shelf }) => {
  await signIn(page, server.url, shelf.author)
  await page.route('https://**', (route) => route.abort())
  await visit(page, `/lesson/details/${shelf.lesson}`)
  const outside = page.getByRole('link', { name: 'Open it on YouTube' })
  await expect(outside).toHaveCount(0)
  await page.getByRole('button', { name: /^Play the video/ }).click()
  await expect(outside).toHaveAttribute('href', /^https:\/\/www\.youtube\.com\/watch\?v=[\w-]{11}$/)
  await expect(outside).toHaveAttribute('rel', 'noopener noreferrer')
})
