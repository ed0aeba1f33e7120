/**
 * Tests sign-in with OpenID Connect: a new account, an existing account, unlinking, and a site without passwords.
 */
import type { Browser, Page } from '@playwright/test'
import type { MessageKey } from '#contract/messages/messages.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { startProvider, type TestProvider } from '#server/testing/sign-in/provider.ts'
import { openSmtp } from '#server/testing/mail/smtp.ts'
import { expect, overflowOf, test, visit } from './fixtures.ts'
import { join, linkTo, title } from './mail.ts'
import { call, newPerson, register, signIn, type Registered } from './people.ts'
import { codeOf } from './second-factor.ts'
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

/** Sets up an authenticator app and returns its key. */
async function setUpCodes(url: string, person: Registered): Promise<string> {
  const path = '/identity/factors/totp'
  const { password } = person
  const { secret } = await call<{ secret: string }>(url, person, 'POST', path, { password })
  await call(url, person, 'POST', `${path}/confirm`, { code: codeOf(secret) })
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
  const act = async ({ page, server, provider }: Scene) => {
    const person = await join(server)
    await visit(page, await linkTo(smtp, person.email, 'email/confirm'))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(title(page)).toHaveText('Your e-mail is confirmed')
    provider.person = { sub: 'j1', email: person.email, email_verified: true }
    const isIn = () => page.getByRole('button', { name: `Account of ${person.username}` }).waitFor()
    const submit = page.getByRole('button', { name: 'Sign in', exact: true })
    const arrive = async (key: MessageKey) => {
      await visit(page, '/login')
      await page.getByRole('link', { name: `Sign in with ${HOUSE}` }).click()
      await expect(title(page)).toHaveText(translate('en', key))
      await page.setViewportSize({ width: 320, height: 700 })
      expect(await overflowOf(page)).toBe(0)
      await page.setViewportSize({ width: 1280, height: 720 })
    }
    await arrive('oidcJoinTitle')
    const password = page.getByLabel('Password', { exact: true })
    await password.fill('a guess of somebody')
    await submit.click()
    await expect(page.getByText(translate('en', 'passwordWrong'))).toBeVisible()
    await password.fill(person.password)
    await submit.click()
    await isIn()

    const secret = await setUpCodes(server.url, person)
    await page.context().clearCookies()
    await arrive('oidcCodeTitle')
    await expect(password).toHaveCount(0)
    const code = page.getByLabel('Code', { exact: true })
    await code.fill('000000')
    await submit.click()
    await expect(page.getByText('This code is wrong')).toBeVisible()
    await code.fill(codeOf(secret, 1))
    await submit.click()
    await isIn()
  }
  await at(browser, act, settings).finally(() => smtp.close())
})

test('a provider is added and removed, and failures are explained', async ({ browser }) => {
  await at(browser, async ({ page, server, provider }) => {
    const link = page.getByRole('link', { name: 'Sign in with Example House' })
    provider.misdeed = 'denies'
    await visit(page, '/login')
    await link.click()
    await expect(page.getByText('The other site didn’t let you in')).toBeVisible()
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
