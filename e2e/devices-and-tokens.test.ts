/** Tests the pages of sign-ins and access tokens. */
import type { Page } from '@playwright/test'
import { expect, intercept, test, visit } from './fixtures.ts'
import { register, signIn } from './people.ts'

const WINDOWS_FIREFOX =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0'

const statusOf = async (url: string, bearer: string) => {
  const headers = { authorization: `Bearer ${bearer}` }
  return (await fetch(`${url}/api/identity/points`, { headers })).status
}

/** Presses Tab until the element with this name has focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = page.locator(':focus')
  for (let n = 0; n < 60; n += 1) {
    await page.keyboard.press('Tab')
    const label = (await focused.getAttribute('aria-label')) ?? (await focused.textContent())
    if (label?.trim() === name) return
  }
  throw new Error(`no way by Tab to ${name}`)
}

test('a token is created, copied, used by a program and revoked, with the keyboard', async ({
  page,
  server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const person = await register(server.url)
  await signIn(page, server.url, person)
  await visit(page, '/profile/update')
  await page.getByRole('link', { name: 'See your access tokens' }).click()
  await expect(page).toHaveURL(`${server.url}/profile/tokens`)
  await expect(page.getByText('No access tokens yet')).toBeVisible()

  await tabTo(page, 'Make an access token')
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Make an access token' })
  await form.getByLabel('Name').fill('backup at home')
  await expect(form.getByRole('button', { name: 'Make the token' })).toBeDisabled()
  await expect(form.getByLabel(/^admin/)).toHaveCount(0)
  await form.getByLabel(/^chat/).focus()
  await page.keyboard.press('Space')
  await form.getByLabel('Works for').selectOption('1 year')
  await form.getByLabel('Password', { exact: true }).fill('not my password')
  await page.keyboard.press('Enter')
  await expect(form.getByText('The password is wrong.')).toBeVisible()
  await form.getByLabel('Password', { exact: true }).fill(person.password)
  // A network error is shown, and the next press creates the token.
  await intercept(page, '**/api/identity/tokens', (route) => route.abort(), { times: 1 })
  await page.keyboard.press('Enter')
  await expect(form.getByRole('alert')).toBeVisible()
  await form.getByRole('button', { name: 'Make the token' }).press('Enter')

  const shown = page.getByRole('dialog', { name: 'Your access token' })
  const token = await shown.getByLabel('Access token').inputValue()
  expect(token).toMatch(/^kbp_\w{36}$/)
  await shown.getByRole('button', { name: 'Copy' }).press('Enter')
  await expect(shown.getByRole('status')).toContainText('Copied.')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
  await shown.getByRole('button', { name: 'I’ve saved it' }).press('Enter')

  const line = page.getByRole('listitem').filter({ hasText: 'backup at home' })
  await expect(line).toContainText('read, chat')
  await expect(line).toContainText('Never used')
  expect(await statusOf(server.url, token)).toBe(200)
  await visit(page, '/profile/tokens')
  await expect(line).toContainText('Last used')
  await expect(page.getByText(token)).toHaveCount(0)

  await line.getByRole('button', { name: 'Revoke backup at home' }).press('Enter')
  const ask = page.getByRole('dialog', { name: 'Revoke “backup at home”?' })
  await ask.getByRole('button', { name: 'Not now' }).press('Enter')
  await expect(line).toBeVisible()
  await line.getByRole('button', { name: 'Revoke backup at home' }).press('Enter')
  await ask.getByRole('button', { name: 'Revoke', exact: true }).press('Enter')
  await expect(page.getByText('No access tokens yet')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  expect(await statusOf(server.url, token)).toBe(401)
})

test('one device is signed out and must log in again, and then all others are', async ({
  page,
  sit,
  server,
}) => {
  const person = await register(server.url)
  await signIn(page, server.url, person)
  const windows = await sit(person, { userAgent: WINDOWS_FIREFOX })
  await visit(windows, '/profile/tokens')
  const program = await sit(person, { userAgent: 'curl/8.14.1' })
  await visit(page, '/profile/update')
  await page.getByRole('link', { name: 'See your devices' }).click()
  const list = page.getByRole('list', { name: 'Sessions and devices' })
  await expect(list.getByRole('listitem')).toHaveCount(4)
  await expect(list.getByRole('listitem').first()).toContainText('This device')

  const foreign = list.getByRole('button', { name: 'Sign out Firefox on Windows' })
  await foreign.press('Enter')
  const ask = page.getByRole('dialog', { name: 'Sign out Firefox on Windows?' })
  await ask.getByRole('button', { name: 'Sign out' }).press('Enter')
  await expect(page.getByText('Firefox on Windows is signed out.')).toBeVisible()
  await expect(foreign).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await windows.goto('/profile/tokens')
  await expect(windows).toHaveURL('/login?next=%2Fprofile%2Ftokens')
  await program.goto('/points')
  await expect(program).toHaveURL('/points')

  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  const all = page.getByRole('dialog', { name: 'Sign out everywhere else?' })
  await all.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByText('You’re signed in only on this device.')).toBeVisible()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await program.goto('/points')
  await expect(program).toHaveURL(/\/login/)
})
