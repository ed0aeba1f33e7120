/** The scripts and styles that a page loads with an empty cache, compressed. */
import type { Browser, BrowserContextOptions } from '@playwright/test'
import { LOCALES } from '#contract/messages/messages.ts'
import { expect, test, visit } from './fixtures.ts'
import { publish, publishCourse, register, type Registered } from './people.ts'

/** Limits in KB. */
const GUEST_SCRIPTS = 160
const SIGNED_IN_SCRIPTS = 230
const STYLES = 20
const PHONE = { width: 390, height: 844 }
const WIDE = { width: 1440, height: 900 }

interface Items {
  readonly author: Registered
  readonly preview: number
  readonly lesson: number | undefined
  readonly locked: number
  readonly open: number
}

async function publishItems(url: string): Promise<Items> {
  const author = await register(url)
  const lessons: number[] = []
  while (lessons.length < 12) lessons.push(await publish(url, author, { tags: 'опит' }))
  const [preview = 0] = lessons
  const locked = await publishCourse(url, author, lessons.slice(6))
  const open = await publishCourse(url, author, lessons.slice(0, 6), {
    freePreview: String(preview),
  })
  return { author, preview, lesson: lessons.at(-1), locked, open }
}

/** Opens a page in a browser of its own. Returns what is wrong with the sizes; null when nothing is. */
async function judge(
  browser: Browser,
  path: string,
  scriptLimit: number,
  options: BrowserContextOptions,
  person?: Registered,
): Promise<string | null> {
  const context = await browser.newContext(options)
  if (person !== undefined) await context.addCookies([person.cookie])
  const page = await context.newPage()
  const sizes = { script: 0, stylesheet: 0 }
  page.on('response', (response) => {
    const type = response.request().resourceType()
    if (type === 'script' || type === 'stylesheet')
      sizes[type] += Number(response.headers()['content-length'])
  })
  await visit(page, path)
  await context.close()
  const scripts = sizes.script / 1024
  const styles = sizes.stylesheet / 1024
  expect(scripts, path).toBeGreaterThan(80)
  expect(styles, path).toBeGreaterThan(5)
  if (scripts <= scriptLimit && styles <= STYLES) return null
  return `${path}: ${scripts.toFixed(1)} KB of scripts, ${styles.toFixed(1)} of styles`
}

for (const locale of LOCALES) {
  test(`a guest loads 160 KB of scripts and 20 of styles at most: ${locale}`, async ({
    browser,
    server,
  }) => {
    const { preview, lesson, locked, open } = await publishItems(server.url)
    const tag = encodeURIComponent('опит')
    const wrong: (string | null)[] = []
    for (const [path, viewport] of [
      ['/', PHONE],
      // Its rows of cards slide there.
      ['/', WIDE],
      ['/lesson/all', PHONE],
      ['/course/all', PHONE],
      [`/tag/${tag}`, PHONE],
      [`/search?q=${tag}`, PHONE],
      [`/lesson/details/${lesson}`, PHONE],
      [`/course/details/${locked}`, PHONE],
      [`/lesson/details/${preview}`, PHONE],
      [`/course/details/${open}/${preview}`, PHONE],
      ['/login', PHONE],
      ['/register', PHONE],
      ['/password/forgot', PHONE],
      ['/password/reset?token=none', PHONE],
      ['/password/reset', PHONE],
      ['/email/confirm?token=none', PHONE],
      ['/email/unsubscribe?token=none', PHONE],
      ['/report', PHONE],
      ['/about', PHONE],
      ['/privacy-policy', PHONE],
      ['/api/docs', PHONE],
      ['/lesson/details/987654', PHONE],
      ['/nothing/here', PHONE],
    ] as const) {
      const options = { locale, baseURL: server.url, viewport }
      wrong.push(await judge(browser, path, GUEST_SCRIPTS, options))
    }
    expect(wrong.filter((each) => each !== null)).toEqual([])
  })
}

test('a signed-in person loads 230 KB of scripts and 20 of styles at most', async ({
  browser,
  server,
}) => {
  const { author, lesson, open } = await publishItems(server.url)
  const wrong: (string | null)[] = []
  for (const path of [
    '/',
    '/lesson/all',
    `/lesson/details/${lesson}`,
    `/course/details/${open}`,
    `/profile/${author.id}`,
    '/profile/update',
    '/lesson/yours',
    '/chat',
    '/course/create',
  ]) {
    const options = { locale: 'en-GB', baseURL: server.url, viewport: PHONE }
    wrong.push(await judge(browser, path, SIGNED_IN_SCRIPTS, options, author))
  }
  expect(wrong.filter((each) => each !== null)).toEqual([])
})
