/** Where only administrators must have two-step sign-in, they are led to set it up. */
import { expect, test } from './fixtures.ts'
import { grantAdministration, register, signIn } from './people.ts'
import { setUp } from './second-factor.ts'
import { startServer } from './server.ts'

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
