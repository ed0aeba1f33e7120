/** What is pressed while its script, or the page that it leads to, is still on the way is done: at once, or then. */
import type { Page } from '@playwright/test'
import { awake, expect, holdBack, test, writePicture } from './fixtures.ts'
import { fillRegistration, type NewPerson, newPerson, publish, register } from './people.ts'

const WIDE = { width: 1440, height: 900 }

test('an arrow of a row that is pressed before the page lives turns it then', async ({
  page,
  server,
}) => {
  const author = await register(server.url)
  for (let lessons = 0; lessons < 5; lessons += 1) await publish(server.url, author)
  await page.setViewportSize(WIDE)
  const wake = await holdBack(page, '**/*.js')
  await page.goto('/', { waitUntil: 'commit' })
  const row = page.getByRole('region', { name: 'Most watched lessons' })
  await row.getByRole('button', { name: 'Next' }).click()
  await expect(row.getByText('1 of 2', { exact: true })).toBeVisible()
  wake()
  await expect(row.getByText('2 of 2', { exact: true })).toBeVisible()
  await expect(row.getByRole('article').last()).toBeInViewport()
})

test('a filter that is pressed before the page lives is a link', async ({ page, server }) => {
  await publish(server.url, await register(server.url))
  await page.setViewportSize(WIDE)
  await holdBack(page, '**/*.js')
  await page.goto('/lesson/all', { waitUntil: 'commit' })
  const likes = page
    .getByRole('group', { name: 'Sort' })
    .getByRole('link', { name: 'Likes', exact: true })
  await likes.click()
  await expect(page).toHaveURL(/sort=likes/)
  await expect(likes).toHaveAttribute('aria-current', 'true')
})

test('a link that is pressed before the table of pages is there leads on once it is', async ({
  page,
}) => {
  const release = await holdBack(page, '**/routes-*.js')
  await page.goto('/about')
  await awake(page)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()
  await expect(page).toHaveURL('/about')
  release()
  await expect(page).toHaveURL('/privacy-policy')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Privacy')
})

test('where the table of pages cannot be had, the frame stays and offers another try', async ({
  page,
}) => {
  await page.route('**/routes-*.js', (route) => route.abort())
  await page.goto('/about')
  await awake(page)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()
  await expect(page.getByRole('main').getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await page.unroute('**/routes-*.js')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Privacy')
})

test('a login that is sent before its rules are there waits for them', async ({ page, server }) => {
  const person = await register(server.url)
  const release = await holdBack(page, '**/LoginRules-*.js')
  await page.goto('/login')
  await awake(page)
  const document = await page.locator('html').elementHandle()
  await page.getByLabel('Username', { exact: true }).fill(person.username)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await expect(page.getByRole('button', { name: 'Log in' })).toHaveAttribute('aria-busy', 'true')
  release()
  await expect(page.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
  expect(await document?.evaluate((shown) => shown.isConnected)).toBe(true)
})

test('a login whose rules cannot be had is judged by the server', async ({ page, server }) => {
  const person = await register(server.url)
  await page.route('**/LoginRules-*.js', (route) => route.abort())
  await page.goto('/login')
  await awake(page)
  const name = page.getByLabel('Username', { exact: true })
  const password = page.getByLabel('Password', { exact: true })
  await name.fill(person.username)
  await password.fill('another one')
  await password.press('Enter')
  await expect(page.getByRole('alert')).toContainText('The username or the password')
  // It takes the focus when the page lives.
  await awake(page)
  await expect(name).toHaveValue(person.username)
  await password.fill(person.password)
  await password.press('Enter')
  await expect(page.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
})

test('a field keeps its text and its caret when the rules come, and they know the text', async ({
  page,
}) => {
  const release = await holdBack(page, '**/LoginRules-*.js')
  await page.goto('/login')
  await awake(page)
  const name = page.getByLabel('Username', { exact: true })
  const field = await name.elementHandle()
  const reason = page.getByText('Still missing')
  await expect(reason).toContainText('Username')
  // A field that is left empty is judged, once there is who judges.
  await page.getByLabel('Password', { exact: true }).focus()
  await name.pressSequentially('peko')
  for (let step = 0; step < 2; step += 1) await name.press('ArrowLeft')
  const error = page.locator('.field .error')
  await expect(error).toHaveCount(0)
  release()
  await expect(error).toHaveText('Please enter a password.')
  await expect(reason).toContainText('Password')
  await expect(reason).not.toContainText('Username')
  await name.press('n')
  await expect(name).toHaveValue('penko')
  await expect(name).toBeFocused()
  expect(await field?.evaluate((shown) => shown.isConnected)).toBe(true)
})

test('what is filled in and chosen before the rules of registering are there is judged by them', async ({
  page,
}, info) => {
  const release = await holdBack(page, '**/RegisterRules-*.js')
  await page.goto('/register')
  await awake(page)
  const person = newPerson()
  const name = page.getByLabel(/^Username/)
  await name.fill('a')
  await page.getByLabel(/^E-mail/).fill(person.email)
  await page.getByLabel(/^Password/).fill(person.password)
  const submit = page.getByRole('button', { name: 'Register' })
  await expect(submit).toHaveAccessibleDescription(
    'Still missing: Repeat the password and Profile picture.',
  )
  await page.getByLabel(/^Repeat the password/).fill('not the same')
  await page.getByLabel(/^E-mail/).focus()
  const chooser = page.locator('input[type=file]')
  await chooser.setInputFiles(await writePicture(info.outputDir, 'face.gif'))
  const errors = page.locator('.field .error')
  await expect(errors).toHaveText(['The allowed extensions are jpeg, jpg and png.'])
  await chooser.setInputFiles(await writePicture(info.outputDir))
  await expect(page.getByRole('img', { name: 'Your picture' })).toBeVisible()
  await expect(errors).toHaveCount(0)
  await expect(submit).toBeEnabled()
  release()
  await expect(errors).toHaveText([/between 2 and 20 characters/, /aren't the same/])
  await expect(submit).toBeDisabled()
  await fillRegistration(page, person)
  await expect(errors).toHaveCount(0)
  await submit.click()
  await expect(page.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
})

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

for (const [path, rules, fill, submit, next] of [
  [
    '/register',
    'RegisterRules',
    fillRegistration,
    'Register',
    (page: Page, { username }: NewPerson) =>
      page.getByRole('button', { name: `Account of ${username}` }),
  ],
  [
    '/password/forgot',
    'ForgotRules',
    (page: Page, { email }: NewPerson) => page.getByLabel('E-mail').fill(email),
    'Mail me a link',
    (page: Page) => heading(page, 'Look into your mailbox'),
  ],
  [
    '/password/reset?token=none',
    'ResetRules',
    (page: Page, { password }: NewPerson) =>
      page.getByLabel('New password', { exact: true }).fill(password),
    'Set the password',
    (page: Page) => heading(page, 'This link does not work any more'),
  ],
] as const) {
  test(`where the rules cannot be had, what was filled in stays and may be sent again: ${path}`, async ({
    page,
  }, info) => {
    const address = `**/${rules}-*.js`
    await page.route(address, (route) => route.abort())
    await page.goto(path)
    await awake(page)
    const person = newPerson()
    await fill(page, person)
    const chooser = page.locator('input[type=file]')
    if ((await chooser.count()) > 0) await chooser.setInputFiles(await writePicture(info.outputDir))
    const fields = page.locator('form .field input:not([type=file])')
    const typed = await Promise.all((await fields.all()).map((field) => field.inputValue()))
    await page.getByRole('button', { name: submit }).click()
    const alert = page.getByRole('main').getByRole('alert')
    await expect(alert).toContainText("can't be reached")
    await expect(alert).toBeFocused()
    for (const [place, text] of typed.entries()) await expect(fields.nth(place)).toHaveValue(text)
    await page.unroute(address)
    await page.getByRole('button', { name: submit }).click()
    await expect(next(page, person)).toBeVisible()
  })
}

test('an address that is sent before its rules are there waits for them', async ({ page }) => {
  const release = await holdBack(page, '**/ForgotRules-*.js')
  await page.goto('/password/forgot')
  await awake(page)
  await expect(page.getByRole('button', { name: 'Mail me a link' })).toBeDisabled()
  await page.getByLabel('E-mail').fill('nobody@people.example')
  await page.getByLabel('E-mail').press('Enter')
  await expect(page.getByRole('button', { name: 'Mail me a link' })).toHaveAttribute(
    'aria-busy',
    'true',
  )
  release()
  await expect(heading(page, 'Look into your mailbox')).toBeFocused()
  // And back to what was typed.
  await page.getByRole('main').getByRole('button').click()
  await expect(page.getByLabel('E-mail')).toHaveValue('nobody@people.example')
  await expect(page.getByRole('button', { name: 'Mail me a link' })).toBeEnabled()
})
