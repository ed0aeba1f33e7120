/** Passkeys in Chromium, by its virtual authenticator: added, named, used to sign in and to confirm, removed. */
import type { BrowserContext, CDPSession, Page } from '@playwright/test'
import { ageSignIns } from './database.ts'
import { expect, test, visit } from './fixtures.ts'
import { grantAdministration, register, signIn, type NewPerson } from './people.ts'
import { startServer } from './server.ts'

/** Gives a page an authenticator like that of a phone; `verifies` false: PIN and finger fail. */
async function giveAuthenticator(page: Page, verifies = true) {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: verifies,
      automaticPresenceSimulation: true,
    },
  })
  return { client, authenticatorId }
}

/** Whether the authenticator answers, or lies in a pocket. */
const beThere = ({ client, authenticatorId }: Authenticator, enabled: boolean) =>
  client.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
type Authenticator = { readonly client: CDPSession; readonly authenticatorId: string }

const credentialsOf = async ({ client, authenticatorId }: Authenticator) =>
  (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials

/** Adds a passkey on the account page; `first`: with the password, and recovery codes come. */
async function add(page: Page, name: string, first?: NewPerson): Promise<void> {
  await visit(page, '/profile/update')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  if (first !== undefined) {
    await dialog.getByLabel('Password', { exact: true }).fill(first.password)
  }
  await dialog.getByRole('button', { name: 'Continue' }).click()
  if (first !== undefined) {
    await expect(page.getByRole('dialog', { name: 'Your recovery codes' })).toBeVisible()
    await page.getByRole('button', { name: 'I have stored them' }).click()
  }
  await expect(page.getByRole('listitem').filter({ hasText: name })).toBeVisible()
}

const leave = (context: BrowserContext) => context.clearCookies()
const isIn = (page: Page, person: NewPerson) =>
  page.getByRole('button', { name: `Account of ${person.username}` }).waitFor()

test('a passkey is added, signs in without a name, is renamed and removed', async ({
  page,
  context,
  server,
}) => {
  const person = await register(server.url)
  const authenticator = await giveAuthenticator(page)
  await signIn(page, server.url, person)
  await add(page, 'My phone', person)
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible()
  await expect(page.getByText('never used')).toBeVisible()

  // The same device has one of this account already.
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Once more')
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('This device has a passkey of your account already.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click()

  await leave(context)
  await beThere(authenticator, false)
  await visit(page, '/login')
  const button = page.getByRole('button', { name: 'Sign in with a passkey' })
  await expect(button).toBeVisible()
  // The password alone is too little now.
  await page.getByLabel('Username').fill(person.username)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('Please sign in with your passkey')).toBeVisible()
  await beThere(authenticator, true)
  await button.click()
  await isIn(page, person)

  await visit(page, '/profile/update')
  await expect(page.getByText('last used')).toBeVisible()
  await page.getByRole('button', { name: 'Rename My phone' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Blue phone')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('button', { name: 'Remove Blue phone' }).click()
  const asked = page.getByRole('dialog', { name: 'Remove the passkey “Blue phone”?' })
  await expect(asked.getByText('It is your last second step')).toBeVisible()
  const [removed] = await credentialsOf(authenticator)
  await asked.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('The passkey was removed.')).toBeVisible()
  await expect(page.getByText('Blue phone')).toHaveCount(0)
  // The device is told, and stops offering it.
  await expect.poll(() => credentialsOf(authenticator)).toEqual([])

  // A device that was not told offers it on, and the login tells it.
  if (removed === undefined) throw new Error('the authenticator had a passkey')
  const { authenticatorId } = authenticator
  await authenticator.client.send('WebAuthn.addCredential', {
    authenticatorId,
    credential: removed,
  })
  await leave(context)
  await beThere(authenticator, false)
  await visit(page, '/login')
  await beThere(authenticator, true)
  await button.click()
  await expect(page.getByText('We know no such passkey')).toBeVisible()
  await expect.poll(() => credentialsOf(authenticator)).toEqual([])
})

test('the device learns another name, and that an account is erased', async ({ page, server }) => {
  const person = await register(server.url)
  const authenticator = await giveAuthenticator(page)
  await signIn(page, server.url, person)
  await add(page, 'My phone', person)
  const username = `${person.username}x`
  await page.getByLabel('Username').fill(username)
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await isIn(page, { ...person, username })
  await expect
    .poll(async () => (await credentialsOf(authenticator)).map(({ userName }) => userName))
    .toEqual([username])

  await visit(page, '/profile/update')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await dialog.getByLabel('I know that my account').check()
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect.poll(() => credentialsOf(authenticator)).toEqual([])
})

test('the login offers passkeys where the name is entered', async ({ page, context, server }) => {
  const person = await register(server.url)
  await giveAuthenticator(page)
  await signIn(page, server.url, person)
  await add(page, 'My laptop', person)
  await leave(context)
  await visit(page, '/login?next=/points')
  // The virtual authenticator picks what a person would pick.
  await isIn(page, person)
  await expect(page).toHaveURL(`${server.url}/points`)
})

test('a passkey that is not unlocked is none, and the page says so', async ({ page, server }) => {
  const person = await register(server.url)
  await giveAuthenticator(page, false)
  await signIn(page, server.url, person)
  await visit(page, '/profile/update')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Locked')
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Your browser made or used no passkey')).toBeVisible()
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Locked' })).toHaveCount(0)
})

test('a passkey confirms that it is its person', async ({ page, server }) => {
  const person = await register(server.url)
  await giveAuthenticator(page)
  await signIn(page, server.url, person)
  await add(page, 'My phone', person)
  await ageSignIns(server.dataDir, person.id)
  await page.getByRole('button', { name: 'Remove My phone' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(confirm.getByRole('button', { name: 'Use a passkey' })).toBeVisible()
  await confirm.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText('The passkey was removed.')).toBeVisible()
})

test('an administrator who must have a second step is warned before the last one goes', async ({
  browser,
}) => {
  const server = await startServer({ ADMIN_SECOND_FACTOR: '1' })
  const page = await (await browser.newContext({ baseURL: server.url })).newPage()
  try {
    const person = await register(server.url)
    await grantAdministration(server.dataDir, person)
    await giveAuthenticator(page)
    await signIn(page, server.url, person)
    await add(page, 'My key', person)
    await page.goto('/admin/log')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('need two-step sign-in')).toHaveCount(0)
    await visit(page, '/profile/update')
    await page.getByRole('button', { name: 'Remove My key' }).click()
    const asked = page.getByRole('dialog')
    await expect(asked.getByText('Administrators of this site need a second step')).toBeVisible()
  } finally {
    await page.context().close()
    await server.stop()
  }
})
