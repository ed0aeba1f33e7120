/** A second step after the password: set up, asked for, replaced by a recovery code, confirmed, turned off. */
import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { ageSignIns } from './database.ts'
import { expect, test, visit } from './fixtures.ts'
import { grantAdministration, register, signIn } from './people.ts'
import { startServer } from './server.ts'

/**
 * The code of the half minute that begins so many later: each is good once, and one ahead is taken. The first one is of
 * this half minute and the second one of the next: either is good on when the half minute ends before it is sent.
 */
const codeOf = (secret: string, later = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + later * 30_000,
  })

/** Sets it up on the account page. Answers the key and the recovery codes. */
async function setUp(page: Page, password: string) {
  await visit(page, '/profile/update')
  await page.getByRole('button', { name: 'Set up two-step sign-in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Next' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code' })).toBeVisible()
  const secret = await dialog.getByLabel('Key').inputValue()
  await dialog.getByLabel('Code', { exact: true }).fill('12 34')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByText('This code is not right')).toBeVisible()
  await dialog.getByLabel('Code', { exact: true }).fill(codeOf(secret))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('dialog', { name: 'Your recovery codes' })).toBeVisible()
  const codes = await page.getByRole('dialog').getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible()
  return { secret, codes }
}

test('the login asks for a code, and takes each code once', async ({ page, server, browser }) => {
  const person = await register(server.url)
  await signIn(page, server.url, person)
  const { secret, codes } = await setUp(page, person.password)

  const elsewhere = await (await browser.newContext({ baseURL: server.url })).newPage()
  await visit(elsewhere, '/login')
  await elsewhere.getByLabel('Username').fill(person.username)
  await elsewhere.getByLabel('Password', { exact: true }).fill(person.password)
  await elsewhere.getByRole('button', { name: 'Log in' }).click()
  const code = elsewhere.getByLabel('Code', { exact: true })
  await expect(code).toBeFocused()
  await code.fill('000000')
  await elsewhere.getByRole('button', { name: 'Log in' }).click()
  await expect(elsewhere.getByText('This code is not right')).toBeVisible()
  await code.fill(codeOf(secret, 1))
  await elsewhere.getByRole('button', { name: 'Log in' }).click()
  await elsewhere.getByRole('button', { name: `Account of ${person.username}` }).waitFor()
  await elsewhere.context().close()

  // Without the phone: a recovery code, from a page without script.
  const plain = await (
    await browser.newContext({ baseURL: server.url, javaScriptEnabled: false })
  ).newPage()
  await plain.goto('/login')
  const fill = async () => {
    await plain.getByLabel('Username').fill(person.username)
    await plain.getByLabel('Password', { exact: true }).fill(person.password)
  }
  await fill()
  await plain.getByRole('button', { name: 'Log in' }).click()
  await expect(plain.getByText('Please enter the code of your authenticator app.')).toBeVisible()
  await fill()
  await plain.getByLabel('Code', { exact: true }).fill(codes[0] ?? '')
  await plain.getByRole('button', { name: 'Log in' }).click()
  await expect(plain).toHaveURL(`${server.url}/`)
  await plain.context().close()
})

test('it goes after a confirmation, which is asked 15 minutes after the sign-in', async ({
  page,
  server,
}) => {
  const person = await register(server.url)
  await signIn(page, server.url, person)
  const { secret } = await setUp(page, person.password)
  await ageSignIns(server.dataDir, person.id)
  await page.getByRole('button', { name: 'Turn off' }).click()
  const asked = page.getByRole('dialog', { name: 'Turn two-step sign-in off?' })
  await asked.getByRole('button', { name: 'Turn off' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(confirm).toBeVisible()
  await confirm.getByLabel('Password', { exact: true }).fill(person.password)
  await confirm.getByLabel('Code', { exact: true }).fill('000000')
  await confirm.getByRole('button', { name: 'Confirm and go on' }).click()
  await expect(confirm.getByText('This code is not right')).toBeVisible()
  await confirm.getByLabel('Code', { exact: true }).fill(codeOf(secret, 1))
  await confirm.getByRole('button', { name: 'Confirm and go on' }).click()
  await expect(page.getByText('Two-step sign-in is off.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Set up two-step sign-in' })).toBeVisible()
})

test('an administrator who must have it is led there, and then administers', async ({
  browser,
}) => {
  const server = await startServer({ ADMIN_SECOND_FACTOR: '1' })
  const page = await (await browser.newContext({ baseURL: server.url })).newPage()
  try {
    const person = await register(server.url)
    await grantAdministration(server.dataDir, person)
    await signIn(page, server.url, person)
    await page.goto('/admin/log')
    await expect(
      page.getByText('Administrators of this site need two-step sign-in or a passkey.'),
    ).toBeVisible()
    await page.getByRole('link', { name: 'Set up two-step sign-in' }).click()
    await expect(page).toHaveURL(`${server.url}/profile/update#second-factor`)
    const alert = page.getByRole('alert').filter({ hasText: 'need two-step sign-in' })
    await expect(alert).toBeVisible()
    await setUp(page, person.password)
    await expect(alert).toBeHidden()
    await page.goto('/admin/log')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('need two-step sign-in')).toHaveCount(0)
  } finally {
    await page.context().close()
    await server.stop()
  }
})

const WORDS = {
  en: { title: 'One more step', open: 'Set up two-step sign-in' },
  bg: { title: 'Още една стъпка', open: 'Настройване на две стъпки' },
} as const

for (const lang of ['en', 'bg'] as const)
  test(`where everybody must have it, one is led there and then goes on (${lang})`, async ({
    browser,
  }) => {
    const server = await startServer({ SECOND_FACTOR: 'all' })
    const page = await (await browser.newContext({ baseURL: server.url })).newPage()
    const { title, open } = WORDS[lang]
    try {
      const person = await register(server.url)
      await visit(page, '/login?next=%2Flesson%2Fbought')
      await page.getByLabel('Username').fill(person.username)
      await page.getByLabel('Password', { exact: true }).fill(person.password)
      await page.getByRole('button', { name: 'Log in' }).click()
      await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
      // Every page leads there, also one that asks the server for nothing.
      await page.goto(`/lesson/create?lang=${lang}`)
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
      await page.goto(`/lesson/bought?lang=${lang}`)
      await expect(page).toHaveURL(/\/profile\/second-factor\?next=/)
      await page.getByRole('button', { name: open }).click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('input[type="password"]').fill(person.password)
      await dialog.locator('[type="submit"]').or(dialog.locator('.main')).first().click()
      const secret = await dialog.locator('input[readonly]:not([type="hidden"])').inputValue()
      await dialog.locator('input[autocomplete="one-time-code"]').fill(codeOf(secret))
      await dialog.locator('[type="submit"]').or(dialog.locator('.main')).first().click()
      await expect(dialog.getByRole('listitem')).toHaveCount(10)
      await page
        .getByRole('button', { name: lang === 'en' ? 'I have stored them' : 'Запазих ги' })
        .click()
      await expect(page).toHaveURL(/\/lesson\/bought/)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.getByRole('button', { name: new RegExp(person.username) }).waitFor()
    } finally {
      await page.context().close()
      await server.stop()
    }
  })
