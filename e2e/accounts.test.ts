import { readFile } from 'node:fs/promises'
import { expect, test, visit, writePicture } from './fixtures.ts'
import { fillRegistration, logIn, newPerson, register, signIn } from './people.ts'

test('a visitor tries each kind of picture, and registers with the generated one', async ({
  page,
  context,
}, info) => {
  const person = newPerson()
  await visit(page, '/register?next=%2Fpoints')
  const submit = page.getByRole('button', { name: 'Register' })
  await expect(submit).toBeDisabled()
  await submit.press('Enter')
  await expect(page.getByText('Still missing: Username, E-mail, Password')).toBeVisible()
  await fillRegistration(page, person)
  await expect(page.getByText('Still missing')).toHaveCount(0)
  const drawn = page.getByText('You get a rosette like this one')
  await expect(drawn).toBeVisible()

  const consent = page.getByText('By registering you agree to the privacy policy.', { exact: true })
  const opened = context.waitForEvent('page')
  await consent.getByRole('link').click()
  const policy = await opened
  await expect(policy.getByRole('heading', { level: 1 })).toHaveText('Privacy policy')
  await policy.close()
  await expect(page.getByLabel(/^Username/)).toHaveValue(person.username)

  const files = page.locator('input[type=file]')
  const picture = await writePicture(info.outputDir)
  const preview = page.getByRole('img', { name: 'Your picture' })
  await files.setInputFiles(picture)
  await expect(preview).toBeVisible()
  expect((await preview.boundingBox())?.height).toBe(300)
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(preview).toBeHidden()
  await expect(drawn).toBeVisible()
  await expect(page.getByRole('button', { name: 'Choose a picture' })).toBeFocused()
  const field = page.getByRole('group', { name: 'Profile picture' })
  const base64 = (await readFile(picture)).toString('base64')
  for (const way of ['paste', 'drop']) {
    await field.evaluate(
      (place, [how, bytes]) => {
        const data = new DataTransfer()
        const content = Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0))
        data.items.add(new File([content], 'pasted.jpg', { type: 'image/jpeg' }))
        const event =
          how === 'paste'
            ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
            : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
        place.dispatchEvent(event)
      },
      [way, base64] as const,
    )
    await expect(preview).toBeVisible()
    await page.getByRole('button', { name: 'Remove' }).click()
    await expect(preview).toBeHidden()
  }
  await submit.click()
  await expect(page).toHaveURL(/\/points$/)
  await expect(page.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
  await expect(page.getByRole('banner').locator('img[src^="/art/avatar/"]')).not.toHaveCount(0)
})

test('a registration is refused at its fields', async ({ page, server }, info) => {
  const taken = await register(server.url)
  await visit(page, '/register?lang=en')
  const field = (name: string) => page.getByLabel(new RegExp(`^${name}`))
  const submit = page.getByRole('button', { name: 'Register' })
  // An incomplete field is not an error while it is being filled in.
  await field('Username').pressSequentially('a')
  await expect(page.locator('main form [data-reason]')).toHaveText(
    'Still missing: E-mail, Password and Repeat the password.',
  )
  // A field is validated on blur, whatever else is empty.
  for (const [name, value, says] of [
    ['Username', 'a', 'between 2 and 20 characters. 1 character: add 1 more.'],
    ['Password', '1234567', 'The password needs at least 8 characters'],
    ['Repeat the password', '12345678', "Password and RePassword aren't the same."],
  ] as const) {
    await field(name).fill(value)
    await expect(field(name)).not.toHaveAttribute('aria-invalid', 'true')
    await field(name).blur()
    await expect(field(name)).toHaveAttribute('aria-invalid', 'true')
    await expect(field(name)).toHaveAccessibleDescription(new RegExp(says))
  }
  await expect(submit).toBeDisabled()

  // Errors disappear while a person corrects them.
  await field('Username').fill(taken.username.toUpperCase())
  await field('E-mail').fill(`${Date.now()}@people.example`)
  await field('Password').fill('12345678')
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(0)

  const files = page.locator('input[type=file]')
  const lie = { name: 'lie.png', mimeType: 'image/png', buffer: Buffer.from('words') }
  const unreadable = page.getByText('We can’t read this file as a picture.')
  await files.setInputFiles(lie)
  await expect(unreadable).toBeVisible()
  await expect(page.getByRole('img', { name: 'Your picture' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Use a drawn rosette instead' }).click()
  await expect(unreadable).toHaveCount(0)
  await files.setInputFiles(await writePicture(info.outputDir))

  // An error from the server appears at its field, and no input is lost.
  await submit.click()
  const says = 'This username is taken, or looks like one that is.'
  await expect(field('Username')).toHaveAccessibleDescription(new RegExp(says))
  await expect(field('Username')).toBeFocused()
  await expect(page.getByRole('alert')).toContainText(says)
  await expect(field('Username')).toHaveValue(taken.username.toUpperCase())
  await expect(field('Password')).toHaveAccessibleDescription(/one of the most common/)
  const { username, password } = newPerson()
  await field('Username').fill(username)
  await field('Password').fill(password)
  await field('Repeat the password').fill(password)
  await submit.click()
  // The language of the URL is preserved.
  await expect(page).toHaveURL(`${server.url}/?lang=en`)
})

test('the login works by keyboard, says a refusal, and shows the password while it is typed', async ({
  page,
  server,
}) => {
  const person = await register(server.url)
  // A URL of another site is ignored.
  await visit(page, `/login?next=${encodeURIComponent('/\\evil.example')}`)
  const password = page.getByLabel('Password', { exact: true })
  await page.getByLabel('Username').focus()
  await page.keyboard.type(person.username)
  await page.keyboard.press('Tab')
  await page.keyboard.type('wrong one')
  await page.keyboard.press('Enter')
  const alert = page.getByRole('alert')
  await expect(alert).toBeFocused()
  await expect(alert).toContainText('The username or the password is wrong.')
  await expect(page.getByLabel('Username')).toHaveValue(person.username)
  expect(await page.evaluate(() => localStorage.getItem('auth'))).toBeNull()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(password).toBeFocused()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(person.password)
  await expect(password).toHaveAttribute('type', 'password')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Show the password' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(password).toHaveAttribute('type', 'text')
  await expect(password).toHaveValue(person.password)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page).toHaveURL(`${server.url}/`)
})

test('a guarded page is reached after login, and logging out ends it in every tab', async ({
  page,
  context,
  server,
}) => {
  const person = await register(server.url)
  await page.goto('/lesson/create')
  await expect(page).toHaveURL(/\/login\?next=%2Flesson%2Fcreate$/)
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
  await expect(page).toHaveURL(/\/register\?next=%2Flesson%2Fcreate$/)
  await page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true }).click()
  await logIn(page, person)
  await expect(page).toHaveURL(/\/lesson\/create$/)

  const other = await context.newPage()
  await other.goto('/points')
  await expect(other.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
  await page.goto('/points')
  await page.evaluate((id) => {
    localStorage.setItem('theme', 'dark')
    localStorage.setItem(`kb:${id}:draft:lesson:new`, '{}')
  }, person.id)
  await page.getByRole('button', { name: `Account of ${person.username}` }).click()
  const menu = page.getByRole('navigation', { name: `Account of ${person.username}` })
  const out = menu.getByRole('link', { name: 'Sign out', exact: true })
  await out.click()
  // Signing out asks about an unsent draft first.
  await expect(page.getByRole('heading', { name: 'You have an unsent draft' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Stay signed in' }).click()
  await page.getByRole('button', { name: `Account of ${person.username}` }).click()
  await out.click()
  await page.getByRole('button', { name: 'Sign out and discard it' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
  for (const tab of [page, other])
    await expect(tab.getByRole('banner').getByRole('link', { name: 'Register' })).toBeVisible()
  const keys = await page.evaluate(() => Object.keys(localStorage))
  expect(keys).toContain('theme')
  expect(keys.filter((key) => key === 'auth' || key.startsWith('kb:'))).toEqual([])
  await page.goto('/points')
  await expect(page).toHaveURL(/\/login\?next=%2Fpoints$/)
})

test('a changed password keeps this session', async ({ page, server }) => {
  const person = await register(server.url)
  await signIn(page, server.url, person)
  await visit(page, '/profile/update')
  const form = page.getByRole('form', { name: 'Change the password' })
  await form.getByLabel('Current password').fill('not this one')
  await form.getByLabel('New password').fill('another secret 2')
  await form.getByLabel('Repeat the password').fill('another secret 2')
  await form.getByRole('button', { name: 'Change the password' }).click()
  await expect(page.getByText('The password is wrong.')).toBeVisible()
  await form.getByLabel('Current password').fill(person.password)
  await form.getByRole('button', { name: 'Change the password' }).click()
  await expect(page.getByText('Your password is changed.')).toBeVisible()
  await expect(form.getByLabel('New password')).toHaveValue('')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible()
})
