/** Tests a browser whose settings block cookies. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { register } from './people.ts'

const WHOLE_CHROMIUM = process.env['WHOLE_CHROMIUM']

test('blocked cookies are explained, and the page works after the login', async ({
  playwright,
  launchOptions,
  server,
}, info) => {
  const person = await register(server.url)
  const profile = info.outputPath('profile')
  await mkdir(join(profile, 'Default'), { recursive: true })
  const blocks = { profile: { default_content_setting_values: { cookies: 2 } } }
  await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(blocks))
  const context = await playwright.chromium.launchPersistentContext(profile, {
    ...launchOptions,
    // Only the complete browser reads user preferences.
    ...(WHOLE_CHROMIUM === undefined ? {} : { executablePath: WHOLE_CHROMIUM }),
    locale: 'en-GB',
    baseURL: server.url,
  })
  const page = await context.newPage()
  await page.goto('/login')
  await expect(page.getByRole('alert')).toContainText('keeps no cookies for this site')
  await page.locator('input[name=username]').fill(person.username)
  await page.locator('input[name=password]').fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('You’re signed in only until you reload this page')).toBeVisible()
  // Locks are blocked too. Requesting them repeatedly used to freeze the page.
  await page.getByRole('contentinfo').getByRole('link', { name: 'Courses' }).click()
  await expect(page).toHaveURL('/course/all')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Courses')
  await context.close()
})
