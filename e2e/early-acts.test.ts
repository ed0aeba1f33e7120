/** Clicks and input before hydration must take effect exactly once afterwards. */
import type { Page } from '@playwright/test'
import { givePoints } from './database.ts'
import { awake, expect, followRequests, holdBack, test } from './fixtures.ts'
import { publish, register, type Registered, signIn } from './people.ts'

const isAsleep = (page: Page) => page.evaluate(() => 'earlyPress' in window)

/** Opens a page whose scripts are held back. Returns a function that releases them and waits for hydration. */
async function openAsleep(page: Page, address: string): Promise<() => Promise<void>> {
  const scripts = '**/*.js'
  const release = await holdBack(page, scripts)
  await page.goto(address, { waitUntil: 'commit' })
  return async () => {
    expect(await isAsleep(page)).toBe(true)
    release()
    await awake(page)
    await page.unroute(scripts)
  }
}

test('early clicks take effect once, and the last one wins', async ({ page, server }) => {
  const author = await register(server.url)
  const lesson = await publish(server.url, author)
  const person = await register(server.url)
  await givePoints(server.dataDir, person.id, 100)
  await signIn(page, server.url, person)
  const likes: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/lesson/like/')) likes.push(request.method())
  })
  let wake = await openAsleep(page, `/lesson/details/${lesson}`)
  const like = page.getByRole('button', { name: 'Like', exact: true })
  await like.click()
  await like.click()
  expect(likes).toEqual([])
  await wake()
  await expect(page.getByRole('button', { name: 'Liked' })).toBeDisabled()
  await expect(page.getByRole('main').getByText('1 like').first()).toBeVisible()
  expect(likes).toHaveLength(1)

  for (const [address, button, says] of [
    [`/profile/${author.id}`, `Block ${author.username}`, 'here or by e-mail'],
    [`/lesson/details/${lesson}`, 'Unlock for 100', 'Unlock for 100'],
  ] as const) {
    wake = await openAsleep(page, address)
    await page.getByRole('main').getByRole('button', { name: button, exact: true }).click()
    await wake()
    await expect(page.getByRole('dialog')).toContainText(says)
  }

  // A menu that was opened without JavaScript stays open.
  wake = await openAsleep(page, `/profile/${author.id}`)
  const menu = page.getByRole('navigation', { name: `Account of ${person.username}` })
  await page.getByRole('button', { name: `Account of ${person.username}` }).click()
  await expect(menu).toBeVisible()
  await wake()
  await expect(menu).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('early input stays, the form uses it, and typing can continue', async ({ page, server }) => {
  const author = await register(server.url)
  await signIn(page, server.url, author)
  let wake = await openAsleep(page, '/lesson/create')
  const title = page.locator('input[name=title]')
  await page.locator('input[name=description]').fill('How to tie it and when to trust it')
  await title.fill('A knot holds')
  for (let left = 0; left < 'holds'.length; left += 1) await page.keyboard.press('ArrowLeft')
  await wake()
  await page.keyboard.type('that ')
  await expect(title).toHaveValue('A knot that holds')
  await expect(title).toBeFocused()
  const reason = page.getByText('Still missing').last()
  await expect(reason).toContainText('Video')
  await expect(reason).not.toContainText('Title')
  await expect(reason).not.toContainText('Description')

  // A field that was emptied stays empty when the form is rendered again.
  const lesson = await publish(server.url, author)
  wake = await openAsleep(page, `/lesson/edit/${lesson}`)
  await expect(title).not.toHaveValue('')
  await title.fill('')
  await wake()
  await expect(reason).toContainText('Title')
  await expect(title).toHaveValue('')
})

test('a selection, a caret, an emptied field and a checkbox do not change', async ({
  page,
  server,
}) => {
  const person = await register(server.url)
  await signIn(page, server.url, person)
  const named = (name: string) => page.locator(`input[name=${name}]`)
  const field = named('username')
  let wake = await openAsleep(page, '/profile/update')
  await named('email').selectText()
  await wake()
  await page.keyboard.type('another')
  await expect(named('email')).toHaveValue('another')

  wake = await openAsleep(page, '/profile/update')
  await field.fill('ab')
  await page.keyboard.press('ArrowLeft')
  await wake()
  await page.keyboard.type('-')
  await expect(field).toHaveValue('a-b')

  wake = await openAsleep(page, '/profile/update')
  await expect(named('hideEmail')).not.toBeChecked()
  await expect(named('notices')).toBeChecked()
  await field.fill('')
  await named('hideEmail').check()
  await named('notices').uncheck()
  await wake()
  await expect(page.getByText('Still missing').first()).toContainText('Username')
  await expect(field).toHaveValue('')
  await expect(named('hideEmail')).toBeChecked()
  await expect(named('notices')).not.toBeChecked()
})

test('a form that needs the script is submitted after it loads, with the early input', async ({
  page,
  server,
}) => {
  const author = await register(server.url)
  const lesson = await publish(server.url, author)
  await signIn(page, server.url, author)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(`/api/comment/create/${lesson}`)) sent.push(request.method())
  })
  let wake = await openAsleep(page, `/lesson/details/${lesson}`)
  const comments = page.getByRole('region', { name: /^Comments/ })
  await comments.getByRole('textbox', { name: 'Your comment' }).fill('Words before the script')
  // The button looks disabled, because only the script knows that something was typed. Uses the keyboard, because
  // a click could miss the button if style sheets load in between.
  await comments.locator('button[type=submit]').first().press('Enter')
  await wake()
  await expect(comments.getByRole('article')).toContainText('Words before the script')
  await expect(page).toHaveURL(`/lesson/details/${lesson}`)
  expect(sent).toHaveLength(1)

  wake = await openAsleep(page, '/profile/update')
  const name = page.locator('input[name=username]')
  await name.fill(`${author.username}-too`)
  await name.press('Enter')
  await wake()
  await expect(
    page.getByRole('button', { name: `Account of ${author.username}-too` }),
  ).toBeVisible()
})

/** Sends a wrong password from a login page before hydration. */
async function beRefused(page: Page, { username }: Registered): Promise<void> {
  await page.locator('input[name=username]').fill(username)
  await page.locator('input[name=password]').fill('another one')
  await page.locator('input[name=password]').press('Enter')
  await expect(page.getByRole('alert')).toBeVisible()
}

test('a refused login focuses its error after hydration, unless somebody is typing', async ({
  page,
  server,
}) => {
  const person = await register(server.url)
  let wake = await openAsleep(page, '/login')
  await beRefused(page, person)
  await wake()
  await expect(page.getByRole('alert')).toBeFocused()

  wake = await openAsleep(page, '/login')
  await beRefused(page, person)
  const password = page.locator('input[name=password]')
  await password.fill(person.password.slice(0, -1))
  const settled = followRequests(page)
  await wake()
  await expect(password).toBeFocused()
  // The validation rules load when the form gets focus, and must not move the focus.
  await settled()
  await expect(password).toBeFocused()
  await page.keyboard.type(person.password.slice(-1))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
})
