/** Becoming somebody here, coming back, and leaving. */
import { expect, test, writePicture } from './fixtures.ts'
import { fillRegistration, logIn, newPerson, register, signIn } from './people.ts'
import { startServer } from './server.ts'

test('a stranger registers with a picture', async ({ page }, info) => {
  const person = newPerson()
  await page.goto('/register?next=%2Fpoints')
  const submit = page.getByRole('button', { name: 'Register' })
  await expect(submit).toBeDisabled()
  await expect(page.getByText('Still missing: Username, E-mail, Password')).toBeVisible()
  await fillRegistration(page, person)
  await expect(page.getByText('Still missing: Profile picture.')).toBeVisible()

  await page.locator('input[type=file]').setInputFiles(await writePicture(info.outputDir))
  const preview = page.getByRole('img', { name: 'Your picture' })
  await expect(preview).toBeVisible()
  expect((await preview.boundingBox())?.height).toBe(300)
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(preview).toBeHidden()
  await expect(page.getByText('Please choose a picture.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Choose a picture' })).toBeFocused()

  await page
    .locator('input[type=file]')
    .setInputFiles(await writePicture(info.outputDir, 'second.jpg'))
  await submit.click()
  await expect(page).toHaveURL(/\/points$/)
  await expect(page.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('auth') ?? '{}'))
  expect(stored).toMatchObject({ username: person.username, email: person.email, role: 'user' })
  expect(stored.accessToken).toMatch(/^ey/)
})

test('a drawn rosette serves as the picture', async ({ page }) => {
  const person = newPerson()
  await page.goto('/register')
  await fillRegistration(page, person)
  await page.getByRole('button', { name: 'Use a drawn rosette instead' }).click()
  await expect(page.getByRole('img', { name: 'Your picture' })).toBeVisible()
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
})

test('a picture can be pasted and dropped', async ({ page }, info) => {
  await page.goto('/register')
  await fillRegistration(page, newPerson())
  const bytes = await import('node:fs/promises').then((fs) =>
    writePicture(info.outputDir).then((path) => fs.readFile(path)),
  )
  for (const way of ['paste', 'drop']) {
    await page.evaluate(
      ({ way, base64 }) => {
        const data = new DataTransfer()
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
        data.items.add(new File([bytes], 'pasted.jpg', { type: 'image/jpeg' }))
        const event =
          way === 'paste'
            ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
            : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
        document.querySelector('.drop')?.dispatchEvent(event)
      },
      { way, base64: bytes.toString('base64') },
    )
    await expect(page.getByRole('img', { name: 'Your picture' })).toBeVisible()
    await page.getByRole('button', { name: 'Remove' }).click()
  }
})

for (const [lang, sentence, title] of [
  ['en', 'By registering you agree to the privacy policy.', 'Privacy policy'],
  ['bg', 'С регистрацията приемате политиката за поверителност.', 'Политика за поверителност'],
] as const)
  for (const javaScriptEnabled of [true, false])
    test(`what registering agrees to is linked above the button in ${lang}, ${javaScriptEnabled ? 'beside what was typed' : 'without script'}`, async ({
      browser,
      server,
    }) => {
      const context = await browser.newContext({ javaScriptEnabled, baseURL: server.url })
      const page = await context.newPage()
      await page.goto(`/register?lang=${lang}`)
      await page.locator('input[name=username]').fill('somebody')
      const consent = page.getByText(sentence, { exact: true })
      const submit = page.locator('.submit button')
      const [above, below] = await Promise.all([consent.boundingBox(), submit.boundingBox()])
      expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
      const opened = context.waitForEvent('page')
      await consent.getByRole('link').click()
      const policy = await opened
      await expect(policy.getByRole('heading', { level: 1 })).toHaveText(title)
      expect(new URL(policy.url()).pathname).toBe('/privacy-policy')
      await expect(page.locator('input[name=username]')).toHaveValue('somebody')
      await context.close()
    })

for (const [lang, words] of Object.entries({
  en: {
    username: 'Username',
    email: 'E-mail',
    password: 'Password',
    repeat: 'Repeat the password',
    submit: 'Register',
    short: 'Your username must be between 2 and 20 characters. 1 character: add 1 more.',
    mixed: 'A username has letters and digits of one script, with . _ - inside.',
    badEmail: 'Please provide a valid email address.',
    weak: 'The password must have at least 8 characters, and be no longer than 200 Latin or 100 Cyrillic letters.',
    differ: "Password and RePassword aren't the same.",
    extension: 'The allowed extensions are jpeg, jpg and png.',
    unreadable: 'This file is not a picture that we can read. Please choose a jpeg or png.',
    common: 'This password is one of the commonest. Please choose another.',
    taken: 'This username is taken, or looks like one that is.',
  },
  bg: {
    username: 'Потребителско име',
    email: 'Имейл',
    password: 'Парола',
    repeat: 'Повторете паролата',
    submit: 'Регистриране',
    short: 'Потребителското име трябва да е между 2 и 20 знака. 1 знак: добавете още 1.',
    mixed: 'Потребителското име се състои от букви и цифри на една азбука, с . _ - вътре.',
    badEmail: 'Моля, въведете валиден имейл адрес.',
    weak: 'Паролата трябва да има поне 8 знака и да не е по-дълга от 100 български или 200 латински букви.',
    differ: 'Двете пароли не съвпадат.',
    extension: 'Разрешените разширения са jpeg, jpg и png.',
    unreadable: 'Този файл не е картинка, която можем да прочетем. Моля, изберете jpeg или png.',
    common: 'Тази парола е сред най-често срещаните. Моля, изберете друга.',
    taken: 'Това потребителско име е заето или прилича на заето.',
  },
})) {
  test(`a registration is refused at its fields in ${lang}`, async ({ page, server }, info) => {
    const taken = await register(server.url)
    await page.goto(`/register?lang=${lang}`)
    const field = (name: string) => page.getByLabel(new RegExp(`^${name}`))
    const refuses = async (name: string, value: string, says: string) => {
      await field(name).fill(value)
      await field(name).blur()
      await expect(page.getByText(says, { exact: true })).toBeVisible()
      await expect(field(name)).toHaveAttribute('aria-invalid', 'true')
      await expect(field(name)).toHaveAccessibleDescription(new RegExp(says.slice(0, 20)))
    }
    await refuses(words.username, 'a', words.short)
    await refuses(words.username, 'abв', words.mixed)
    await refuses(words.email, 'ann@example', words.badEmail)
    await refuses(words.password, '1234567', words.weak)
    await refuses(words.repeat, '12345678', words.differ)
    await expect(page.getByRole('button', { name: words.submit })).toBeDisabled()

    // Valid again, the errors go while one types.
    await field(words.username).fill(taken.username.toUpperCase())
    await field(words.email).fill(`${Date.now()}@people.example`)
    await field(words.password).fill('12345678')
    await expect(page.locator('.field .error')).toHaveCount(0)

    const files = page.locator('input[type=file]')
    await files.setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('words'),
    })
    await expect(page.getByText(words.extension, { exact: true })).toBeVisible()
    await expect(page.locator('.preview')).toHaveCount(0)
    await files.setInputFiles({
      name: 'lie.png',
      mimeType: 'image/png',
      buffer: Buffer.from('words'),
    })
    await expect(page.getByText(words.unreadable, { exact: true })).toBeVisible()
    await expect(page.locator('.preview')).toHaveCount(0)
    await files.setInputFiles(await writePicture(info.outputDir))

    // What only the server knows comes back to its field, and nothing typed is lost.
    await page.getByRole('button', { name: words.submit }).click()
    await expect(page.getByText(words.common, { exact: true })).toBeVisible()
    await expect(page.locator('.field .error', { hasText: words.taken })).toBeVisible()
    await expect(page.locator('.alert')).toContainText(words.taken)
    await expect(field(words.username)).toBeFocused()
    await expect(field(words.username)).toHaveValue(taken.username.toUpperCase())
    const { username, password } = newPerson()
    await field(words.username).fill(username)
    await field(words.password).fill(password)
    await field(words.repeat).fill(password)
    await page.getByRole('button', { name: words.submit }).click()
    // The language that the address names goes along.
    await expect(page).toHaveURL(`${server.url}/?lang=${lang}`)
  })
}

test('a wrong password is told in the alert', async ({ page, server }) => {
  const person = await register(server.url)
  await page.goto('/login')
  await page.getByLabel('Username').fill(person.username)
  await page.getByLabel('Password', { exact: true }).fill('not this one')
  await page.getByRole('button', { name: 'Log in' }).click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Error')
  await expect(alert).toContainText('The username or the password is not right.')
  await expect(alert).toBeFocused()
  await expect(page.getByLabel('Username')).toHaveValue(person.username)
  expect(await page.evaluate(() => localStorage.getItem('auth'))).toBeNull()
})

test('the password can be read while it is typed', async ({ page }) => {
  await page.goto('/login')
  const password = page.getByLabel('Password', { exact: true })
  await password.fill('a b c')
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show the password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await expect(password).toHaveValue('a b c')
})

test('guessing is slowed down in words', async ({ browser }) => {
  const server = await startServer({ RATE_LIMITS: 'on' })
  const page = await browser.newPage()
  try {
    await page.goto(`${server.url}/login`)
    await page.getByLabel('Username').fill('nobody-here')
    const password = page.getByLabel('Password', { exact: true })
    const alert = page.getByRole('alert')
    // The wait doubles with each failure, so that a slow machine needs a few more to run into it.
    for (let attempt = 0, status = 401; attempt < 14 && status === 401; attempt += 1) {
      await password.fill(`guess ${attempt}`)
      const answered = page.waitForResponse((response) => response.url().endsWith('/login'))
      await page.getByRole('button', { name: 'Log in' }).click()
      status = (await answered).status()
      await expect(alert).toBeFocused()
    }
    await expect(alert).toContainText(/Please wait \d+ seconds? and try again/)
  } finally {
    await page.close()
    await server.stop()
  }
})

test('a guarded page is reached after login', async ({ page, server }) => {
  const person = await register(server.url)
  await page.goto('/lesson/create')
  await expect(page).toHaveURL(/\/login\?next=%2Flesson%2Fcreate$/)
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
  await expect(page).toHaveURL(/\/register\?next=%2Flesson%2Fcreate$/)
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await logIn(page, person)
  await expect(page).toHaveURL(/\/lesson\/create$/)
})

test('a foreign address is no way on', async ({ page, server }) => {
  const person = await register(server.url)
  for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example', '/logout']) {
    await page.context().clearCookies()
    await page.goto(`/login?next=${encodeURIComponent(next)}`)
    await page.evaluate(() => localStorage.clear())
    await logIn(page, person)
    await expect(page).toHaveURL(`${server.url}/`)
  }
})

test('login works by keyboard alone', async ({ page, server }) => {
  const person = await register(server.url)
  await page.goto('/login')
  await page.getByLabel('Username').focus()
  await page.keyboard.type(person.username)
  await page.keyboard.press('Tab')
  await page.keyboard.type('wrong one')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(person.password)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Show the password' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
  await expect(page.locator('#main')).toBeFocused()
})

test('logging out ends it in every tab', async ({ page, context, server }) => {
  const person = await register(server.url)
  await page.goto('/login')
  await logIn(page, person)
  const other = await context.newPage()
  await other.goto('/points')
  await expect(other.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
  await page.evaluate(() => localStorage.setItem('theme', 'dark'))

  await page.getByRole('button', { name: `Account of ${person.username}` }).click()
  await page.locator('#menu-me').getByRole('link', { name: 'Log out' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
  await expect(page.getByRole('banner').getByRole('link', { name: 'Register' })).toBeVisible()
  await expect(other.getByRole('banner').getByRole('link', { name: 'Register' })).toBeVisible()
  const keys = await page.evaluate(() => Object.keys(localStorage))
  expect(keys).toContain('theme')
  expect(keys.filter((key) => key === 'auth' || key.startsWith('kb:'))).toEqual([])
  await page.goto('/points')
  await expect(page).toHaveURL(/\/login\?next=%2Fpoints$/)
})

test('an unsent draft is asked about first', async ({ page, server }) => {
  const person = await register(server.url)
  await signIn(page, server.url, person)
  await page.goto('/points')
  await page.evaluate((id) => localStorage.setItem(`kb:${id}:draft:lesson:new`, '{}'), person.id)
  await page.goto('/logout')
  await expect(page.getByRole('heading', { name: 'You have an unsent draft' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Stay signed in' }).click()
  await expect(page.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
  await page.goto('/logout')
  await page.getByRole('button', { name: 'Log out and throw it away' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Register' })).toBeVisible()
  const keys = await page.evaluate(() => Object.keys(localStorage))
  expect(keys.filter((key) => key === 'auth' || key.startsWith('kb:'))).toEqual([])
})

test('the button logs out without script', async ({ browser, server }) => {
  const person = await register(server.url)
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url })
  await context.addCookies([person.cookie])
  const page = await context.newPage()
  await page.goto('/logout')
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
  expect(await context.cookies()).not.toContainEqual(expect.objectContaining({ name: 'kb' }))
  await context.close()
})

test('a changed password ends the sessions elsewhere', async ({ page, browser, server }) => {
  const person = await register(server.url)
  const elsewhere = await browser.newContext({ baseURL: server.url })
  await elsewhere.addCookies([person.cookie])
  await signIn(page, server.url, person)
  await page.goto('/profile/update')
  const form = page.getByRole('form', { name: 'Change the password' })
  await form.getByLabel('Present password').fill('not this one')
  await form.getByLabel('New password').fill('another secret 2')
  await form.getByLabel('Repeat the password').fill('another secret 2')
  await form.getByRole('button', { name: 'Change the password' }).click()
  await expect(page.getByText('The password is not right.')).toBeVisible()
  await form.getByLabel('Present password').fill(person.password)
  await form.getByRole('button', { name: 'Change the password' }).click()
  await expect(page.getByText('Your password is changed.')).toBeVisible()
  await expect(form.getByLabel('New password')).toHaveValue('')

  const there = await elsewhere.newPage()
  await there.goto('/points')
  await expect(there).toHaveURL(/\/login/)
  await page.goto('/points')
  await expect(page).toHaveURL(/\/points$/)
  await elsewhere.close()
})

test('signing out everywhere asks and leaves this one', async ({ page, browser, server }) => {
  const person = await register(server.url)
  const elsewhere = await browser.newContext({ baseURL: server.url })
  await elsewhere.addCookies([person.cookie])
  await signIn(page, server.url, person)
  await page.goto('/profile/update')
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click()
  const there = await elsewhere.newPage()
  await there.goto('/points')
  await expect(there).toHaveURL(/\/points$/)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByText('You are signed out everywhere else.')).toBeVisible()
  await there.goto('/points')
  await expect(there).toHaveURL(/\/login/)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible()
  await elsewhere.close()
})
