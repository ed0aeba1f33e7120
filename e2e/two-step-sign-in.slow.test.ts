/** Tests that people are redirected to the setup where the site requires a second factor. */
import type { Browser, Page } from '@playwright/test'
import { expect, test, visit } from './fixtures.ts'
import { register, registerAdministrator, signIn } from './people.ts'
import { addFirstPasskey, codeOf, giveAuthenticator, setUp } from './second-factor.ts'
import { startServer } from './server.ts'

type Story = (
  page: Page,
  server: { readonly url: string; readonly dataDir: string },
) => Promise<void>

/** Runs a test on a separate server with these settings. */
const onServer =
  (settings: Readonly<Record<string, string>>, play: Story) =>
  async ({ browser }: { readonly browser: Browser }) => {
    const server = await startServer(settings)
    const page = await (await browser.newContext({ baseURL: server.url })).newPage()
    try {
      await play(page, server)
    } finally {
      await page.context().close()
      await server.stop()
    }
  }

test(
  'an administrator without a required second factor is redirected to the setup, and can then administer',
  onServer({ ADMIN_SECOND_FACTOR: '1' }, async (page, server) => {
    const person = await registerAdministrator(server)
    await signIn(page, server.url, person)
    await page.goto('/admin/log')
    await expect(
      page.getByText('Administrators here need two-step sign-in or a passkey.'),
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
  }),
)

test(
  'an administrator with a required second factor is warned before removing the last one',
  onServer({ ADMIN_SECOND_FACTOR: '1' }, async (page, server) => {
    const person = await registerAdministrator(server)
    await giveAuthenticator(page)
    await signIn(page, server.url, person)
    await addFirstPasskey(page, 'My key', person)
    await page.goto('/admin/log')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('need two-step sign-in')).toHaveCount(0)
    await visit(page, '/profile/update')
    await page.getByRole('button', { name: 'Remove My key' }).click()
    const asked = page.getByRole('dialog')
    await expect(asked.getByText('Administrators here need a second step')).toBeVisible()
  }),
)

test(
  'where everybody needs one, people are redirected to the setup and then continue',
  onServer({ SECOND_FACTOR: 'all' }, async (page, server) => {
    const person = await register(server.url)
    await visit(page, '/login?next=%2Flesson%2Fbought')
    await page.getByLabel('Username').fill(person.username)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const heading = page.getByRole('heading', { name: 'One more step' })
    await expect(heading).toBeVisible()
    // Every page redirects there, even one without calls to the server.
    await page.goto('/lesson/create')
    await expect(heading).toBeVisible()
    await page.goto('/lesson/bought')
    await expect(page).toHaveURL(/\/profile\/second-factor\?next=/)
    await page.getByRole('button', { name: 'Set up two-step sign-in' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password', { exact: true }).fill(person.password)
    await dialog.getByRole('button', { name: 'Next' }).click()
    const secret = await dialog.getByLabel('Key').inputValue()
    await dialog.getByLabel('Code', { exact: true }).fill(codeOf(secret))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await expect(dialog.getByRole('listitem')).toHaveCount(10)
    await page.getByRole('button', { name: 'I’ve saved them' }).click()
    await expect(page).toHaveURL(/\/lesson\/bought/)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.getByRole('button', { name: new RegExp(person.username) }).waitFor()
  }),
)
