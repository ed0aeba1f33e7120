/** Tests pages without JavaScript, and messages about blocked cookies. */
import type { Browser, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { newPerson, publish, register } from './people.ts'

async function openPlain(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(url)
  return page
}

const submit = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.locator(`input[name=${name}]`)

test('a visitor registers without JavaScript, with errors at each field', async ({
  browser,
  server,
}) => {
  const person = newPerson()
  const taken = await register(server.url)
  const page = await openPlain(browser, `${server.url}/register?next=%2Fcourse%2Fall`)
  await field(page, 'username').fill(taken.username)
  await field(page, 'email').fill(person.email)
  await field(page, 'password').fill(person.password)
  await field(page, 'rePassword').fill('not the same')
  await submit(page, 'Register').click()
  await expect(page.locator('[data-error]')).not.toHaveCount(0)
  await expect(field(page, 'email')).toHaveValue(person.email)
  await expect(field(page, 'password')).toHaveValue('')
  const fill = async () => {
    await field(page, 'password').fill(person.password)
    await field(page, 'rePassword').fill(person.password)
    await submit(page, 'Register').click()
  }
  await fill()
  await expect(page.getByRole('alert')).not.toContainText('in the meantime')
  await expect(field(page, 'username')).toHaveValue(taken.username)
  await field(page, 'username').fill(person.username)
  await fill()
  await expect(page).toHaveURL(`${server.url}/course/all`)
  await expect(page.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
  await expect(page.getByRole('banner').locator('img[src*="/art/avatar/"]')).not.toHaveCount(0)
  await page.context().close()
})

test('a lesson is published without JavaScript, and nothing typed is lost', async ({
  browser,
  server,
}) => {
  const page = await openPlain(browser, server.url)
  await page.context().addCookies([(await register(server.url)).cookie])
  await page.goto(`${server.url}/lesson/create`)
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
  await page.context().close()
})

test('the language in a URL can be changed and is preserved at the login and back', async ({
  browser,
  server,
}) => {
  const person = await register(server.url)
  const lesson = await publish(server.url, person, { title: 'Knots' })
  const page = await openPlain(browser, `${server.url}/lesson/all?search=knot`)
  const html = page.locator('html')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Български' }).click()
  await expect(page).toHaveURL(/\/lesson\/all\?search=knot&lang=bg$/)
  await expect(html).toHaveAttribute('lang', 'bg')
  await page.goto(`${server.url}/about`)
  await expect(html).toHaveAttribute('lang', 'bg')

  await page.goto(`${server.url}/lesson/details/${lesson}?lang=bg`)
  const gates = page.locator('a[href^="/login"], a[href^="/register"]')
  const next = `/lesson/details/${lesson}?lang=bg`
  // A question to the author returns to its own field.
  const back = [next, `${next}#ask`].map((to) => `next=${encodeURIComponent(to)}&lang=bg`)
  const addresses = await gates.evaluateAll((links) =>
    links.map((link) => link.getAttribute('href')),
  )
  // The header, its menu, the price, the report, the comments, the footer.
  expect(addresses.length).toBeGreaterThan(8)
  expect(
    addresses.filter((address) => !back.some((end) => address?.endsWith(end) === true)),
  ).toEqual([])

  // Without the cookie, only the URL determines the language.
  await page.context().clearCookies()
  await page.getByRole('banner').getByRole('link', { name: 'Вход' }).first().click()
  await expect(page).toHaveURL(/\/login\?.*&lang=bg$/)
  await expect(html).toHaveAttribute('lang', 'bg')
  await field(page, 'username').fill(person.username)
  await field(page, 'password').fill(person.password)
  await submit(page, 'Вход').click()
  await expect(page).toHaveURL(`${server.url}/lesson/details/${lesson}?lang=bg`)
  await expect(html).toHaveAttribute('lang', 'bg')

  // A path with two slashes doesn't lead to another site.
  await page.goto(`${server.url}//evil.example/`)
  const hrefs = await page
    .locator('a[hreflang]')
    .evaluateAll((all) => all.map((link) => (link instanceof HTMLAnchorElement ? link.origin : '')))
  expect(hrefs.length).toBeGreaterThan(0)
  expect(new Set(hrefs)).toEqual(new Set([server.url]))
  await page.context().close()
})

test('without JavaScript, missing cookies are explained', async ({ browser, server }) => {
  const person = await register(server.url)
  const page = await openPlain(browser, `${server.url}/login`)
  await page.route('**/login*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    // Removes the cookie from the response, as if cookies were blocked.
    await route.fulfill({ status: 303, headers: { location: '/login?signed=in' } })
  })
  await field(page, 'username').fill(person.username)
  await field(page, 'password').fill(person.password)
  await submit(page, 'Sign in').click()
  await expect(page.getByRole('alert')).toContainText('didn’t keep the cookie')
  await page.context().close()
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
