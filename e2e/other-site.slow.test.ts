/**
 * Tests sign-in with OpenID Connect: a new account, an existing account, unlinking, and a site without passwords.
 */
import type { Browser, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import type { MessageValues } from '#contract/message.ts'
import { LOCALES, type MessageKey } from '#contract/messages/messages.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { startProvider, type TestProvider } from '#server/testing/sign-in/provider.ts'
import { openSmtp, readMail, type TestSmtp } from '#server/testing/mail/smtp.ts'
import { expect, test, visit } from './fixtures.ts'
import { newPerson, register, signIn, type Registered } from './people.ts'
import { startServer, type Server } from './server.ts'

interface Scene {
  readonly page: Page
  readonly server: Server
  readonly provider: TestProvider
}

async function at(
  browser: Browser,
  act: (scene: Scene) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  const provider = await startProvider()
  const server = await startServer({ ...provider.settings, ...settings })
  const page = await (await browser.newContext({ baseURL: server.url })).newPage()
  try {
    await act({ page, server, provider })
  } finally {
    await page.context().close()
    await server.stop()
    await provider.close()
  }
}

const HOUSE = 'Example House'

/** Opens the link mailed after registration, and confirms. */
async function confirmAddress(page: Page, smtp: TestSmtp, email: string): Promise<void> {
  const links = () =>
    smtp.mails
      .filter(({ to }) => to[0] === email)
      .map(({ raw }) => readMail(raw).parts['text/plain'] ?? '')
      .flatMap((text) => /\/email\/confirm\?token=\S+/.exec(text)?.[0] ?? [])
  await expect.poll(() => links().length).toBeGreaterThan(0)
  await visit(page, links()[0] ?? '')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your e-mail is confirmed')
}

/** As in two-step-sign-in.test.ts: the first code is of this half minute, the second of the next one. */
const codeOf = (secret: string, later = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + later * 30_000,
  })

/** Sets up an authenticator app and returns its key. */
async function setUpCodes(url: string, { accessToken, password }: Registered): Promise<string> {
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${url}/api/identity/factors/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { secret: string }
  }
  const { secret } = await post('totp', { password })
  await post('totp/confirm', { code: codeOf(secret) })
  return secret
}

test('a new person signs in with a provider, chooses a name, and signs in again', async ({
  browser,
}) => {
  await at(browser, async ({ page, server, provider }) => {
    const { username, email } = newPerson()
    provider.person = { sub: 'n1', email, email_verified: true, preferred_username: username }
    await visit(page, '/login?next=/points')
    const link = page.getByRole('link', { name: 'Sign in with Example House' })
    await link.click()
    await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible()
    await expect(page.getByLabel('Username')).toHaveValue(username)
    const policy = page.getByText('By registering you agree to the').getByRole('link')
    await expect(policy).toHaveAttribute('href', '/privacy-policy')
    await page.getByRole('button', { name: 'Register' }).click()
    await expect(page).toHaveURL(`${server.url}/points`)
    await visit(page, '/profile/update')
    await expect(page.getByRole('heading', { name: 'Sign in with another site' })).toBeVisible()
    await expect(page.getByText(email, { exact: false }).first()).toBeVisible()
    // The last way to sign in can't be removed.
    await page.getByRole('button', { name: 'Remove Example House' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('Then you couldn’t sign in any more')).toBeVisible()
    await page.context().clearCookies()
    await visit(page, '/login?lang=bg')
    await page.getByRole('link', { name: 'Влизане с Example House' }).click()
    await page.getByRole('button', { name: username }).waitFor()
  })
})

test('an existing account with that address is linked after its password and second factor', async ({
  browser,
}) => {
  const smtp = await openSmtp()
  const settings = { SMTP_URL: smtp.url, MAIL_FROM: 'hello@bazaar.test' }
  await at(
    browser,
    async ({ page, server, provider }) => {
      for (const locale of LOCALES) {
        const say = (key: MessageKey, values?: MessageValues) => translate(locale, key, values)
        const email = newPerson().email.replace(/example$/, 'test')
        const person = await register(server.url, { email })
        await confirmAddress(page, smtp, email)
        provider.person = { sub: `j${locale}`, email, email_verified: true }
        const isIn = () =>
          page
            .getByRole('button', { name: say('navAccountOf', { username: person.username }) })
            .waitFor()
        const submit = page.getByRole('button', { name: say('loginSubmit') })
        const arrive = async (title: string) => {
          await visit(page, `/login?lang=${locale}`)
          await page.getByRole('link', { name: say('oidcSignIn', { provider: HOUSE }) }).click()
          await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
          await page.setViewportSize({ width: 320, height: 700 })
          const width = await page.evaluate(() => document.documentElement.scrollWidth)
          expect(width).toBeLessThanOrEqual(320)
          await page.setViewportSize({ width: 1280, height: 720 })
        }
        await arrive(say('oidcJoinTitle'))
        const password = page.getByLabel(say('passwordLabel'), { exact: true })
        await password.fill('a guess of somebody')
        await submit.click()
        await expect(page.getByText(say('passwordWrong'))).toBeVisible()
        await password.fill(person.password)
        await submit.click()
        await isIn()

        const secret = await setUpCodes(server.url, person)
        await page.context().clearCookies()
        await arrive(say('oidcCodeTitle'))
        await expect(password).toHaveCount(0)
        const code = page.getByLabel(say('codeLabel'), { exact: true })
        await code.fill('000000')
        await submit.click()
        await expect(page.getByText(say('codeWrong'))).toBeVisible()
        await code.fill(codeOf(secret, 1))
        await submit.click()
        await isIn()
        await page.context().clearCookies()
      }
    },
    settings,
  ).finally(() => smtp.close())
})

test('a provider is added and removed, and failures are explained', async ({ browser }) => {
  await at(browser, async ({ page, server, provider }) => {
    const link = page.getByRole('link', { name: 'Sign in with Example House' })
    provider.misdeed = 'denies'
    await visit(page, '/login')
    await link.click()
    await expect(page.getByText('The other site didn’t let you in')).toBeVisible()
    provider.misdeed = 'wrongNonce'
    await link.click()
    await expect(page.getByText('We couldn’t verify the other site’s answer')).toBeVisible()
    provider.misdeed = 'none'
    const person = await register(server.url)
    await signIn(page, server.url, person)
    provider.person = { sub: 'd1', email: 'another@people.example', email_verified: true }
    await visit(page, '/profile/update')
    await page.getByRole('button', { name: 'Add Example House' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add Example House' })
    await dialog.getByLabel('Password', { exact: true }).fill(person.password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('another@people.example')).toBeVisible()
    await page.getByRole('button', { name: 'Remove Example House' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('another@people.example')).toHaveCount(0)
  })
})

test('without passwords the login and the registration only offer providers', async ({
  browser,
}) => {
  await at(
    browser,
    async ({ page }) => {
      await visit(page, '/login')
      await expect(page.getByRole('link', { name: 'Sign in with Example House' })).toBeVisible()
      await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0)
      await visit(page, '/register?lang=bg')
      await expect(page.getByRole('link', { name: 'Влизане с Example House' })).toBeVisible()
      await expect(page.locator('input[type=password]')).toHaveCount(0)
    },
    { PASSWORD_LOGIN: '0' },
  )
})
