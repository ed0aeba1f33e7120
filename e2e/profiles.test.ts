/** Tests profiles and how an edit appears elsewhere. */
import type { Page } from '@playwright/test'
import { expect, test, visit, writePicture } from './fixtures.ts'
import {
  call,
  newPerson,
  publish,
  publishShelf,
  register,
  type Registered,
  signIn,
} from './people.ts'

const username = (page: Page) => page.getByLabel('Username', { exact: true })
const address = (page: Page) => page.getByLabel('E-mail', { exact: true })
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const update = (page: Page) => page.getByRole('button', { name: 'Update' })

const comment = (url: string, person: Registered, lesson: number, text: string) =>
  call(url, person, 'POST', `/comment/create/${lesson}`, { text })

test('a taken name is refused, a new address requires the password, a hidden one is visible to its owner only', async ({
  page,
  sit,
  server,
}) => {
  const person = await register(server.url)
  const reader = await register(server.url)
  const other = await sit(reader)
  await other.goto(`/profile/${person.id}`)
  await expect(other.getByRole('main')).toContainText(person.email)

  await signIn(page, server.url, person)
  await page.goto('/profile/update')
  // No input is lost when the server refuses a name.
  const taken = reader.username.toUpperCase()
  const hides = page.getByLabel('Don’t show my e-mail on my profile')
  await username(page).fill(taken)
  await hides.check()
  await update(page).click()
  await expect(page.getByRole('alert')).toContainText('Error!')
  await expect(page.getByRole('alert')).toContainText('This username is taken')
  await expect(username(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(username(page)).toHaveValue(taken)
  await expect(hides).toBeChecked()

  await username(page).fill(person.username)
  await expect(password(page)).toHaveCount(0)
  const { email } = newPerson()
  await address(page).fill(email)
  await expect(update(page)).toBeDisabled()
  await password(page).fill('not the one')
  await update(page).click()
  await expect(password(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(address(page)).toHaveValue(email)
  await password(page).fill(person.password)
  await update(page).click()
  await expect(page).toHaveURL(`/profile/${person.id}`)
  await expect(page.getByRole('main')).toContainText(`${email}, only you see this`)
  await expect(page.getByRole('main')).toContainText('not confirmed yet')
  await other.reload()
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(person.username)
  const seen = other.getByRole('main')
  for (const secret of [person.email, email, 'KB Points'])
    await expect(seen).not.toContainText(secret)
})

test('a new name and picture appear everywhere at once, and a person’s comments link to their lessons', async ({
  page,
  sit,
  server,
}, info) => {
  const person = await register(server.url)
  const lesson = await publish(server.url, person, { title: 'Before and after' })
  await comment(server.url, person, lesson, 'a < b & <script>alert(1)</script>')
  const guest = await sit(null)
  const places = ['/lesson/all', `/lesson/details/${lesson}`]
  for (const path of places) {
    await guest.goto(path)
    await expect(guest.getByRole('main')).toContainText(person.username)
  }
  const faceOf = (name: string) =>
    guest.getByRole('main').locator('p', { hasText: name }).locator('img').first()
  const pictureBefore = await faceOf(person.username).getAttribute('src')

  await signIn(page, server.url, person)
  const other = await page.context().newPage()
  await other.goto('/points')
  await visit(page, '/profile/update')
  const name = `new-${person.username}`
  await username(page).fill(name)
  await page
    .locator('input[type=file]')
    .setInputFiles(await writePicture(info.outputPath(), 'face.jpg', 500))
  await expect(page.getByRole('img', { name: 'Your picture' })).toHaveJSProperty('height', 300)
  await update(page).click()
  await expect(page).toHaveURL(`/profile/${person.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(page.getByRole('button', { name: `Account of ${name}` })).toBeVisible()
  // The person's other tab updates by itself.
  await expect(other.getByRole('button', { name: `Account of ${name}` })).toBeVisible()

  for (const path of places) {
    await guest.goto(path)
    await expect(guest.getByRole('main')).toContainText(name)
    await expect(guest.getByRole('main').getByText(person.username, { exact: true })).toHaveCount(0)
  }
  expect(await faceOf(name).getAttribute('src')).not.toBe(pictureBefore)
  // Comments on a profile link to their lessons.
  await page.goto(`/profile/${person.id}?show=comments`)
  const said = page.getByRole('article')
  await expect(said).toContainText('a < b & <script>alert(1)</script>')
  await said.getByRole('link', { name: 'Before and after' }).click()
  await expect(page).toHaveURL(`/lesson/details/${lesson}`)
  await expect(page.getByRole('region', { name: /^Comments/ })).toContainText(name)
  await page.goto(`/profile/${person.username.toUpperCase()}`)
  await expect(page).toHaveURL(`/profile/${person.id}`)
})

test('a guest gets from a card to the author’s page, until the author closes it to guests', async ({
  page,
  sit,
  server,
}) => {
  const author = await register(server.url)
  const lesson = await publish(server.url, author, { title: 'Whose is it' })
  await signIn(page, server.url, author)
  await page.goto('/profile/update')
  await page.getByLabel('About you').fill('I bake.\nAnd I write about it.')
  await update(page).click()
  await expect(page).toHaveURL(`/profile/${author.id}`)
  await page.getByRole('link', { name: 'Public page', exact: true }).click()
  await expect(page.getByRole('main')).toContainText('I bake.')

  const guest = await sit(null)
  await guest.goto('/lesson/all')
  const card = guest.getByRole('article').filter({ hasText: 'Whose is it' })
  await card.getByRole('link', { name: author.username }).click()
  await expect(guest).toHaveURL(`/by/${author.username}`)
  await expect(guest.getByRole('main')).toContainText('And I write about it.')
  await guest.getByRole('link', { name: /^Details/ }).click()
  await expect(guest).toHaveURL(`/lesson/details/${lesson}`)

  await page.goto('/profile/update')
  await page.getByLabel('Everybody may see my public page').uncheck()
  await update(page).click()
  await expect(page).toHaveURL(`/profile/${author.id}`)
  await guest.getByRole('main').getByRole('link', { name: author.username }).first().click()
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('There’s no such person here.')
  expect((await guest.goto(`/by/${author.username}`))?.status()).toBe(404)
})

test('the keyboard changes the tabs of a profile, and its person can be blocked and unblocked there', async ({
  page,
  server,
}) => {
  const { author: person, lesson, course } = await publishShelf(server.url, 'Six')
  const reader = await register(server.url)
  await comment(server.url, person, lesson, 'The first of six, and the shortest.')
  await signIn(page, server.url, reader)
  expect((await page.goto('/profile/somebody'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There’s no such person here.')

  await page.goto(`/profile/${person.id}`)
  const tabs = page.getByRole('navigation', { name: `What ${person.username} made` })
  await expect(tabs.getByRole('link')).toHaveText(['6 lessons', '1 course', '1 comment'])
  await expect(page.getByRole('article')).toHaveCount(6)
  await tabs.getByRole('link', { name: 'lessons' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/profile/${person.id}?show=courses`)
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(tabs.getByRole('link', { name: 'course' })).toHaveAttribute('aria-current', 'page')
  await expect(tabs.getByRole('link', { name: 'course' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  // This reader has unlocked nothing.
  await expect(page.getByRole('main')).toContainText('that you can read')

  const block = page.getByRole('button', { name: `Block ${person.username}`, exact: true })
  await block.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('here or by e-mail')
  await dialog.getByRole('button', { name: `Block ${person.username}` }).click()
  await expect(dialog).toBeHidden()
  await expect(block).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
  await page.goto(`/profile/${person.id}?show=courses`)
  await page.getByRole('button', { name: `Unblock ${person.username}`, exact: true }).click()
  await expect(block).toBeVisible()
  await page.getByRole('article').getByRole('link', { name: 'Details' }).click()
  await expect(page).toHaveURL(`/course/details/${course}/1`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('All of Six')
})
