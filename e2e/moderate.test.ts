/** Tests moderation: readers report, administrators decide, and suspended people can still read. */
import type { Locator, Page } from '@playwright/test'
import { awake, expect, intercept, once, test as base, visit } from './fixtures.ts'
import {
  call,
  logIn,
  publishShelf,
  registerAdministrator,
  registerBuyer,
  type Registered,
  type Shelf,
} from './people.ts'

interface Market extends Shelf {
  readonly rosa: Registered
  /** The author of the comments. */
  readonly grump: Registered
  readonly reader: Registered
}

const INSULTS = [
  'You are an idiot and so is everybody who likes this.',
  'Shut up, you stupid moron, nobody wants to hear you.',
  'Ти си идиот и урокът ти е боклук.',
]

const test = base.extend<{ market: Market }>({
  market: once(async (server) => {
    const rosa = await registerAdministrator(server)
    const shelf = await publishShelf(server.url, 'Knots')
    const bought = `lesson/buy/${shelf.lesson}`
    const grump = await registerBuyer(server, 100, bought)
    return { ...shelf, rosa, grump, reader: await registerBuyer(server, 100, bought) }
  }),
})

const comment = (url: string, person: Registered, lesson: number, text: string) =>
  call<{ id: number }>(url, person, 'POST', `/comment/create/${lesson}`, { text })

/** The rows of the list without the header. */
const rows = (page: Page): Locator => page.getByRole('row').filter({ has: page.getByRole('cell') })
const undoLine = (page: Page): Locator => page.getByRole('status', { name: 'Just deleted' })
const flag = (page: Page, words: string): Locator =>
  page.getByRole('article').filter({ hasText: words })

/** Fills in and sends the report dialog. */
async function report(page: Page, words: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What’s wrong?').fill(words)
  await dialog.getByRole('button', { name: 'Send the report' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Thank you. The moderators will look at it.').last()).toBeVisible()
}

test('insults are deleted and restored with shortcuts, which can be turned off', async ({
  sit,
  server,
  market,
}) => {
  const { rosa, grump, lesson } = market
  const praise = 'Thank you, this helped me a lot with my work.'
  for (const text of [...INSULTS, praise]) await comment(server.url, grump, lesson, text)
  const page = await sit(rosa)
  // The opinions follow the comments.
  await expect(async () => {
    await visit(page, '/comment/all')
    await page.getByRole('link', { name: /^Toxic/ }).press('Enter')
    await expect(page).toHaveURL('/comment/all?label=TOXIC')
    await expect(rows(page)).toHaveCount(3, { timeout: 1000 })
  }).toPass()
  await expect(rows(page).first()).toContainText('Toxic')
  await expect(rows(page).locator('mark').first()).toBeAttached()

  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('Delete the selected ones')
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await expect(rows(page).first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(rows(page).nth(1)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(rows(page).nth(1)).toContainText('The underlined words were decisive.')
  await page.keyboard.press('x')
  const selection = page.getByRole('region', { name: 'Selection' })
  await expect(selection).toContainText('1 selected')
  await page.getByLabel('Select all on this page').press('Space')
  const deletesAll = page.getByRole('button', { name: 'Delete 3' })

  // A failed deletion keeps the selection and shows the reason.
  await intercept(page, '**/api/comment/delete', (route) =>
    route.fulfill({ status: 503, json: { type: 'about:blank', title: 'Not now.', status: 503 } }),
  )
  await deletesAll.click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Not now.')
  await expect(selection).toContainText('3 selected')
  await expect(undoLine(page)).toBeEmpty()
  await page.unroute('**/api/comment/delete')
  await page.keyboard.press('#')
  await expect(undoLine(page)).toContainText(
    '3 comments deleted. You can bring them back for 30 days.',
  )
  await expect(page.getByText('No comments with this opinion.')).toBeVisible()

  // Undone from another moderation page.
  await page.getByRole('link', { name: 'Log', exact: true }).press('Enter')
  await expect(rows(page).first()).toContainText(`deleted a comment by ${grump.username}`)
  await undoLine(page).getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(page.getByText('3 comments are back.')).toBeVisible()
  await expect(undoLine(page)).toBeEmpty()

  // The next row gets focus when one is removed.
  await visit(page, '/comment/all?label=TOXIC')
  await rows(page).nth(1).getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).nth(1)).toBeFocused()
  await page.keyboard.press('u')
  await expect(rows(page)).toHaveCount(3)

  // Shortcuts don't apply while typing, and can be turned off.
  await visit(page, '/comment/all')
  await page.getByLabel('Words').press('j')
  await expect(page.getByLabel('Words')).toHaveValue('j')
  await page.getByLabel('Words').fill('')
  await page.getByRole('button', { name: 'Shortcuts' }).click()
  await page.getByLabel('Use single-key shortcuts').uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await expect(rows(page).and(page.locator(':focus'))).toHaveCount(0)
  await page.reload()
  await awake(page)
  await page.keyboard.press('j')
  await expect(rows(page).and(page.locator(':focus'))).toHaveCount(0)
})

test('readers report content, and an administrator sees each report', async ({
  sit,
  server,
  market,
}) => {
  const { rosa, grump, reader, lesson, course } = market
  const said = await comment(server.url, grump, lesson, 'Buy my watches, they are cheap today.')
  await call(server.url, grump, 'POST', '/message/create', {
    text: 'Cheap watches for you',
    receiverUsername: reader.username,
  })
  const its = await sit(reader)
  await visit(its, `/lesson/details/${lesson}`)
  await its.getByRole('button', { name: 'Report' }).first().click()
  const dialog = its.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send the report' }).click()
  await expect(dialog).toContainText('Say what’s wrong in 3 to 500 characters.')
  await intercept(its, '**/api/flag', (route) =>
    route.fulfill({ status: 429, json: { type: 'about:blank', title: 'Slow', status: 429 } }),
  )
  await dialog.getByLabel('What’s wrong?').fill('Copied out of a book')
  await dialog.getByRole('button', { name: 'Send the report' }).click()
  await expect(dialog.getByRole('alert')).toContainText('You’ve reported a lot today.')
  await expect(dialog.getByLabel('What’s wrong?')).toHaveValue('Copied out of a book')
  await its.unroute('**/api/flag')
  await report(its, 'Copied out of a book')
  await its.locator(`#comment-${said.id}`).getByRole('button', { name: 'Report' }).click()
  await expect(dialog).toContainText('Buy my watches')
  await report(its, 'Advertises watches')
  for (const [path, words] of [
    [`/course/details/${course}`, 'Six times the same'],
    [`/profile/${grump.id}`, 'Only advertises'],
    [`/chat?receiver=${grump.username}`, 'Writes to everybody'],
  ] as const) {
    await visit(its, path)
    await its.getByRole('button', { name: 'Report', exact: true }).first().click()
    await report(its, words)
  }

  const desk = await sit(rosa)
  await visit(desk, '/admin/reports')
  const copied = flag(desk, 'Copied out of a book')
  await expect(copied.getByRole('link', { name: /Knots 1/ })).toBeVisible()
  await expect(copied.locator('img').first()).toBeVisible()
  const advert = flag(desk, 'Advertises watches')
  await expect(advert).toContainText('Buy my watches, they are cheap today.')
  await expect(flag(desk, 'Six times the same')).toContainText('All of Knots')
  await expect(flag(desk, 'Only advertises')).toContainText(grump.username)
  await expect(flag(desk, 'Writes to everybody')).toContainText('Cheap watches for you')

  // Other tests on this server may have created reports.
  const desks = desk.getByRole('navigation', { name: 'Administration' })
  const waits = (count: number) =>
    desks.getByRole('link', { name: new RegExp(`^Reports ${count} wait`) })
  const shown = (await desks.getByRole('link', { name: /^Reports/ }).ariaSnapshot()).match(/\d+/)
  const waiting = Number(shown?.[0])
  expect(waiting).toBeGreaterThanOrEqual(5)
  await advert.getByRole('button', { name: 'Delete comment' }).click()
  await expect(advert).toContainText('The comment was deleted.')
  await expect(undoLine(desk)).toContainText('1 comment deleted.')
  await advert.getByRole('button', { name: 'Mark as done' }).click()
  await expect(waits(waiting - 1)).toBeVisible()
  await expect(advert).toContainText(`Done by ${rosa.username}`)
  await desk.getByRole('link', { name: 'Done' }).click()
  await expect(desk.getByRole('article')).toHaveCount(1)
  await advert.getByRole('button', { name: 'Reopen' }).click()
  await expect(waits(waiting)).toBeVisible()
})

test('a signed-out person is redirected to the login; a suspended one can read but not write', async ({
  sit,
  server,
  market,
}) => {
  const { rosa, lesson, reader } = market
  const sam = await registerBuyer(server, 100, `lesson/buy/${lesson}`)
  const page = await sit(sam)
  const desk = await sit(rosa)
  const dialog = desk.getByRole('dialog')
  for (const [step, reason, done] of [
    [
      'Sign out everywhere',
      'Somebody else writes by this account',
      `${sam.username} is signed out everywhere.`,
    ],
    ['Suspend', 'Advertises in every comment', 'Suspended: can read, but not write'],
  ] as const) {
    await visit(desk, `/profile/${sam.id}`)
    await desk.getByRole('button', { name: `${step}: ${sam.username}` }).click()
    await dialog.getByLabel(/^Reason/).fill(reason)
    await dialog.getByRole('button', { name: step, exact: true }).click()
    await expect(desk.getByText(done)).toBeVisible()
    await expect(dialog).toHaveCount(0)
  }
  await page.goto(`/chat?receiver=${reader.username}`)
  await expect(page).toHaveURL(/\/login\?next=%2Fchat/)
  await logIn(page, sam)
  await expect(page.getByRole('main')).toContainText('you can read your messages')
  await expect(page.getByRole('textbox', { name: /^Message to/ })).toHaveCount(0)
  await visit(page, `/lesson/details/${lesson}`)
  const banner = page.getByRole('complementary', { name: 'Your account is suspended' })
  await expect(banner).toContainText('you can read and export, but not write')
  await expect(page.getByRole('button', { name: 'Play the video' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Post comment' })).toHaveCount(0)
  for (const path of ['/lesson/create', '/course/create', `/lesson/contact/${lesson}`]) {
    await page.goto(path)
    await expect(page.getByRole('main')).toContainText('you can read, but not write')
    await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0)
  }

  // An appeal is decided by another administrator.
  await banner.getByRole('link', { name: 'notifications' }).click()
  await page.getByRole('link', { name: 'Your account was suspended' }).click()
  await expect(page.getByRole('main')).toContainText('Advertises in every comment')
  await page.getByLabel(/^Why is this decision wrong/).fill('I only thanked people.')
  await page.getByRole('button', { name: 'Send the appeal' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Your appeal is sent' })).toBeVisible()
  const other = await sit(await registerAdministrator(server))
  await visit(other, '/admin/log')
  await other.getByRole('link', { name: /^Appeals \d/ }).click()
  await flag(other, 'I only thanked people.').getByRole('button', { name: 'Decline' }).click()
  const decision = other.getByRole('dialog')
  await decision.getByLabel('Your words to the person').fill('All of them are advertisements')
  await decision.getByRole('button', { name: 'Decline' }).click()
  await expect(other.getByText('No open appeals.')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Declined' })).toBeVisible()

  await visit(desk, '/admin/log')
  const line = rows(desk).filter({ hasText: 'Advertises in every comment' }).first()
  await expect(rows(desk).nth(2)).toContainText(`signed ${sam.username} out everywhere`)
  await desk.getByLabel('Words or a name').fill('advertises in EVERY')
  await desk.keyboard.press('Enter')
  await expect(rows(desk).filter({ hasText: 'out everywhere' })).toHaveCount(0)
  await line.getByRole('button', { name: /^Lift the suspension/ }).click()
  await dialog.getByLabel('Reason').fill('Promised to stop')
  await dialog.getByRole('button', { name: 'Lift the suspension' }).click()
  await expect(desk.getByText(`${sam.username} can write again.`)).toBeVisible()
  await page.goto(`/lesson/details/${lesson}`)
  await expect(banner).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Post comment' })).toBeVisible()
})
