/** Hearts and words under lessons, as those who give them and those who look on see them. */
import type { Browser, Page } from '@playwright/test'
import { awake, expect, once, stored, test as base, visit } from './fixtures.ts'
import { call, publish, publishCourse, register, type Registered } from './people.ts'

interface Stall {
  readonly author: Registered
  /** Bought the lesson. */
  readonly buyer: Registered
  /** Has bought nothing. */
  readonly stranger: Registered
  readonly lesson: number
}

const NEW_COMMENT_MS = 20_000

const test = base.extend<{ stall: Stall }>({
  stall: once(async (server) => {
    const author = await register(server.url)
    const buyer = await register(server.url)
    const stranger = await register(server.url)
    const lesson = await publish(server.url, author, { title: 'Bowline' })
    await publish(server.url, buyer)
    await call(server.url, buyer, 'POST', `/lesson/buy/${lesson}`)
    return { author, buyer, stranger, lesson }
  }),
})

const comment = (url: string, person: Registered, lesson: number, text: string) =>
  call<{ id: number }>(url, person, 'POST', `/comment/create/${lesson}`, { text })

/** A browser of its own, with a sign-in of its own; or a guest's. */
async function open(browser: Browser, person: Registered | null, address: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB' })
  if (person !== null) {
    const { username, password } = person
    const data = { username, password }
    await context.request.post(new URL('/api/identity/login', address).href, { data })
  }
  const page = await context.newPage()
  // With the script of the comments, which comes later: a key that is pressed before it is there does nothing.
  await visit(page, address)
  return page
}

const details = (lesson: number) => `/lesson/details/${lesson}`
const likesOf = (page: Page) => page.locator('[data-figures] > span', { hasText: /like/ })
const field = (page: Page) => page.getByLabel('Your comment')
const post = (page: Page) => page.getByRole('button', { name: 'Post comment' })
const talk = (page: Page) => page.locator('[data-comments]')

test('owner and guests see the number and no button', async ({ browser, server, stall }) => {
  for (const person of [stall.author, null]) {
    const page = await open(browser, person, server.url + details(stall.lesson))
    await expect(likesOf(page)).toHaveText(/^\d+ likes?$/)
    await expect(page.getByRole('button', { name: /^Liked?$/ })).toHaveCount(0)
    await page.context().close()
  }
})

test('a like that is refused is taken back and said', async ({ browser, server, stall }) => {
  const lesson = await publish(server.url, stall.author)
  const page = await open(browser, stall.stranger, server.url + details(lesson))
  await page.route('**/api/lesson/like/*', (route) =>
    route.fulfill({ status: 429, json: { type: 'about:blank', title: 'Too fast.', status: 429 } }),
  )
  await page.getByRole('button', { name: 'Like', exact: true }).click()
  await expect(page.locator('main').getByRole('alert')).toHaveText('Too fast.')
  await expect(page.getByRole('button', { name: 'Like', exact: true })).toBeEnabled()
  await expect(likesOf(page)).toHaveText('0 likes')
})

test('a like given in another tab counts once', async ({ browser, server, stall }) => {
  const lesson = await publish(server.url, stall.author)
  const page = await open(browser, stall.stranger, server.url + details(lesson))
  await call(server.url, stall.stranger, 'POST', `/lesson/like/${lesson}`)
  await page.getByRole('button', { name: 'Like', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Liked' })).toBeDisabled()
  await expect(likesOf(page)).toHaveText('1 like')
})

test('nothing liked yet has a next step for each kind', async ({ browser, server, stall }) => {
  const page = await open(browser, stall.author, `${server.url}/liked`)
  await expect(page.getByText('No liked lessons yet.')).toBeVisible()
  await expect(page.getByText('No liked courses yet.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Browse the courses' })).toBeVisible()
})

test('a like bursts, stays, and others see it', async ({ browser, server, stall }) => {
  const lesson = await publish(server.url, stall.author, { title: 'Sheet bend, liked' })
  const other = await open(browser, stall.author, server.url + details(lesson))
  await expect(likesOf(other)).toHaveText('0 likes')

  const page = await open(browser, stall.stranger, server.url + details(lesson))
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  const button = page.getByRole('button', { name: 'Like', exact: true })
  await expect(button).toBeVisible()
  expect(scripts.filter((url) => url.includes('particles'))).toEqual([])
  const passing = await watchPassing(page, ['button[data-bursting]', 'canvas[aria-hidden]'])
  await button.click()
  await expect(likesOf(page)).toHaveText('1 like')
  await expect(page.getByRole('button', { name: 'Liked' })).toBeDisabled()
  await expect.poll(passing).toEqual(['button[data-bursting]', 'canvas[aria-hidden]'])
  await expect(page.getByRole('status').filter({ hasText: 'Liked: 1 like' })).toHaveCount(1)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Liked' })).toBeDisabled()
  await expect(likesOf(page)).toHaveText('1 like')
  await page.goto(`${server.url}/liked`)
  await expect(page.locator('main article').filter({ hasText: 'Sheet bend, liked' })).toHaveCount(1)

  // No reload: only links.
  await other.locator('header').getByRole('link', { name: 'Lessons' }).first().click()
  await other.getByRole('link', { name: /Sheet bend, liked/ }).click()
  await expect(likesOf(other)).toHaveText('1 like')
})

test('who wants less motion gets no particles', async ({ browser, server, stall }) => {
  const lesson = await publish(server.url, stall.author)
  const page = await open(browser, stall.stranger, server.url + details(lesson))
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'Like', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Liked' })).toBeDisabled()
  await expect(page.locator('canvas[aria-hidden]')).toHaveCount(0)
})

test('comments of 9 and 201 characters are refused, the text stays', async ({
  browser,
  server,
  stall,
}) => {
  const page = await open(browser, stall.buyer, server.url + details(stall.lesson))
  for (const length of [9, 201]) {
    const text = 'я'.repeat(length)
    await field(page).fill(text)
    await field(page).blur()
    await expect(post(page)).toBeDisabled()
    await expect(talk(page)).toContainText('a minimum of 10 and a maximum of 200 characters')
    await expect(talk(page)).toContainText(`${length} / 200`)
    await field(page).press('Control+Enter')
    await expect(field(page)).toHaveValue(text)
  }
  await field(page).fill('')
})

test('a text the server refuses stays in its field', async ({ browser, server, stall }) => {
  const page = await open(browser, stall.buyer, server.url + details(stall.lesson))
  await page.route('**/api/comment/create/*', (route) =>
    route.fulfill({ status: 429, json: { type: 'about:blank', title: 'Too fast.', status: 429 } }),
  )
  await field(page).fill('It held a whole winter long.')
  await post(page).click()
  await expect(talk(page).getByRole('alert')).toHaveText('Too fast.')
  await expect(field(page)).toHaveValue('It held a whole winter long.')
  await stored(page, 'It held a whole winter long.')
  await page.reload()
  await expect(field(page)).toHaveValue('It held a whole winter long.')
})

test('a comment reaches another browser without a reload', async ({ browser, server, stall }) => {
  const lesson = await publish(server.url, stall.author)
  await comment(server.url, stall.author, lesson, 'The first word is mine here.')
  const watcher = await open(browser, stall.author, server.url + details(lesson))
  await expect(talk(watcher)).toContainText('The first word is mine here.')

  const newcomer = await register(server.url)
  await publish(server.url, newcomer)
  await call(server.url, newcomer, 'POST', `/lesson/buy/${lesson}`)
  const page = await open(browser, newcomer, server.url + details(lesson))
  const words = 'Първи ред\n<b>втори</b> ред & край'
  await field(page).fill(words)
  await field(page).press('Control+Enter')
  await expect(field(page)).toHaveValue('')
  const mine = talk(page).getByRole('article').first()
  await expect(mine.locator('p')).toHaveText(words)
  await expect(mine.locator('p')).toHaveAttribute('lang', 'bg')
  await expect(page.locator('[data-comments] > h2')).toHaveText('Comments 2')
  await expect(page.locator('[data-figures]')).toContainText('2 comments')

  const seen = talk(watcher).getByRole('article').first()
  await expect(seen.locator('p')).toHaveText(words, { timeout: NEW_COMMENT_MS })
  await expect(seen.getByRole('link')).toHaveAttribute('href', `/profile/${newcomer.id}`)
  await expect(seen.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await expect(watcher.getByText('1 new comment', { exact: true })).toBeAttached()
  await expect(watcher.locator('[data-comments] > h2')).toHaveText('Comments 2')
})

test('what is read stays where it is', async ({ browser, server, stall }) => {
  const lesson = await publish(server.url, stall.author)
  for (let number = 1; number <= 20; number += 1)
    await comment(server.url, stall.author, lesson, `Comment with the number ${number}`)
  const page = await open(browser, stall.author, server.url + details(lesson))
  await awake(page)
  const row = talk(page).getByRole('article').nth(6)
  await row.evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }))
  const read = page.getByText('Comment with the number 14', { exact: true })
  const before = await read.boundingBox()
  await comment(server.url, stall.author, lesson, 'One that comes in between.')
  await expect(page.getByText('One that comes in between.')).toBeAttached({
    timeout: NEW_COMMENT_MS,
  })
  const after = await read.boundingBox()
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 999))).toBeLessThan(2)
})

test('one deletes an own comment by keyboard alone', async ({ browser, server, stall }) => {
  const page = await open(browser, stall.buyer, server.url + details(stall.lesson))
  await field(page).focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('I take this back in a moment.')
  await page.keyboard.press('Control+Enter')
  const mine = talk(page).getByRole('article').filter({ hasText: 'I take this back' })
  await expect(mine).toHaveCount(1)
  await mine.getByRole('button', { name: 'Delete' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete this comment?' })
  await expect(dialog).toContainText('I take this back in a moment.')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(mine).toHaveCount(1)
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Delete comment' }).focus()
  await page.keyboard.press('Enter')
  await expect(mine).toHaveCount(0)
  await expect(page.getByText('The comment is deleted.')).toBeAttached()
  await page.reload()
  await expect(mine).toHaveCount(0)
})

test('older comments come in fifties, none twice', async ({ browser, server, stall }) => {
  const lesson = await publish(server.url, stall.author)
  for (let number = 1; number <= 60; number += 1)
    await comment(server.url, stall.author, lesson, `Comment with the number ${number}`)
  const page = await open(browser, stall.author, server.url + details(lesson))
  await expect(talk(page).getByRole('article')).toHaveCount(50)
  await talk(page).getByRole('button', { name: '10 older comments' }).click()
  await expect(talk(page).getByRole('article')).toHaveCount(60)
  await expect(talk(page).getByRole('button', { name: /older comments/ })).toHaveCount(0)
  await expect(talk(page).getByRole('article').nth(50)).toBeFocused()
})

test('the share dialog copies and draws the address', async ({ browser, server, stall }) => {
  const page = await open(browser, null, server.url + details(stall.lesson))
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog')
  const address = `${server.url}${details(stall.lesson)}`
  await expect(dialog.getByLabel('Address')).toHaveValue(address)
  await expect(dialog.getByRole('img', { name: `QR code of ${address}` })).toBeVisible()
  await dialog.getByRole('button', { name: 'Copy link' }).click()
  await expect(dialog.getByRole('status')).toContainText('The link is copied.')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save as a picture' }).click(),
  ])
  expect(picture.suggestedFilename()).toBe('Bowline.png')
})

test('who reads a free preview is told how to comment', async ({ browser, server, stall }) => {
  const author = await register(server.url)
  const lessons: number[] = []
  for (let count = 0; count < 6; count += 1) lessons.push(await publish(server.url, author))
  const preview = lessons[2] ?? 0
  await publishCourse(server.url, author, lessons, { freePreview: String(preview) })
  await comment(server.url, author, preview, 'Everybody may read this word of mine.')

  const guest = await open(browser, null, server.url + details(preview))
  await expect(talk(guest)).toContainText('Everybody may read this word of mine.')
  await expect(talk(guest).getByRole('link', { name: 'register' })).toHaveAttribute(
    'href',
    `/register?next=%2Flesson%2Fdetails%2F${preview}`,
  )
  await expect(talk(guest).locator('article').getByRole('link')).toHaveCount(0)

  const stranger = await open(browser, stall.stranger, server.url + details(preview))
  await expect(talk(stranger)).toContainText('Those who unlock it may comment, too.')
  await expect(talk(stranger).getByRole('region', { name: 'Price' })).toBeVisible()
  await expect(stranger.getByRole('heading', { name: 'Recommended for you' })).toBeVisible()
})

/** What is there for less than a second is easily missed from outside: the page itself notes what it has seen. */
async function watchPassing(
  page: Page,
  selectors: readonly string[],
): Promise<() => Promise<string[]>> {
  const seen = await page.evaluateHandle((wanted) => {
    const found = new Set<string>()
    new MutationObserver(() => {
      for (const selector of wanted) if (document.querySelector(selector)) found.add(selector)
    }).observe(document.documentElement, { subtree: true, childList: true, attributes: true })
    return found
  }, selectors)
  return () => seen.evaluate((found, wanted) => wanted.filter((one) => found.has(one)), selectors)
}
