import { expect, test as base, visit } from './fixtures.ts'
import { findings } from './axe.ts'
import { registerAdministrator, signIn } from './people.ts'
import { startServer, type Server } from './server.ts'

/** A server of its own, because the settings concern everybody. */
const test = base.extend<object, { readonly server: Server }>({
  server: [
    async ({}, use) => {
      const server = await startServer({ DAILY_REWARD_LIMIT: '12' })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
})

test('an administrator renames the site, closes its door, and invites a person', async ({
  page,
  server,
  browser,
}) => {
  await signIn(page, server.url, await registerAdministrator(server))
  await visit(page, '/admin/settings')
  expect(await findings(page)).toEqual([])
  await expect(page.getByLabel('Rewarded lessons a day')).toHaveAttribute('readonly', '')
  const colour = page.getByLabel('Colour', { exact: true })
  await page.getByLabel('Name', { exact: true }).fill('The Fair')
  await colour.fill('#7fd0b0')
  await colour.blur()
  await page.getByLabel('Who may register').selectOption({ label: 'People with an invitation' })
  await expect(page.getByText('too pale to read')).toBeVisible()
  await colour.fill('#7a1fa2')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveTitle('Settings · The Fair')

  await visit(page, '/admin/invitations')
  await page.getByRole('button', { name: 'Make a link' }).click()
  const link = await page.getByRole('dialog').getByLabel('Link').inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('0 of 1')).toBeVisible()
  expect(await findings(page)).toEqual([])

  const guest = await browser.newContext({ javaScriptEnabled: false })
  const other = await guest.newPage()
  await other.goto(`${server.url}/register`)
  await expect(other.getByText('only with an invitation')).toBeVisible()
  await other.goto(link)
  await expect(other.getByText('You’re invited')).toBeVisible()
  await expect(other.getByLabel('Username')).toBeVisible()
  await guest.close()

  await page.getByRole('link', { name: 'People they invited' }).click()
  await expect(page.getByText('Nobody matches these filters.')).toBeVisible()
  await page.getByRole('group', { name: 'Invited by' }).getByRole('link', { name: 'Any' }).click()
  await expect(page).toHaveURL(/\/admin\/people$/)
  await visit(page, '/admin/invitations')
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByRole('cell', { name: 'Withdrawn' })).toBeVisible()
})
