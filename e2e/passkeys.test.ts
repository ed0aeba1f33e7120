/** Tests passkeys with Chromium's virtual authenticator: adding, naming, signing in, confirming and removing. */
import type { Page } from '@playwright/test'
import { ageSignIns } from './database.ts'
import { expect, test, visit } from './fixtures.ts'
import { register, signIn, type NewPerson } from './people.ts'
import {
  addFirstPasskey,
  askForPasskey,
  type Authenticator,
  giveAuthenticator,
} from './second-factor.ts'

const credentialsOf = async ({ client, authenticatorId }: Authenticator) =>
  (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials

const isIn = (page: Page, person: NewPerson) =>
  page.getByRole('button', { name: `Account of ${person.username}` }).waitFor()

test('a passkey is added, signs in without a name, is renamed and removed', async ({
  page,
  context,
  server,
}) => {
  const person = await register(server.url)
  // The name field offers none here, because the simulated person would answer that request too.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
  })
  const authenticator = await giveAuthenticator(page)
  const { client, authenticatorId } = authenticator
  await signIn(page, server.url, person)
  await visit(page, '/profile/update')
  // A passkey without user verification is refused with an explanation.
  await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await askForPasskey(page, 'Locked', person)
  await expect(page.getByText('Your browser made or used no passkey')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Locked' })).toHaveCount(0)
  await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await addFirstPasskey(page, 'My phone', person)
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible()
  await expect(page.getByText('never used')).toBeVisible()
  // The device already has a passkey of this account.
  await askForPasskey(page, 'Once more')
  await expect(page.getByText('This device already has a passkey for your account.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click()

  await context.clearCookies()
  await visit(page, '/login')
  const button = page.getByRole('button', { name: 'Sign in with a passkey' })
  await expect(button).toBeVisible()
  // The password alone is no longer enough.
  await page.getByLabel('Username').fill(person.username)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('Please sign in with your passkey')).toBeVisible()
  await button.click()
  await isIn(page, person)

  await visit(page, '/profile/update')
  await expect(page.getByText('last used')).toBeVisible()
  await page.getByRole('button', { name: 'Rename My phone' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Blue phone')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('button', { name: 'Remove Blue phone' }).click()
  const asked = page.getByRole('dialog', { name: 'Remove the passkey “Blue phone”?' })
  await expect(asked.getByText('It’s your last second step')).toBeVisible()
  const [removed] = await credentialsOf(authenticator)
  await asked.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Passkey removed.')).toBeVisible()
  await expect(page.getByText('Blue phone')).toHaveCount(0)
  // The browser is notified and stops offering the passkey.
  await expect.poll(() => credentialsOf(authenticator)).toEqual([])

  // A device that was not notified still offers it, and the login page notifies it.
  if (removed === undefined) throw new Error('the authenticator had a passkey')
  await client.send('WebAuthn.addCredential', { authenticatorId, credential: removed })
  await context.clearCookies()
  await visit(page, '/login')
  await button.click()
  await expect(page.getByText('We don’t know this passkey')).toBeVisible()
  await expect.poll(() => credentialsOf(authenticator)).toEqual([])
})

test('the login offers passkeys at the name field; one confirms an action, learns a new name, and is removed with its account', async ({
  page,
  context,
  server,
}) => {
  const person = await register(server.url)
  const authenticator = await giveAuthenticator(page)
  await signIn(page, server.url, person)
  await addFirstPasskey(page, 'My phone', person)
  await context.clearCookies()
  await visit(page, '/login?next=/profile/update')
  // The virtual authenticator selects the passkey itself.
  await isIn(page, person)
  await expect(page).toHaveURL(`${server.url}/profile/update`)

  const username = `${person.username}x`.slice(-20)
  await page.getByLabel('Username').fill(username)
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await isIn(page, { ...person, username })
  const names = async () => (await credentialsOf(authenticator)).map(({ userName }) => userName)
  await expect.poll(names).toEqual([username])

  await visit(page, '/profile/update')
  await ageSignIns(server.dataDir, person.id)
  await page.getByRole('button', { name: 'Remove My phone' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  await confirm.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText('Passkey removed.')).toBeVisible()

  await addFirstPasskey(page, 'Another', person)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await dialog.getByLabel('I know that my account').check()
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect.poll(() => credentialsOf(authenticator)).toEqual([])
})
