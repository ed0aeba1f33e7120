/** Tests password resets and changes of address: the mails and the pages of their links. */
import type { Page } from '@playwright/test'
import type { OwnProfile } from '#contract/profiles.ts'
import { expect, visit } from './fixtures.ts'
import { join, linkTo, newAddress, test, title } from './mail.ts'
import { call, logIn, type Registered, signIn } from './people.ts'

/** Sets a new password on the page of a mailed link. */
async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Set the password' }).click()
}

async function changeAddress(page: Page, person: Registered, email: string): Promise<void> {
  await visit(page, '/profile/update')
  await page.getByLabel('E-mail', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('A link to confirm the new e-mail')).toBeVisible()
  await expect(page).toHaveURL(/\/profile\/[\w-]{36}$/)
}

test('a forgotten password is reset with a mailed link, which signs out every browser', async ({
  page,
  sit,
  server,
  smtp,
}) => {
  const person = await join(server)
  const there = await sit(person)
  await there.goto('/points')
  await expect(there).toHaveURL(/\/points$/)

  // People who enter their address at the login need not enter it again.
  await page.goto('/login')
  await page.getByLabel('Username').fill(person.email)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page.getByLabel('E-mail')).toHaveValue(person.email)
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await expect(title(page)).toHaveText('Check your e-mail')
  await expect(title(page)).toBeFocused()
  await expect(page.getByRole('main')).toContainText(`If ${person.email} belongs to an account`)
  await page.getByRole('link', { name: 'Try another address' }).click()
  await expect(page.getByLabel('E-mail')).toHaveValue(person.email)

  const link = await linkTo(smtp, person.email, 'password/reset')
  const opened = await page.goto(link)
  expect(opened?.headers()['referrer-policy']).toBe('no-referrer')
  const password = page.getByLabel('New password', { exact: true })
  await expect(password).toHaveAccessibleDescription(/At least 8 characters/)
  await setPassword(page, 'password123')
  await expect(page.getByText('This password is one of the most common.')).toBeVisible()
  await password.fill('another secret 2')
  await page.getByRole('button', { name: 'Show the password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  // The toast disappears after 2.5 seconds, so it is awaited in parallel.
  await Promise.all([
    expect(page.getByText('Your password is changed. Please sign in with it.')).toBeVisible(),
    expect(page).toHaveURL(/\/login$/),
    page.getByRole('button', { name: 'Set the password' }).click(),
  ])
  await there.goto('/points')
  await expect(there).toHaveURL(/\/login/)
  await there.goto(link)
  await setPassword(there, 'a third secret')
  await expect(there.getByRole('alert')).toContainText('This link no longer works')
  await there.getByRole('link', { name: 'Ask for a new link' }).click()
  await expect(there).toHaveURL(/\/password\/forgot$/)

  // It also signs out the browser that sets it, and the whole form works with the keyboard.
  await logIn(page, { ...person, password: 'another secret 2' })
  await page.goto('/password/forgot')
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('E-mail').press('Enter')
  await expect(title(page)).toBeFocused()
  await expect.poll(() => linkTo(smtp, person.email, 'password/reset')).not.toBe(link)
  await page.goto(await linkTo(smtp, person.email, 'password/reset'))
  await password.fill('a fourth secret')
  await password.press('Enter')
  await expect(page).toHaveURL(/\/login$/)
  expect(await page.evaluate(() => localStorage.getItem('auth'))).toBeNull()
})

test('a changed address must be confirmed, and can be reverted', async ({
  page,
  sit,
  server,
  smtp,
}) => {
  const person = await join(server)
  const confirm = (tab: Page) => tab.getByRole('button', { name: 'Confirm' })
  await signIn(page, server.url, person)
  await visit(page, await linkTo(smtp, person.email, 'email/confirm'))
  await confirm(page).click()
  await expect(title(page)).toHaveText('Your e-mail is confirmed')
  const thief = await sit(person)
  const email = newAddress()
  await changeAddress(thief, person, email)
  const field = thief.getByLabel('E-mail', { exact: true })
  await thief.goto('/profile/update')
  await expect(field).toHaveAccessibleDescription(
    new RegExp(`Until then we write to ${person.email}`),
  )
  const first = await linkTo(smtp, email, 'email/confirm')
  await thief.getByRole('button', { name: 'Send the link again' }).click()
  await expect(thief.getByText(`We’re sending a link to ${email}.`)).toBeVisible()
  await expect.poll(() => linkTo(smtp, email, 'email/confirm')).not.toBe(first)
  const link = await linkTo(smtp, email, 'email/confirm')

  // Opening the link changes nothing, because mail scanners open links too.
  await visit(thief, link)
  const path = `/identity/profile/${person.id}`
  expect(await call<OwnProfile>(server.url, person, 'GET', path)).toMatchObject({
    emailConfirmed: false,
  })
  await confirm(thief).press('Enter')
  await expect(title(thief)).toHaveText('Your e-mail is confirmed')
  await expect(title(thief)).toBeFocused()
  await thief.getByRole('main').getByRole('link', { name: 'Go to your account' }).click()
  await expect(field).toHaveAccessibleDescription(/For password resets/)
  await expect(thief.getByRole('button', { name: 'Send the link again' })).toHaveCount(0)
  await thief.goto(link)
  await confirm(thief).click()
  await expect(title(thief)).toHaveText('This link no longer works')

  await page.goto(await linkTo(smtp, person.email, 'email/undo'))
  await page.getByRole('button', { name: 'Undo the change' }).click()
  await expect(title(page)).toHaveText('Your e-mail is back')
  // Both browsers are signed out.
  await expect(
    page.getByRole('banner').getByRole('link', { name: 'Sign in', exact: true }),
  ).toBeVisible()
  await thief.goto('/points')
  await expect(thief).toHaveURL(/\/login/)
  // Their owner gets a link to set another password.
  await linkTo(smtp, person.email, 'password/reset')
})
