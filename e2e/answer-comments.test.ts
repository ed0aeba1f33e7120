/** A question under a lesson and its author's answer, as both write and read them. */
import type { Browser, Page } from '@playwright/test'
import { ageComments } from './database.ts'
import { awake, expect, once, test as base } from './fixtures.ts'
import { publish, register, type Registered } from './people.ts'

interface Stall {
  readonly author: Registered
  readonly buyer: Registered
  readonly lesson: number
}

const test = base.extend<{ stall: Stall }>({
  stall: once(async (server) => {
    const author = await register(server.url)
    const buyer = await register(server.url)
    const lesson = await publish(server.url, author, { title: 'Sheet bend' })
    await publish(server.url, buyer)
    await buy(server.url, buyer, lesson)
    return { author, buyer, lesson }
  }),
})

async function buy(url: string, { accessToken }: Registered, lesson: number): Promise<void> {
  const headers = { authorization: `Bearer ${accessToken}` }
  const response = await fetch(`${url}/api/lesson/buy/${lesson}`, { method: 'POST', headers })
  if (!response.ok) throw new Error(`buying answered ${response.status}`)
}

/** The lesson's page in a browser of its own. */
async function open(
  browser: Browser,
  { username, password }: Registered,
  address: string,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const data = { username, password }
  await context.request.post(new URL('/api/identity/login', address).href, { data })
  const page = await context.newPage()
  await page.goto(address)
  await awake(page)
  return page
}

const words = {
  field: 'Your comment',
  post: 'Post comment',
  reply: 'Reply',
  postReply: 'Post reply',
  replies: 'Replies',
  author: 'Author',
  edit: 'Edit',
  change: 'Change your comment',
  save: 'Save changes',
  edited: 'edited',
  tooOld: 'A comment can be changed for 15 minutes. That time is over.',
  gone: 'Deleted comment',
  delete: 'Delete',
  deleteComment: 'Delete comment',
} as const

test(`a question, its answer, a changed word and a deletion`, async ({
  browser,
  server,
  stall,
}) => {
  const address = `${server.url}/lesson/details/${stall.lesson}`
  const exact = { exact: true }
  const changed = `Up to fourteen millimeters.`
  const asking = await open(browser, stall.buyer, address)
  await asking.getByLabel(words.field, exact).fill(`How thick may the rope be?`)
  await asking.getByRole('button', { name: words.post, ...exact }).click()
  const asked = asking.locator('article', { hasText: `How thick may the rope be?` })
  await expect(asked).toBeVisible()

  const answering = await open(browser, stall.author, address)
  const thread = answering.locator('[data-thread]', { hasText: `rope be?` })
  await thread.getByRole('button', { name: words.reply, ...exact }).press('Enter')
  const field = thread.getByRole('textbox')
  await expect(field).toBeFocused()
  await field.press('Escape')
  await expect(field).toHaveCount(0)
  await expect(thread.locator('article').first()).toBeFocused()
  await thread.getByRole('button', { name: words.reply, ...exact }).click()
  await field.fill('Up to twelve millimeters.')
  await thread.getByRole('button', { name: words.postReply, ...exact }).click()
  const answers = thread.getByRole('group', { name: words.replies })
  const answer = answers.locator('article')
  await expect(answer).toContainText('Up to twelve millimeters.')
  await expect(answer).toBeFocused()
  await expect(answer.getByText(words.author, exact)).toBeVisible()
  await expect(answer.getByRole('button', { name: words.reply, ...exact })).toHaveCount(0)

  await answer.getByRole('button', { name: words.edit, ...exact }).click()
  const change = answers.getByLabel(words.change)
  await expect(change).toHaveValue('Up to twelve millimeters.')
  await change.fill(changed)
  await answers.getByRole('button', { name: words.save }).click()
  await expect(answer).toContainText(changed)
  await expect(answer).toContainText(words.edited)

  await asking.reload()
  await awake(asking)
  await expect(asking.locator('[data-answers] article', { hasText: changed })).toBeVisible()
  await asked.getByRole('button', { name: words.delete, ...exact }).click()
  const dialog = asking.getByRole('dialog')
  await dialog.getByRole('button', { name: words.deleteComment }).click()
  const left = asking.locator('[data-thread]', { hasText: changed })
  await expect(left.getByText(words.gone)).toBeVisible()
  await expect(left.locator('[data-answers] article')).toHaveCount(1)
  await asking.reload()
  await expect(left.locator('[data-answers] article')).toHaveCount(1)
  expect(await asking.evaluate(() => document.body.scrollWidth <= innerWidth)).toBe(true)
  await asking.context().close()
  await answering.context().close()
})

test(`another open page sees a comment, its change and its deletion as they happen`, async ({
  browser,
  server,
  stall,
}) => {
  const exact = { exact: true }
  // A lesson of its own, because the deleted comment must be the only one.
  const lesson = await publish(server.url, stall.author)
  await publish(server.url, stall.buyer)
  await buy(server.url, stall.buyer, lesson)
  const address = `${server.url}/lesson/details/${lesson}`
  const watching = await open(browser, stall.author, address)
  const shown = watching.locator('article', { hasText: `Seen` })
  const count = async () =>
    Number((await watching.locator('[data-comments] h2 .num').textContent())?.replaceAll(/\D/g, ''))
  const before = await count()
  const writing = await open(browser, stall.buyer, address)
  await writing.getByLabel(words.field, exact).fill(`Seen: which hook is it?`)
  await writing.getByRole('button', { name: words.post, ...exact }).click()
  const own = writing.locator('article', { hasText: `Seen` })
  await expect(own).toBeVisible()
  // Pages ask every eight seconds.
  const soon = { timeout: 20_000 }
  await expect(shown).toBeVisible(soon)
  await expect.poll(count).toBe(before + 1)

  await own.getByRole('button', { name: words.edit, ...exact }).click()
  const change = writing.getByLabel(words.change)
  await change.fill(`Seen: which of the two hooks is it?`)
  await writing.getByRole('button', { name: words.save }).click()
  await expect(shown).toContainText('which of the two hooks', soon)
  await expect(shown).toContainText(words.edited)
  await expect(shown).toHaveCount(1)

  await shown.getByRole('button', { name: words.reply, ...exact }).click()
  const thread = watching.locator('[data-thread]', { has: watching.locator('form') })
  const answer = thread.getByRole('textbox')
  await answer.fill('The wider one of them.')
  await own.getByRole('button', { name: words.delete, ...exact }).click()
  await writing.getByRole('dialog').getByRole('button', { name: words.deleteComment }).click()
  await expect(shown).toHaveCount(0, soon)
  await expect.poll(count).toBe(before)
  await expect(thread.getByText(words.gone)).toBeVisible()
  // The answer being written stays, and its author is told why it can't be posted.
  await expect(answer).toBeFocused()
  await expect(answer).toHaveValue('The wider one of them.')
  await thread.getByRole('button', { name: words.postReply, ...exact }).click()
  await expect(thread.getByRole('alert')).toBeVisible()
  await expect(answer).toHaveValue('The wider one of them.')
  await watching.context().close()
  await writing.context().close()
})

test(`a change that is written for longer than a quarter of an hour is refused in words, and stays`, async ({
  browser,
  server,
  stall,
}) => {
  const exact = { exact: true }
  const address = `${server.url}/lesson/details/${stall.lesson}`
  const page = await open(browser, stall.buyer, address)
  await page.getByLabel(words.field, exact).fill(`Late: which rope is it?`)
  await page.getByRole('button', { name: words.post, ...exact }).click()
  const own = page.locator('article', { hasText: `Late` })
  await own.getByRole('button', { name: words.edit, ...exact }).click()
  const change = page.getByLabel(words.change)
  const changed = `Late: which of the two ropes is it?`
  await change.fill(changed)
  await ageComments(server.dataDir, `Late: which rope is it?`, 15)
  await page.getByRole('button', { name: words.save }).click()
  await expect(page.getByRole('alert').filter({ hasText: words.tooOld })).toBeVisible()
  await expect(change).toHaveValue(changed)
  // Nobody else reads it.
  const guest = await open(browser, stall.author, address)
  await expect(guest.getByText(`Late: which rope is it?`)).toBeVisible()
  await guest.context().close()
  await page.context().close()
})
