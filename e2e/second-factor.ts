import type { CDPSession, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { expect, visit } from './fixtures.ts'
import type { NewPerson } from './people.ts'

/**
 * Returns the code of the half minute that is `later` ahead. Each code works once, and the server accepts one
 * ahead of time. Tests use the current and then the next one, because both stay valid if the half minute ends
 * before they are sent.
 */
export const codeOf = (secret: string, later = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + later * 30_000,
  })

/** Sets up an app on the account page. Returns the key and the recovery codes. */
export async function setUp(page: Page, password: string) {
  await visit(page, '/profile/update')
  await page.getByRole('button', { name: 'Set up two-step sign-in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Next' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code' })).toBeVisible()
  const secret = await dialog.getByLabel('Key').inputValue()
  await dialog.getByLabel('Code', { exact: true }).fill('12 34')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByText('This code is wrong')).toBeVisible()
  await dialog.getByLabel('Code', { exact: true }).fill(codeOf(secret))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('dialog', { name: 'Your recovery codes' })).toBeVisible()
  const codes = await page.getByRole('dialog').getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible()
  return { secret, codes }
}

export interface Authenticator {
  readonly client: CDPSession
  readonly authenticatorId: string
}

/** Gives a page a virtual authenticator like that of a phone. */
export async function giveAuthenticator(page: Page): Promise<Authenticator> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { client, authenticatorId }
}

/** Adds a passkey on the account page. The person's first one requires their password. */
export async function askForPasskey(page: Page, name: string, first?: NewPerson): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  if (first !== undefined) await dialog.getByLabel('Password', { exact: true }).fill(first.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
}

/** Adds a person's first passkey, which comes with recovery codes. */
export async function addFirstPasskey(page: Page, name: string, person: NewPerson): Promise<void> {
  await visit(page, '/profile/update')
  await askForPasskey(page, name, person)
  await expect(page.getByRole('dialog', { name: 'Your recovery codes' })).toBeVisible()
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: name })).toBeVisible()
}
