/** Tests second factors: setup, sign-in, recovery codes, confirmation and turning off. */
import { ageSignIns } from './database.ts'
import { expect, test, visit } from './fixtures.ts'
import { register, signIn } from './people.ts'
import { codeOf, setUp } from './second-factor.ts'

test('the login asks for a code, and turning it off requires a confirmation 15 minutes after the sign-in', async ({
  page,
  sit,
  server,
}) => {
  const person = await register(server.url)
  await signIn(page, server.url, person)
  const { secret, codes } = await setUp(page, person.password)

  const elsewhere = await sit(null)
  await visit(elsewhere, '/login')
  await elsewhere.getByLabel('Username').fill(person.username)
  await elsewhere.getByLabel('Password', { exact: true }).fill(person.password)
  await elsewhere.getByRole('button', { name: 'Sign in', exact: true }).click()
  const code = elsewhere.getByLabel('Code', { exact: true })
  await expect(code).toBeFocused()
  await code.fill('000000')
  await elsewhere.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(elsewhere.getByText('This code is wrong')).toBeVisible()
  await code.fill(codeOf(secret, 1))
  await elsewhere.getByRole('button', { name: 'Sign in', exact: true }).click()
  await elsewhere.getByRole('button', { name: `Account of ${person.username}` }).waitFor()

  // Without the phone, a recovery code works, even without JavaScript.
  const plain = await sit(null, { javaScriptEnabled: false })
  await plain.goto('/login')
  const fill = async () => {
    await plain.getByLabel('Username').fill(person.username)
    await plain.getByLabel('Password', { exact: true }).fill(person.password)
  }
  await fill()
  await plain.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(plain.getByText('Please enter the code from your authenticator app.')).toBeVisible()
  await fill()
  await plain.getByLabel('Code', { exact: true }).fill(codes[0] ?? '')
  await plain.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(plain).toHaveURL(`${server.url}/`)

  // Turning it off requires a confirmation 15 minutes after the sign-in.
  await ageSignIns(server.dataDir, person.id)
  await page.getByRole('button', { name: 'Turn off' }).click()
  const asked = page.getByRole('dialog', { name: 'Turn off two-step sign-in?' })
  await asked.getByRole('button', { name: 'Turn off' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  await expect(confirm).toBeVisible()
  await confirm.getByLabel('Password', { exact: true }).fill(person.password)
  await confirm.getByLabel('Code', { exact: true }).fill('000000')
  await confirm.getByRole('button', { name: 'Confirm and continue' }).click()
  await expect(confirm.getByText('This code is wrong')).toBeVisible()
  await confirm.getByLabel('Code', { exact: true }).fill(codes[1] ?? '')
  await confirm.getByRole('button', { name: 'Confirm and continue' }).click()
  await expect(page.getByText('Two-step sign-in is off.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Set up two-step sign-in' })).toBeVisible()
})
