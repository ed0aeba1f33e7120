/** Signing in by another site (OpenID Connect): a newcomer, one more way in, its removal, and without passwords. */
import type { Browser, Page } from '@playwright/test'
import { startProvider, type TestProvider } from '#server/testing/sign-in/provider.ts'
import { findings } from './axe.ts'
import { expect, test, visit } from './fixtures.ts'
import { newPerson, register, signIn } from './people.ts'
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

test('a newcomer comes by another site, chooses a name, and comes again', async ({ browser }) => {
  await at(browser, async ({ page, server, provider }) => {
    const { username, email } = newPerson()
    provider.person = { sub: 'n1', email, email_verified: true, preferred_username: username }
    await visit(page, '/login?next=/points')
    const link = page.getByRole('link', { name: 'Sign in with Example House' })
    expect(await findings(page)).toEqual([])
    await link.click()
    await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible()
    await expect(page.getByLabel('Username')).toHaveValue(username)
    const policy = page.getByText('By registering you agree to the').getByRole('link')
    await expect(policy).toHaveAttribute('href', '/privacy-policy')
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Register' }).click()
    await expect(page).toHaveURL(`${server.url}/points`)
    await visit(page, '/profile/update')
    await expect(page.getByRole('heading', { name: 'Sign in by another site' })).toBeVisible()
    await expect(page.getByText(email, { exact: false }).first()).toBeVisible()
    expect(await findings(page)).toEqual([])
    // The last way in stays.
    await page.getByRole('button', { name: 'Remove Example House' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('Nothing else would let you in')).toBeVisible()
    await page.context().clearCookies()
    await visit(page, '/login?lang=bg')
    await page.getByRole('link', { name: 'Влизане с Example House' }).click()
    await page.getByRole('button', { name: username }).waitFor()
  })
})

test('another site is added and removed, and one that fails is said', async ({ browser }) => {
  await at(browser, async ({ page, server, provider }) => {
    const link = page.getByRole('link', { name: 'Sign in with Example House' })
    provider.misdeed = 'denies'
    await visit(page, '/login')
    await link.click()
    await expect(page.getByText('The other site did not let you in')).toBeVisible()
    expect(await findings(page)).toEqual([])
    provider.misdeed = 'wrongNonce'
    await link.click()
    await expect(page.getByText('What the other site answered did not hold')).toBeVisible()
    provider.misdeed = 'none'
    const person = await register(server.url)
    await signIn(page, server.url, person)
    provider.person = { sub: 'd1', email: 'another@people.example', email_verified: true }
    await visit(page, '/profile/update')
    await page.getByRole('button', { name: 'Add Example House' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add Example House' })
    await dialog.getByLabel('Password', { exact: true }).fill(person.password)
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('another@people.example')).toBeVisible()
    await page.getByRole('button', { name: 'Remove Example House' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('another@people.example')).toHaveCount(0)
  })
})

test('without passwords the login and the registration offer other sites alone', async ({
  browser,
}) => {
  await at(
    browser,
    async ({ page }) => {
      await visit(page, '/login')
      await expect(page.getByRole('link', { name: 'Sign in with Example House' })).toBeVisible()
      await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0)
      expect(await findings(page)).toEqual([])
      await visit(page, '/register?lang=bg')
      await expect(page.getByRole('link', { name: 'Влизане с Example House' })).toBeVisible()
      await expect(page.locator('input[type=password]')).toHaveCount(0)
      expect(await findings(page)).toEqual([])
    },
    { PASSWORD_LOGIN: '0' },
  )
})
