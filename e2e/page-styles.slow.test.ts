/** Style sheets stay loaded after navigation, so a page must look the same whichever pages came before. */
import type { Page } from '@playwright/test'
import { expect, followRequests, test, visit } from './fixtures.ts'
import { publish, publishCourse, registerAdministrator, signIn } from './people.ts'

/** Navigates like the Back button, without loading a document. */
async function goInside(page: Page, path: string): Promise<void> {
  const settled = followRequests(page)
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, path)
  await settled()
}

/** Waits for fonts and finite animations. */
async function standStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    scrollTo(0, 0)
    await document.fonts.ready
    const ending = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}

/** Returns the position and appearance of each visible element. */
function looks(): string[] {
  return [...document.querySelectorAll('#app *')]
    .filter((element) => element.checkVisibility() && element.closest('svg, time') === null)
    .map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const place = [x, y + scrollY, width, height].map(Math.round).join(' ')
      const { color, backgroundColor, font, display, borderStyle } = getComputedStyle(element)
      // The colour of a new book is random.
      const ground = element.closest('[data-book]') === null ? backgroundColor : ''
      const name = element.className.replace(/ cloth-\d+/, '')
      return `${element.tagName}.${name}: ${place}, ${color} on ${ground}, ${font}, ${display}, ${borderStyle}`
    })
}

test('a page looks the same whichever pages came before it', async ({ page, server }) => {
  const person = await registerAdministrator(server)
  const lessons: number[] = []
  while (lessons.length < 6) lessons.push(await publish(server.url, person))
  const course = await publishCourse(server.url, person, lessons)
  await signIn(page, server.url, person)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // One page for each style sheet.
  const paths = [
    '/',
    '/profile/sessions',
    '/chat',
    '/lesson/bought',
    '/points',
    '/comment/all',
    '/profile/update',
    `/profile/${person.id}`,
    '/lesson/create',
    '/notifications',
    '/certificate/yours',
    `/lesson/details/${lessons[0]}`,
    `/course/details/${course}`,
    '/user-center',
    '/course/create',
    '/admin/bugs',
    '/admin/webhooks',
    '/notes',
    '/following',
    '/report',
    '/profile/notifications',
  ]
  // Opens these once before, because the first visit is counted and remembered.
  for (const path of paths.slice(11, 13)) await visit(page, path)
  const fresh = new Map<string, string[]>()
  for (const path of paths) {
    await visit(page, path)
    await standStill(page)
    fresh.set(path, await page.evaluate(looks))
    expect(fresh.get(path)?.length, path).toBeGreaterThan(40)
  }
  for (const path of [...paths, ...paths.toReversed().filter((_, place) => place % 2 === 0)]) {
    await goInside(page, path)
    const changed = async () => {
      await standStill(page)
      const now = await page.evaluate(looks)
      const was = fresh.get(path) ?? []
      return now.length === was.length ? now.filter((look) => !was.includes(look)) : now
    }
    await expect.poll(changed, { message: path, timeout: 5000 }).toEqual([])
  }
})
