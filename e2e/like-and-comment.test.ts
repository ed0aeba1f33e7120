/** Tests likes and comments for the people who write them and for others. */
import type { Page } from '@playwright/test'
import { leaveComments } from './database.ts'
import { expect, intercept, once, stored, test as base, visit } from './fixtures.ts'
import {
  call,
  publishShelf,
  register,
  registerBuyer,
  type Registered,
  type Shelf,
} from './people.ts'

interface Stall extends Shelf {
  /** Has bought the first lesson. */
  readonly buyer: Registered
  /** Has bought nothing. */
  readonly stranger: Registered
}

const test = base.extend<{ stall: Stall }>({
  // The second lesson is a free preview.
  stall: once(async (server) => {
    const shelf = await publishShelf(server.url, 'Bowline', { preview: 2 })
    const buyer = await registerBuyer(server, 100, `lesson/buy/${shelf.lesson}`)
    return { ...shelf, buyer, stranger: await register(server.url) }
  }),
})

const details = (lesson: number | undefined) => `/lesson/details/${lesson}`
/** Finds a figure of the lesson, which is before its comments and other lessons. */
const figure = (page: Page, words: RegExp) => page.getByRole('main').getByText(words).first()
const likesOf = (page: Page) => figure(page, /^\d+ likes?$/)
const likeOf = (page: Page) => page.getByRole('button', { name: 'Like', exact: true })
const liked = (page: Page) => page.getByRole('button', { name: 'Liked' })
const field = (page: Page) => page.getByLabel('Your comment')
const post = (page: Page) => page.getByRole('button', { name: 'Post comment' })
const talk = (page: Page) => page.getByRole('region', { name: /^Comments/ })
const comments = (page: Page) => talk(page).getByRole('article')
const tooFast = { status: 429, json: { type: 'about:blank', title: 'Too fast.', status: 429 } }

test('a refused like is undone; an accepted one animates, stays, and is visible to others', async ({
  sit,
  server,
  stall,
}) => {
  const [lesson, , calm, twice] = stall.lessons
  // The owner and guests see the number but no button.
  const other = await sit(stall.author)
  const guest = await sit(null)
  for (const onlooker of [guest, other]) {
    await visit(onlooker, details(lesson))
    await expect(likesOf(onlooker)).toHaveText('0 likes')
    await expect(onlooker.getByRole('button', { name: /^Liked?$/ })).toHaveCount(0)
  }
  const page = await sit(stall.stranger)
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  await visit(page, details(lesson))
  await expect(likeOf(page)).toBeVisible()
  expect(scripts.filter((url) => url.includes('particles'))).toEqual([])
  await intercept(page, '**/api/lesson/like/*', (route) => route.fulfill(tooFast))
  await likeOf(page).click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('Too fast.')
  await expect(likeOf(page)).toBeEnabled()
  await expect(likesOf(page)).toHaveText('0 likes')
  await page.unroute('**/api/lesson/like/*')
  await page.reload()
  const passing = await watchPassing(page, 'canvas')
  await likeOf(page).press('Enter')
  await expect(likesOf(page)).toHaveText('1 like')
  // A button that its own press disables keeps the focus.
  await expect(liked(page)).toBeDisabled()
  await expect(liked(page)).toBeFocused()
  await expect.poll(passing).toBe(true)
  await expect(page.getByRole('status').filter({ hasText: 'Liked: 1 like' })).toHaveCount(1)
  await page.reload()
  await expect(liked(page)).toBeDisabled()
  await expect(likesOf(page)).toHaveText('1 like')
  await page.goto('/liked')
  await expect(page.getByRole('article').filter({ hasText: 'Bowline 1' })).toHaveCount(1)
  // Uses only links, so that nothing is reloaded.
  await other.getByRole('banner').getByRole('link', { name: 'Lessons' }).first().click()
  await other.getByRole('link', { name: /Bowline 1/ }).click()
  await expect(likesOf(other)).toHaveText('1 like')

  // With reduced motion there are no particles. A like given in another tab counts once.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await visit(page, details(calm))
  await likeOf(page).click()
  await expect(liked(page)).toBeDisabled()
  await expect(page.locator('canvas')).toHaveCount(0)
  await visit(page, details(twice))
  await call(server.url, stall.stranger, 'POST', `/lesson/like/${twice}`)
  await likeOf(page).click()
  await expect(liked(page)).toBeDisabled()
  await expect(likesOf(page)).toHaveText('1 like')
})

test('a comment needs a minimum length, stays in its field when refused, and is deleted with the keyboard', async ({
  sit,
  stall,
}) => {
  const page = await sit(stall.buyer)
  await visit(page, details(stall.lessons[0]))
  const short = 'я'.repeat(9)
  await field(page).fill(short)
  await field(page).blur()
  await expect(post(page)).toBeDisabled()
  await expect(talk(page)).toContainText('a minimum of 10 and a maximum of 200 characters')
  await expect(talk(page)).toContainText('9 / 200')
  await field(page).press('Control+Enter')
  await expect(field(page)).toHaveValue(short)
  await intercept(page, '**/api/comment/create/*', (route) => route.fulfill(tooFast))
  await field(page).fill('I take this back in a moment.')
  await post(page).click()
  await expect(talk(page).getByRole('alert')).toHaveText('Too fast.')
  await expect(field(page)).toHaveValue('I take this back in a moment.')
  await stored(page, 'I take this back in a moment.')
  await page.unroute('**/api/comment/create/*')
  await page.reload()
  await expect(field(page)).toHaveValue('I take this back in a moment.')
  await field(page).focus()
  await page.keyboard.press('Control+Enter')
  const mine = comments(page).filter({ hasText: 'I take this back' })
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
  await expect(page.getByText('Comment deleted.')).toBeAttached()
  await page.reload()
  await expect(mine).toHaveCount(0)
})

test('a comment appears in another browser without a reload, and does not move the content there', async ({
  sit,
  server,
  stall,
}) => {
  const { author, buyer } = stall
  const lesson = stall.lessons[0] ?? 0
  await leaveComments(server.dataDir, author.id, lesson, 60)
  const watcher = await sit(author)
  await watcher.clock.install()
  await visit(watcher, details(lesson))
  const page = await sit(buyer)
  await visit(page, details(lesson))
  const read = watcher.getByText('comment number 54', { exact: true })
  await read.evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }))
  const placeOf = async () => (await read.boundingBox())?.y ?? Number.NaN
  const before = await placeOf()

  const words = 'Първи ред\n<b>втори</b> ред & край'
  await field(page).fill(words)
  await field(page).press('Control+Enter')
  await expect(field(page)).toHaveValue('')
  const mine = comments(page).first().locator('p')
  await expect(mine).toHaveText(words)
  await expect(mine).toHaveAttribute('lang', 'bg')
  await expect(talk(page).getByRole('heading').first()).toHaveText('Comments 61')
  await expect(figure(page, /^61 comments$/)).toBeVisible()

  const seen = comments(watcher).first()
  // Pages poll every eight seconds.
  await watcher.clock.fastForward(8000)
  await expect(seen.locator('p')).toHaveText(words)
  expect(Math.abs((await placeOf()) - before)).toBeLessThan(2)
  await expect(seen.getByRole('link')).toHaveAttribute('href', `/by/${buyer.username}`)
  await expect(seen.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await expect(watcher.getByText('1 new comment', { exact: true })).toBeAttached()
  await expect(talk(watcher).getByRole('heading').first()).toHaveText('Comments 61')

  // Older comments load in batches of fifty without duplicates.
  await expect(comments(page)).toHaveCount(51)
  await talk(page).getByRole('button', { name: '10 older comments' }).click()
  await expect(comments(page)).toHaveCount(61)
  await expect(talk(page).getByRole('button', { name: /older comments/ })).toHaveCount(0)
  await expect(comments(page).nth(51)).toBeFocused()
})

test('a free preview can be shared, and its readers learn how to comment', async ({
  sit,
  server,
  stall,
}) => {
  const preview = stall.lessons[1] ?? 0
  const text = 'Everybody may read this word of mine.'
  await call(server.url, stall.author, 'POST', `/comment/create/${preview}`, { text })
  const guest = await sit(null)
  await visit(guest, details(preview))
  await expect(talk(guest)).toContainText(text)
  await expect(talk(guest).getByRole('link', { name: 'register' })).toHaveAttribute(
    'href',
    `/register?next=%2Flesson%2Fdetails%2F${preview}`,
  )
  await expect(comments(guest).getByRole('link')).toHaveText(stall.author.username)

  await guest.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await guest.getByRole('button', { name: 'Share' }).click()
  const dialog = guest.getByRole('dialog')
  const address = `${server.url}${details(preview)}`
  await expect(dialog.getByLabel('Address')).toHaveValue(address)
  await expect(dialog.getByRole('img', { name: `QR code of ${address}` })).toBeVisible()
  await dialog.getByRole('button', { name: 'Copy link' }).click()
  await expect(dialog.getByRole('status')).toContainText('Link copied.')
  expect(await guest.evaluate(() => navigator.clipboard.readText())).toBe(address)
  const downloads = guest.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save as a picture' }).click()
  expect((await downloads).suggestedFilename()).toBe('Bowline 2.png')

  const stranger = await sit(stall.stranger)
  await visit(stranger, details(preview))
  await expect(talk(stranger)).toContainText('Unlock it to comment.')
  await expect(talk(stranger).getByRole('region', { name: 'Price' })).toBeVisible()
  await expect(stranger.getByRole('heading', { name: 'Recommended for you' })).toBeVisible()
})

/** Observes the element inside the page, because it exists for less than a second. */
async function watchPassing(page: Page, selector: string): Promise<() => Promise<boolean>> {
  const seen = await page.evaluateHandle((wanted) => {
    const found = { once: false }
    new MutationObserver(() => {
      if (document.querySelector(wanted)) found.once = true
    }).observe(document.documentElement, { subtree: true, childList: true })
    return found
  }, selector)
  return () => seen.evaluate(({ once: wasThere }) => wasThere)
}
