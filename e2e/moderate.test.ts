/** The desk: readers report, administrators judge, the suspended read on. */
import type { Browser, Locator, Page } from '@playwright/test'
import type { ModeratedComment } from '#contract/comments.ts'
import { awake, expect, test as base } from './fixtures.ts'
import {
  call,
  grantAdministration,
  publish,
  publishCourse,
  register,
  signIn,
  type Registered,
} from './people.ts'

interface Market {
  readonly rosa: Registered
  /** Made what is talked about. */
  readonly author: Registered
  /** Wrote the comments. */
  readonly grump: Registered
  readonly reader: Registered
  readonly lesson: number
  readonly course: number
}

const INSULTS = [
  'You are an idiot and so is everybody who likes this.',
  'Shut up, you stupid moron, nobody wants to hear you.',
  'You are a worthless piece of trash, go away.',
  'Ти си идиот и урокът ти е боклук.',
  'Млъкни, глупако, никой не те пита.',
]
const PRAISE = 'Thank you, this helped me a lot with my work.'

const test = base.extend<object, { market: Market }>({
  market: [
    async ({ server }, use) => {
      const { url } = server
      const rosa = await register(url)
      await grantAdministration(server.dataDir, rosa)
      const author = await register(url)
      const grump = await register(url)
      const reader = await register(url)
      const lessons: number[] = []
      for (let place = 0; place < 6; place += 1) lessons.push(await publish(url, author))
      const [lesson = 0] = lessons
      const course = await publishCourse(url, author, lessons, { title: 'Knots one to six' })
      for (const person of [grump, reader]) {
        await publish(url, person)
        await call(url, person, 'POST', `/lesson/buy/${lesson}`)
      }
      await use({ rosa, author, grump, reader, lesson, course })
    },
    { scope: 'worker' },
  ],
})

const comment = (url: string, person: Registered, lesson: number, text: string) =>
  call<{ id: number }>(url, person, 'POST', `/comment/create/${lesson}`, { text })

/** Waits until the machine has an opinion of everything. */
async function judged(url: string, rosa: Registered): Promise<void> {
  await expect
    .poll(
      async () => {
        const { comments } = await call<{ comments: ModeratedComment[] }>(
          url,
          rosa,
          'GET',
          '/comment/browse',
        )
        return comments.every(({ prediction }) => prediction !== null)
      },
      { timeout: 20_000 },
    )
    .toBe(true)
}

interface Sitting {
  readonly locale?: string
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
}

/** A page of somebody, signed in; or a guest's. */
async function sit(
  browser: Browser,
  url: string,
  person: Registered | null,
  { locale = 'en-GB', colorScheme = 'light', width = 1280 }: Sitting = {},
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    locale,
    colorScheme,
    viewport: { width, height: 800 },
  })
  const page = await context.newPage()
  if (person !== null) await signIn(page, url, person)
  return page
}

const rows = (page: Page): Locator => page.locator('main tbody tr')
const total = (page: Page): Locator => page.locator('main h1 ~ .num')
const undoLine = (page: Page): Locator =>
  page.getByRole('status', { name: 'What was deleted just now' })
/** Keys are listened to once the script runs. */
async function keysWork(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Keys' }).waitFor()
  await awake(page)
}

/** Reports what is open in the dialog. */
async function report(page: Page, words: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What is wrong').fill(words)
  await dialog.getByRole('button', { name: 'Send the report' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Thank you. The moderators will look at it.').last()).toBeVisible()
}

test('five insults go by key and come back', async ({ browser, server, market }) => {
  const { rosa, grump, lesson } = market
  for (const text of [...INSULTS, PRAISE]) await comment(server.url, grump, lesson, text)
  await judged(server.url, rosa)
  const page = await sit(browser, server.url, rosa)
  await page.goto('/comment/all')
  const all = Number(await total(page).innerText().then(Number.parseInt))
  await page.getByRole('link', { name: /^Toxic/ }).press('Enter')
  await expect(page).toHaveURL('/comment/all?label=TOXIC')
  await expect(rows(page)).toHaveCount(5)
  await expect(rows(page).first()).toContainText('Toxic')
  await expect(rows(page).locator('mark').first()).toBeAttached()

  await keysWork(page)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('Delete what is selected')
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await expect(rows(page).first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(rows(page).nth(1)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(rows(page).nth(1).locator('details p')).toContainText(
    'Decided by the underlined words.',
  )
  await page.keyboard.press('x')
  await expect(page.getByRole('region', { name: 'What is selected' })).toContainText('1 selected')
  await page.getByLabel('Select all on this page').press('Space')
  await expect(page.getByRole('button', { name: 'Delete 5' })).toBeVisible()
  await page.keyboard.press('#')
  await expect(undoLine(page)).toContainText('5 comments deleted. Kept for 30 days.')
  await expect(page.getByText('No comment is of that opinion.')).toBeVisible()

  // From another page of the desk.
  await page.getByRole('link', { name: 'Log', exact: true }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Log' })).toBeVisible()
  await expect(rows(page).first()).toContainText(`deleted a comment of ${grump.username}`)
  await undoLine(page).getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(page.getByText('5 comments are back.')).toBeVisible()
  await expect(undoLine(page)).toBeEmpty()
  await page.getByRole('link', { name: 'Comments', exact: true }).last().press('Enter')
  await expect(total(page)).toHaveText(`${all}, newest first`)
})

test('what was deleted comes back from its own view', async ({ browser, server, market }) => {
  const { rosa, grump, lesson } = market
  await comment(server.url, grump, lesson, 'A comment that goes and comes again.')
  const page = await sit(browser, server.url, rosa)
  await page.goto('/comment/all?search=goes+and+comes')
  await expect(rows(page)).toHaveCount(1)
  await keysWork(page)
  await page.getByRole('button', { name: `Delete the comment of ${grump.username}` }).click()
  await expect(page.getByText('No comment has “goes and comes” in it.')).toBeVisible()
  await undoLine(page).getByRole('button', { name: 'Close' }).click()
  await expect(undoLine(page)).toBeEmpty()
  await page.getByRole('link', { name: 'Deleted', exact: true }).click()
  await expect(rows(page)).toContainText(`by ${rosa.username}`)
  await expect(rows(page)).toContainText('30 days left')
  await page.getByRole('button', { name: `Bring back the comment of ${grump.username}` }).click()
  await expect(page.getByText('1 comment is back.')).toBeVisible()
  await page.getByRole('link', { name: 'Present' }).click()
  await expect(rows(page)).toHaveCount(1)
})

test('a refused deletion keeps the selection and says why', async ({ browser, server, market }) => {
  const { rosa, grump, lesson } = market
  await comment(server.url, grump, lesson, 'This one is refused to be deleted.')
  const page = await sit(browser, server.url, rosa)
  await page.goto('/comment/all?search=refused+to+be')
  await page.route('**/api/comment/delete', (route) =>
    route.fulfill({ status: 503, json: { type: 'about:blank', title: 'Not now.', status: 503 } }),
  )
  await keysWork(page)
  await rows(page).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Delete 1' }).click()
  await expect(page.locator('main').getByRole('alert')).toContainText('Not now.')
  await expect(page.getByRole('region', { name: 'What is selected' })).toContainText('1 selected')
  await expect(undoLine(page)).toBeEmpty()
})

test('the next row has the focus when one is gone', async ({ browser, server, market }) => {
  const { rosa, grump, lesson } = market
  for (const place of ['first', 'second', 'third'])
    await comment(server.url, grump, lesson, `Of three neighbours the ${place}.`)
  const page = await sit(browser, server.url, rosa)
  await page.goto('/comment/all?search=of+three+neighbours')
  await keysWork(page)
  await rows(page)
    .nth(1)
    .getByRole('button', { name: /^Delete/ })
    .press('Enter')
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).nth(1)).toBeFocused()
  await page.keyboard.press('u')
  await expect(rows(page)).toHaveCount(3)
})

test('keys can be switched off and never act while one types', async ({
  browser,
  server,
  market,
}) => {
  const { rosa, grump, lesson } = market
  await comment(server.url, grump, lesson, 'One comment more to step to.')
  const page = await sit(browser, server.url, rosa)
  await page.goto('/comment/all')
  await keysWork(page)
  await page.getByLabel('Words').press('j')
  await expect(page.getByLabel('Words')).toHaveValue('j')
  await page.getByLabel('Words').fill('')
  await page.getByRole('button', { name: 'Keys' }).click()
  await page.getByLabel('Listen to single keys').uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await expect(page.locator('main tr:focus')).toHaveCount(0)
  await page.reload()
  await keysWork(page)
  await page.keyboard.press('j')
  await expect(page.locator('main tr:focus')).toHaveCount(0)
})

test('filters and pages work without a script', async ({ browser, server, market }) => {
  const { rosa, grump, lesson } = market
  await comment(server.url, grump, lesson, 'Намерете този коментар без скрипт.')
  const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false })
  const page = await context.newPage()
  await signIn(page, server.url, rosa)
  await page.goto('/comment/all')
  await page.getByLabel('Words').fill('без скрипт')
  await page.getByRole('button', { name: 'Search the comments' }).click()
  await expect(rows(page)).toHaveCount(1)
  // The header and the footer lead to the other language where there is no script.
  await page.locator('#filters').getByRole('link', { name: 'English', exact: true }).click()
  await expect(page.getByText('No comment fits these filters.')).toBeVisible()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL('/comment/all')
  await context.close()
})

test('a reader reports five things, an administrator sees each', async ({
  browser,
  server,
  market,
}) => {
  const { rosa, grump, author, reader, lesson, course } = market
  const said = await comment(server.url, grump, lesson, 'Buy my watches, they are cheap today.')
  await call(server.url, grump, 'POST', '/message/create', {
    text: 'Cheap watches for you',
    receiverUsername: reader.username,
  })
  const page = await sit(browser, server.url, reader)
  await page.goto(`/lesson/details/${lesson}`)
  await page.locator('[data-acts]').getByRole('button', { name: 'Report' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send the report' }).click()
  await expect(dialog).toContainText('Say what is wrong in 3 to 500 characters.')
  await page.route('**/api/flag', (route) =>
    route.fulfill({ status: 429, json: { type: 'about:blank', title: 'Slow', status: 429 } }),
  )
  await dialog.getByLabel('What is wrong').fill('Copied out of a book')
  await dialog.getByRole('button', { name: 'Send the report' }).click()
  await expect(dialog.getByRole('alert')).toContainText('You have reported a lot today.')
  await expect(dialog.getByLabel('What is wrong')).toHaveValue('Copied out of a book')
  await page.unroute('**/api/flag')
  await report(page, 'Copied out of a book')
  await page.locator(`#comment-${said.id}`).getByRole('button', { name: 'Report' }).click()
  await expect(dialog).toContainText('Buy my watches')
  await report(page, 'Advertises watches')
  await page.goto(`/course/details/${course}`)
  await page.getByRole('button', { name: 'Report' }).first().click()
  await report(page, 'Six times the same')
  await page.goto(`/profile/${grump.id}`)
  await page.getByRole('button', { name: 'Report' }).click()
  await report(page, 'Only advertises')
  await page.goto(`/chat?receiver=${grump.username}`)
  await page.getByRole('log').getByRole('button', { name: 'Report' }).hover()
  await page.getByRole('log').getByRole('button', { name: 'Report' }).click()
  await report(page, 'Writes to everybody')

  const desk = await sit(browser, server.url, rosa)
  await desk.goto('/admin/reports')
  const flag = (words: string) => desk.getByRole('article').filter({ hasText: words })
  await expect(flag('Copied out of a book').getByRole('link', { name: /^Lesson/ })).toBeVisible()
  await expect(flag('Copied out of a book').locator('[data-subject] img').first()).toBeVisible()
  await expect(flag('Advertises watches')).toContainText('Buy my watches, they are cheap today.')
  await expect(
    flag('Six times the same').getByRole('link', { name: 'Knots one to six' }),
  ).toBeVisible()
  await expect(flag('Six times the same')).toContainText(author.username)
  await expect(flag('Only advertises').locator('[data-subject]')).toContainText(grump.username)
  await expect(flag('Writes to everybody').locator('[data-subject]')).toContainText(
    'Cheap watches for you',
  )

  await awake(desk)
  const waits = desk
    .getByRole('navigation', { name: 'Desk' })
    .getByRole('link', { name: /^Reports/ })
    .locator('b')
  await expect(waits).toHaveText('5')
  await flag('Advertises watches').getByRole('button', { name: 'Delete comment' }).click()
  await expect(flag('Advertises watches')).toContainText('The comment was deleted.')
  await expect(undoLine(desk)).toContainText('1 comment deleted.')
  await flag('Advertises watches').getByRole('button', { name: 'Mark as dealt with' }).click()
  await expect(waits).toHaveText('4')
  await expect(flag('Advertises watches')).toContainText(`Dealt with by ${rosa.username}`)
  await desk.getByRole('link', { name: 'Dealt with' }).click()
  await expect(desk.getByRole('article')).toHaveCount(1)
  await flag('Advertises watches').getByRole('button', { name: 'Open again' }).click()
  await expect(waits).toHaveText('5')
  await desk.goto('/admin/log')
  await expect(rows(desk).first()).toContainText('opened a report again')
})

test('guests are led to the login, one has nothing of one’s own to report', async ({
  browser,
  server,
  market,
}) => {
  const guest = await sit(browser, server.url, null)
  await guest.goto(`/lesson/details/${market.lesson}`)
  await guest.getByRole('link', { name: 'Report', exact: true }).click()
  await expect(guest).toHaveURL(/\/login\?next=%2Flesson%2Fdetails/)
  const own = await sit(browser, server.url, market.author)
  await own.goto(`/lesson/details/${market.lesson}`)
  await expect(own.getByRole('button', { name: 'Share' })).toBeVisible()
  await expect(own.locator('[data-acts]').getByText('Report')).toHaveCount(0)
})

test('who is suspended reads, writes nothing, and is told', async ({ browser, server, market }) => {
  const { rosa, lesson, reader } = market
  const sam = await register(server.url)
  await publish(server.url, sam)
  await call(server.url, sam, 'POST', `/lesson/buy/${lesson}`)
  const desk = await sit(browser, server.url, rosa)
  await desk.goto(`/profile/${sam.id}`)
  await desk.getByRole('button', { name: `Suspend: ${sam.username}` }).click()
  const dialog = desk.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Suspend', exact: true }).click()
  await expect(dialog).toContainText('The reason must be between 3 and 200 characters.')
  await dialog.getByLabel(/^Reason/).fill('Advertises in every comment')
  await dialog.getByRole('button', { name: 'Suspend', exact: true }).click()
  await expect(desk.getByText('Suspended: reads, but writes nothing')).toBeVisible()

  const page = await sit(browser, server.url, sam)
  await page.goto(`/lesson/details/${lesson}`)
  const banner = page.getByRole('complementary', { name: 'Your account is suspended' })
  await expect(banner).toContainText('you can read and export, but not write')
  await expect(banner.getByRole('link')).toHaveAttribute('href', /^mailto:/)
  await expect(page.locator('.prose')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Post comment' })).toHaveCount(0)
  const refused = await fetch(`${server.url}/api/comment/create/${lesson}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sam.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'May I say one thing more?' }),
  })
  expect(refused.status).toBe(403)
  await page.goto(`/chat?receiver=${reader.username}`)
  await expect(page.getByRole('main').getByRole('note')).toContainText('you can read your messages')
  await expect(page.getByRole('textbox', { name: /^Message to/ })).toHaveCount(0)
  for (const path of ['/lesson/create', '/course/create', `/lesson/contact/${lesson}`]) {
    await page.goto(path)
    await expect(page.locator('main .stray')).toContainText('you can read, but not write')
    await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0)
  }

  await desk.goto('/admin/log')
  await expect(rows(desk).first()).toContainText('Advertises in every comment')
  await awake(desk)
  await rows(desk)
    .first()
    .getByRole('button', { name: /^Lift the suspension/ })
    .click()
  await desk.getByRole('dialog').getByRole('button', { name: 'Lift the suspension' }).click()
  await expect(desk.getByText(`${sam.username} can write again.`)).toBeVisible()
  await page.goto(`/lesson/details/${lesson}`)
  await expect(banner).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Post comment' })).toBeVisible()
})

test('who is signed out everywhere by an administrator is led to the login', async ({
  browser,
  server,
  market,
}) => {
  const sam = await register(server.url)
  const page = await sit(browser, server.url, sam)
  const desk = await sit(browser, server.url, market.rosa)
  await desk.goto(`/profile/${sam.id}`)
  await desk.getByRole('button', { name: `Sign out everywhere: ${sam.username}` }).click()
  const dialog = desk.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(dialog).toContainText('The reason must be between 3 and 200 characters.')
  await dialog.getByLabel(/^Reason/).fill('Somebody else writes by this account')
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(desk.getByText(`${sam.username} is signed out everywhere.`)).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await page.goto('/points')
  await expect(page).toHaveURL(/\/login\?next=%2Fpoints/)
  await desk.goto('/admin/log')
  await expect(rows(desk).first()).toContainText(`signed ${sam.username} out everywhere`)
  await expect(rows(desk).first()).toContainText('Somebody else writes by this account')
})
