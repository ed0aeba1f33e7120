/** A forgotten password, and a new e-mail: what is mailed, and where its links lead. */
import type { Page } from '@playwright/test'
import type { OwnProfile } from '#contract/profiles.ts'
import { openSmtp, readMail, type TestSmtp } from '#server/testing/mail/smtp.ts'
import { expect, test as base, visit } from './fixtures.ts'
import { logIn, newPerson, register, signIn, type Registered } from './people.ts'
import { startServer, type Server } from './server.ts'

/** The product with a mail server beside it. */
const test = base.extend<object, { smtp: TestSmtp; server: Server }>({
  smtp: [
    async ({}, use) => {
      const smtp = await openSmtp()
      await use(smtp)
      await smtp.close()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ smtp }, use) => {
      const server = await startServer({ SMTP_URL: smtp.url, MAIL_FROM: 'hello@bazaar.test' })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
})

/** Addresses at which mails arrive, unlike those of .example. */
const newAddress = () => newPerson().email.replace(/example$/, 'test')
const join = (url: string) => register(url, { email: newAddress() })

/** The path of the newest link of this kind that was mailed to an address. */
async function linkTo(smtp: TestSmtp, address: string, kind: string): Promise<string> {
  const links = () =>
    smtp.mails
      .filter(({ to }) => to[0] === address)
      .map(({ raw }) => readMail(raw).parts['text/plain'] ?? '')
      .flatMap((text) => new RegExp(`/${kind}\\?token=\\S+`).exec(text)?.[0] ?? [])
  await expect.poll(() => links().length).toBeGreaterThan(0)
  return links().at(-1) ?? ''
}

async function ownProfile(url: string, { id, accessToken }: Registered): Promise<OwnProfile> {
  const headers = { authorization: `Bearer ${accessToken}` }
  const response = await fetch(`${url}/api/identity/profile/${id}`, { headers })
  return (await response.json()) as OwnProfile
}

async function ask(page: Page, email: string): Promise<void> {
  await page.goto('/password/forgot')
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Mail me a link' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Look into your mailbox')
}

async function changeAddress(page: Page, person: Registered, email: string): Promise<void> {
  await visit(page, '/profile/update')
  await page.getByLabel('E-mail', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('A link to confirm the new e-mail')).toBeVisible()
  await expect(page).toHaveURL(/\/profile\/[\w-]{36}$/)
}

test('a forgotten password is replaced through a mailed link', async ({
  page,
  browser,
  server,
  smtp,
}) => {
  const person = await join(server.url)
  const elsewhere = await browser.newContext({ baseURL: server.url })
  await elsewhere.addCookies([person.cookie])
  const there = await elsewhere.newPage()
  await there.goto('/points')
  await expect(there).toHaveURL(/\/points$/)

  // Who types the address instead of the name need not type it twice.
  await page.goto('/login')
  await page.getByLabel('Username').fill(person.email)
  await page.getByRole('link', { name: 'Forgotten password?' }).click()
  await expect(page.getByLabel('E-mail')).toHaveValue(person.email)
  await page.getByRole('button', { name: 'Mail me a link' }).click()
  const title = page.getByRole('heading', { level: 1 })
  await expect(title).toHaveText('Look into your mailbox')
  await expect(title).toBeFocused()
  await expect(page.getByRole('main')).toContainText(`If ${person.email} belongs to an account`)

  const link = await linkTo(smtp, person.email, 'password/reset')
  const opened = await page.goto(link)
  expect(opened?.headers()['referrer-policy']).toBe('no-referrer')
  const password = page.getByLabel('New password', { exact: true })
  await expect(password).toHaveAccessibleDescription(/At least 8 characters/)
  await password.fill('short')
  await password.blur()
  await expect(page.getByText('The password must have at least 8 characters')).toBeVisible()
  await password.fill('password123')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page.getByText('This password is one of the commonest.')).toBeVisible()
  await password.fill('another secret 2')
  await page.getByRole('button', { name: 'Show the password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  // The line passes in 2.5 seconds, so it is looked for while the page is on its way.
  await Promise.all([
    expect(page.getByText('Your password is changed. Please log in with it.')).toBeVisible(),
    expect(page).toHaveURL(/\/login$/),
    page.getByRole('button', { name: 'Set the password' }).click(),
  ])
  await logIn(page, { ...person, password: 'another secret 2' })

  await there.goto('/points')
  await expect(there).toHaveURL(/\/login/)
  await there.goto(link)
  await there.getByLabel('New password', { exact: true }).fill('a third secret')
  await there.getByRole('button', { name: 'Set the password' }).click()
  await expect(there.getByRole('alert')).toContainText('This link does not work any more')
  await there.getByRole('link', { name: 'Ask for a new link' }).click()
  await expect(there).toHaveURL(/\/password\/forgot$/)
  await elsewhere.close()
})

test('a new password signs this browser out too', async ({ page, server, smtp }) => {
  const person = await join(server.url)
  await page.goto('/login')
  await logIn(page, person)
  await ask(page, person.email)
  await page.goto(await linkTo(smtp, person.email, 'password/reset'))
  await page.getByLabel('New password', { exact: true }).fill('another secret 2')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect(await page.evaluate(() => localStorage.getItem('auth'))).toBeNull()
})

test('an unknown address is told the same', async ({ page, server, smtp }) => {
  const known = await join(server.url)
  const unknown = newAddress()
  const said = async (email: string) => {
    await ask(page, email)
    return (await page.getByRole('main').innerText()).replace(email, '…')
  }
  expect(await said(unknown)).toBe(await said(known.email))
  await linkTo(smtp, known.email, 'password/reset')
  expect(smtp.mails.flatMap(({ to }) => to)).not.toContain(unknown)
})

test('a changed address waits to be confirmed', async ({ page, server, smtp }) => {
  const person = await join(server.url)
  await signIn(page, server.url, person)
  const email = newAddress()
  await changeAddress(page, person, email)
  await page.goto('/profile/update')
  const field = page.getByLabel('E-mail', { exact: true })
  await expect(field).toHaveAccessibleDescription(
    new RegExp(`Until then mails go to ${person.email}`),
  )
  const first = await linkTo(smtp, email, 'email/confirm')
  await page.getByRole('button', { name: 'Send the link again' }).click()
  await expect(page.getByText(`A link for ${email} is among our outgoing mail.`)).toBeVisible()
  await expect.poll(() => linkTo(smtp, email, 'email/confirm')).not.toBe(first)
  const link = await linkTo(smtp, email, 'email/confirm')

  // Opening it changes nothing: whatever looks through mails opens links too.
  await page.goto(link)
  expect(await ownProfile(server.url, person)).toMatchObject({ emailConfirmed: false })
  await page.getByRole('button', { name: 'Confirm' }).click()
  const title = page.getByRole('heading', { level: 1 })
  await expect(title).toHaveText('Your e-mail is confirmed')
  await expect(title).toBeFocused()
  await page.getByRole('main').getByRole('link', { name: 'To your account' }).click()
  await expect(field).toHaveAccessibleDescription(/For password resets/)
  await expect(page.getByRole('button', { name: 'Send the link again' })).toHaveCount(0)

  await page.goto(link)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(title).toHaveText('This link does not work any more')
})

test('a change of the address is taken back', async ({ page, browser, server, smtp }) => {
  const person = await join(server.url)
  const thief = await (await browser.newContext({ baseURL: server.url })).newPage()
  await signIn(thief, server.url, person)
  await changeAddress(thief, person, newAddress())

  await signIn(page, server.url, person)
  await page.goto(await linkTo(smtp, person.email, 'email/undo'))
  await page.getByRole('button', { name: 'Take it back' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your e-mail is back')
  // Signed out, here and there.
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  await thief.goto('/points')
  await expect(thief).toHaveURL(/\/login/)
  await page.goto(await linkTo(smtp, person.email, 'password/reset'))
  await page.getByLabel('New password', { exact: true }).fill('another secret 2')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await logIn(page, { ...person, password: 'another secret 2' })
  await page.goto('/profile/update')
  await expect(page.getByLabel('E-mail', { exact: true })).toHaveValue(person.email)
  await thief.context().close()
})

test('the keyboard alone gets a new password', async ({ page, server, smtp }) => {
  const person = await join(server.url)
  // What is typed before the script has come is not taken along to the next page.
  await visit(page, '/login')
  await page.getByLabel('Username').focus()
  await page.keyboard.type(person.email)
  const forgotten = page.getByRole('link', { name: 'Forgotten password?' })
  for (let step = 0; step < 6; step += 1) {
    await page.keyboard.press('Tab')
    if (await forgotten.evaluate((link) => link === document.activeElement)) break
  }
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('E-mail')).toHaveValue(person.email)
  await page.getByLabel('E-mail').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.goto(await linkTo(smtp, person.email, 'password/reset'))
  await page.getByLabel('New password', { exact: true }).focus()
  await page.keyboard.type('another secret 2')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login$/)
  await page.goto(await linkTo(smtp, person.email, 'email/confirm'))
  const confirm = page.getByRole('button', { name: 'Confirm' })
  await expect(confirm).toBeEnabled()
  await confirm.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('notices are turned off, and all of it speaks Bulgarian', async ({ page, server, smtp }) => {
  const person = await join(server.url)
  await page.goto('/login?lang=bg')
  await page.getByLabel('Потребителско име').fill(person.username)
  await page.getByLabel('Парола', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Вход' }).click()
  await page.getByRole('button', { name: person.username }).waitFor()
  await page.goto('/profile/update')
  await expect(page.getByText('Още не е потвърден')).toBeVisible()
  const tick = page.getByLabel(/Пишете ми по имейл/)
  await expect(tick).toBeChecked()
  await tick.uncheck()
  await page.getByRole('button', { name: 'Обновяване' }).click()
  await expect(page).toHaveURL(/\/profile\/[\w-]{36}$/)
  await page.goto('/profile/update')
  await expect(tick).not.toBeChecked()
  await page.goto(await linkTo(smtp, person.email, 'email/confirm'))
  await page.getByRole('button', { name: 'Потвърждаване' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Имейлът Ви е потвърден')
})
