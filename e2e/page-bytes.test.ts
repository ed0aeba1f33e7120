/**
 * Limits what a page loads with an empty cache: kilobytes of scripts and styles, and number of requests except
 * pictures.
 */
import type { Browser } from '@playwright/test'
import { expect, test, visit } from './fixtures.ts'
import { publishShelf, type Registered } from './people.ts'

const GUEST = { scripts: 190, requests: 18 }
const SIGNED_IN = { scripts: 230, requests: 25 }
const STYLES = 20

type Limits = typeof GUEST

/** Opens a page in a new browser context. Returns the exceeded limits, or null. */
async function judge(
  browser: Browser,
  baseURL: string,
  path: string,
  limits: Limits,
  person?: Registered,
): Promise<string | null> {
  const context = await browser.newContext({ baseURL, viewport: { width: 390, height: 844 } })
  if (person !== undefined) await context.addCookies([person.cookie])
  const page = await context.newPage()
  const sizes = { script: 0, stylesheet: 0 }
  let requests = 0
  page.on('response', (response) => {
    const type = response.request().resourceType()
    if (person === undefined) expect(response.url()).not.toMatch(/chatHub|signalr|shared-link/i)
    // The hub's connection is long-lived and starts with a separate request.
    if (type !== 'image' && !response.url().includes('/chatHub')) requests += 1
    if (type === 'script' || type === 'stylesheet')
      sizes[type] += Number(response.headers()['content-length'])
  })
  await visit(page, path)
  await context.close()
  const scripts = sizes.script / 1024
  const styles = sizes.stylesheet / 1024
  expect(scripts, path).toBeGreaterThan(80)
  expect(styles, path).toBeGreaterThan(5)
  if (scripts <= limits.scripts && styles <= STYLES && requests <= limits.requests) return null
  return `${path}: ${scripts.toFixed(1)} KB of scripts, ${styles.toFixed(1)} of styles, ${requests} requests`
}

test('a guest loads at most 190 KB of scripts in 18 requests, a signed-in person 230 KB in 25', async ({
  browser,
  server,
}) => {
  const {
    author,
    lessons,
    lesson: preview,
    course,
  } = await publishShelf(server.url, 'Light', {
    count: 7,
    preview: 1,
  })
  const wrong: (string | null)[] = []
  for (const path of [
    '/',
    '/lesson/all',
    '/search?q=lesson',
    `/lesson/details/${lessons.at(-1)}`,
    `/lesson/details/${preview}`,
    `/course/details/${course}/${preview}`,
    '/register',
    '/report',
    '/api/docs',
    '/nothing/here',
  ])
    wrong.push(await judge(browser, server.url, path, GUEST))
  for (const path of [
    '/',
    `/lesson/details/${preview}`,
    `/course/details/${course}`,
    `/profile/${author.id}`,
    '/profile/update',
    '/chat',
    '/course/create',
  ])
    wrong.push(await judge(browser, server.url, path, SIGNED_IN, author))
  expect(wrong.filter((each) => each !== null)).toEqual([])
})
