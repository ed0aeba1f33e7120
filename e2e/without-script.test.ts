/** Tests pages without JavaScript, and messages about blocked cookies. */
import type { Page } from '@playwright/test'
import { leaveComments } from './database.ts'
import { expect, test } from './fixtures.ts'
import {
  call,
  newPerson,
  publish,
  publishShelf,
  register,
  registerAdministrator,
} from './people.ts'

const PLAIN = { javaScriptEnabled: false }

const submit = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.locator(`input[name=${name}]`)

test('a visitor registers without JavaScript, with errors at each field', async ({
  sit,
  server,
}) => {
  const person = newPerson()
  const taken = await register(server.url)
  const page = await sit(null, PLAIN)
  await page.goto('/register?next=%2Fcourse%2Fall')
  const fill = async (repeated: string) => {
    await field(page, 'password').fill(person.password)
    await field(page, 'rePassword').fill(repeated)
    await submit(page, 'Register').click()
  }
  await field(page, 'username').fill(taken.username)
  await field(page, 'email').fill(person.email)
  await fill('not the same')
  await expect(page.locator('[data-error]')).not.toHaveCount(0)
  await expect(field(page, 'email')).toHaveValue(person.email)
  await expect(field(page, 'password')).toHaveValue('')
  await fill(person.password)
  await expect(page.getByRole('alert')).not.toContainText('in the meantime')
  await expect(field(page, 'username')).toHaveValue(taken.username)
  await field(page, 'username').fill(person.username)
  await fill(person.password)
  await expect(page).toHaveURL('/course/all')
  await expect(page.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
  await expect(page.getByRole('banner').locator('img[src*="/art/avatar/"]')).not.toHaveCount(0)
  await page.goto('/logout')
  await submit(page, 'Sign out').click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Register' })).toBeVisible()
})

test('a lesson is published without JavaScript, and nothing typed is lost', async ({
  sit,
  server,
}) => {
  const page = await sit(await register(server.url), PLAIN)
  await page.goto('/lesson/create')
  const paragraph = 'Two ropes < one knot. '.repeat(8)
  await field(page, 'title').fill('Reef knot')
  await field(page, 'description').fill('Joins two ropes')
  await page.getByRole('textbox', { name: 'Tags' }).fill('knots, rope')
  await page.getByRole('textbox', { name: 'Article' }).fill(`${paragraph}\n\nThen pull.`)
  const publishes = page.getByRole('button', { name: 'Publish' })
  await publishes.click()
  await expect(page.locator('[data-error]')).toHaveCount(1)
  await field(page, 'video').fill('https://youtu.be/plainscript')
  await publishes.click()
  await expect(page.getByRole('heading', { name: 'Reef knot', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'rope', exact: true })).toBeVisible()
  for (const text of [paragraph.trim(), 'Then pull.'])
    await expect(page.getByText(text, { exact: true })).toBeVisible()
})

test('without JavaScript, a refused cookie is explained', async ({ sit }) => {
  const page = await sit(null, PLAIN)
  // A sign-in whose cookie the browser refused leads here.
  await page.goto('/login?signed=in')
  await expect(page.getByRole('alert')).toContainText('didn’t keep the cookie')
})

test('a guest searches, filters and turns pages without JavaScript', async ({ sit, server }) => {
  const { lesson } = await publishShelf(server.url, 'Scriptless', { count: 11, preview: 1 })
  const page = await sit(null, PLAIN)
  const titles = page.getByRole('heading', { name: /Scriptless/, level: 2 })
  const bar = page.getByRole('banner').getByRole('combobox', { name: 'Search lessons' })
  const choose = (group: string, name: string) =>
    page.getByRole('group', { name: group }).getByRole('link', { name, exact: true }).click()
  await page.goto('/about')
  await bar.fill('scriptless')
  await bar.press('Enter')
  await expect(page).toHaveURL('/lesson/all?search=scriptless')
  await expect(titles).toHaveCount(10)
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect(page).toHaveURL('/lesson/all?search=scriptless&page=2')
  await expect(titles).toHaveText(['Scriptless 1'])
  await choose('Language', 'In Bulgarian')
  await expect(titles).toHaveCount(0)
  await choose('Language', 'Any')
  await choose('Price', 'Free preview')
  await expect(titles).toHaveText(['Scriptless 1'])
  await choose('Sort', 'Likes')
  await expect(page).toHaveURL('/lesson/all?search=scriptless&sort=likes&free=1')
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect(titles).toHaveCount(10)
  await page.getByRole('link', { name: 'Page 2' }).click()
  await page.getByRole('article').getByRole('link', { name: 'Details' }).first().click()
  await expect(page).toHaveURL(`/lesson/details/${lesson}`)

  await page.getByRole('banner').getByRole('combobox', { name: 'Search in' }).selectOption('course')
  await bar.fill('scriptless')
  await bar.press('Enter')
  await expect(page).toHaveURL('/course/all?search=scriptless')
  await expect(titles).toHaveText(['All of Scriptless'])
  await bar.fill('')
  await bar.press('Enter')
  await expect(page).toHaveURL('/course/all')
  await page.goto('/search?q=wall')
  await page.getByRole('main').getByRole('combobox').fill('scriptless')
  await page.getByRole('main').getByRole('combobox').press('Enter')
  await expect(page).toHaveURL('/search?q=scriptless')
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page.getByRole('article')).not.toHaveCount(0)
  await page.goto('/api/docs')
  await expect(page.getByRole('heading', { name: 'POST /identity/login' })).toBeVisible()
})

test('people read their lists, and administrators filter theirs, without JavaScript', async ({
  sit,
  server,
}) => {
  const person = await registerAdministrator(server)
  const lesson = await publish(server.url, person)
  await leaveComments(server.dataDir, person.id, lesson, 50)
  const text = 'Намерете този коментар без скрипт.'
  await call(server.url, person, 'POST', `/comment/create/${lesson}`, { text })
  const page = await sit(person, PLAIN)
  const comments = page.getByRole('main').getByRole('article')
  await page.goto(`/profile/${person.id}?show=comments`)
  await expect(comments).toHaveCount(50)
  // People can't block themselves.
  await expect(page.getByRole('button', { name: `Block ${person.username}` })).toHaveCount(0)
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(comments).toContainText('comment number 1')
  await page.goto('/points')
  await expect(page.getByRole('main')).toContainText('You published')
  await page.goto('/profile/sessions')
  await expect(page.getByText('This device')).toBeVisible()
  await page.goto('/profile/tokens')
  await expect(page.getByText('No access tokens yet')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Make an access token' })).toBeHidden()

  await page.goto('/comment/all')
  await page.getByLabel('Words').fill('без скрипт')
  await page.getByRole('button', { name: 'Search the comments' }).click()
  await expect(page.getByRole('row').filter({ has: page.getByRole('cell') })).toHaveCount(1)
  const languages = page.getByRole('group', { name: 'Language' })
  await languages.getByRole('link', { name: 'In English', exact: true }).click()
  await expect(page.getByText('No comments match these filters.')).toBeVisible()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL('/comment/all')
})

test('the language in a URL can be changed, and each link to the login preserves it', async ({
  sit,
  server,
}) => {
  const lesson = await publish(server.url, await register(server.url), { title: 'Knots' })
  const page = await sit(null, PLAIN)
  const html = page.locator('html')
  await page.goto('/lesson/all?search=knot')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Български' }).click()
  await expect(page).toHaveURL(/\/lesson\/all\?search=knot&lang=bg$/)
  await expect(html).toHaveAttribute('lang', 'bg')
  await page.goto('/about')
  await expect(html).toHaveAttribute('lang', 'bg')

  const next = `/lesson/details/${lesson}?lang=bg`
  await page.goto(next)
  // A question to the author returns to its own field.
  const back = [next, `${next}#ask`].map((to) => `next=${encodeURIComponent(to)}&lang=bg`)
  const addresses = await page
    .locator('a[href^="/login"], a[href^="/register"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  // The header, its menu, the price, the report, the comments, the footer.
  expect(addresses.length).toBeGreaterThan(8)
  expect(addresses.filter((address) => !back.some((end) => address.endsWith(end)))).toEqual([])

  // A path with two slashes doesn't lead to another site.
  await page.goto(`${server.url}//evil.example/`)
  const origins = await page
    .locator('a[hreflang]')
    .evaluateAll((all) => all.map((link) => (link instanceof HTMLAnchorElement ? link.origin : '')))
  expect(new Set(origins)).toEqual(new Set([server.url]))
})

test('missing cookies are explained before and after the login', async ({ page, server }) => {
  const person = await register(server.url)
  const control = await page.context().newCDPSession(page)
  await control.send('Emulation.setDocumentCookieDisabled', { disabled: true })
  await page.goto('/login')
  await expect(page.getByRole('alert')).toContainText('keeps no cookies for this site')
  await field(page, 'username').fill(person.username)
  await field(page, 'password').fill(person.password)
  await submit(page, 'Sign in').click()
  await expect(page.getByText('You’re signed in only until you reload this page')).toBeVisible()
})
