/** A question to a lesson's author, in one field, and the answer: as both write and read them. */
import type { Browser, Page } from '@playwright/test'
import { CHAT_MESSAGE } from '#contract/limits.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { awake, expect, once, test as base } from './fixtures.ts'
import { call, publish, register, type Registered } from './people.ts'

const locale = 'en'

interface Stall {
  readonly author: Registered
  readonly buyer: Registered
  readonly lesson: number
}

const TITLE = 'Sheet bend'

const test = base.extend<{ stall: Stall }>({
  stall: once(async (server) => {
    const author = await register(server.url)
    const buyer = await register(server.url)
    const lesson = await publish(server.url, author, { title: TITLE })
    await publish(server.url, buyer)
    await call(server.url, buyer, 'POST', `/lesson/buy/${lesson}`)
    return { author, buyer, lesson }
  }),
})

/** What two people have said to each other, as one of them reads it. */
async function history(url: string, reader: Registered, other: Registered): Promise<string[]> {
  const path = `/message/all/${other.username}`
  const said = await call<{ text: string }[]>(url, reader, 'GET', path)
  return said.map(({ text }) => text)
}

async function open(browser: Browser, person: Registered | null, address: string): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 390, height: 844 },
  })
  if (person !== null) {
    const { username, password } = person
    const data = { username, password }
    await context.request.post(new URL('/api/identity/login', address).href, { data })
  }
  const page = await context.newPage()
  await page.goto(address)
  await awake(page)
  return page
}

const place = (page: Page) => page.locator('#ask')
const field = (page: Page) => place(page).getByRole('textbox')

const t = (key: Parameters<typeof translate>[1]) => translate('en', key)
const sendStep = (page: Page) =>
  place(page).getByRole('button', { name: t('sendMessage'), exact: true })

test(`a guest comes back to the field, asks once, and is answered`, async ({
  browser,
  server,
  stall: { author, lesson },
}) => {
  const reader = await register(server.url)
  const address = `${server.url}/lesson/details/${lesson}`
  const asking = await open(browser, null, address)
  await expect(field(asking)).toHaveCount(0)
  await place(asking).getByRole('link').click()
  await asking.getByLabel(t('usernameLabel')).fill(reader.username)
  await asking.getByLabel(t('passwordLabel'), { exact: true }).fill(reader.password)
  await asking.keyboard.press('Enter')
  await expect(field(asking)).toBeFocused()
  await expect(field(asking)).toBeInViewport()
  await expect(sendStep(asking)).toBeDisabled()
  await expect(place(asking)).toContainText(/0 \/ 1\d\d/)
  await field(asking).fill('x'.repeat(CHAT_MESSAGE.max))
  await field(asking).blur()
  await expect(field(asking)).toHaveAttribute('aria-invalid', 'true')
  await expect(sendStep(asking)).toBeDisabled()

  const question = `How thick may the rope be? ${locale}`
  await field(asking).fill(question)
  await asking.context().setOffline(true)
  await field(asking).press('Control+Enter')
  await expect(place(asking).getByRole('alert')).toBeVisible()
  await expect(field(asking)).toHaveValue(question)
  await asking.context().setOffline(false)

  // The server takes it, and its answer is lost: the same words again are the same message, after a reload too.
  await asking.route('**/api/message/create', async (route) => {
    await route.fetch()
    await route.abort()
  })
  const lost = asking.waitForEvent('requestfailed')
  await sendStep(asking).click()
  await lost
  expect(await history(server.url, reader, author)).toHaveLength(1)
  await expect(place(asking).getByRole('alert')).toBeVisible()
  await asking.unroute('**/api/message/create')
  await asking.reload()
  await awake(asking)
  await expect(field(asking)).toHaveValue(question)
  await sendStep(asking).click()
  const sent = place(asking).getByRole('status')
  await expect(sent).toContainText(t('askSent'))
  await expect(field(asking)).toHaveValue('')
  await expect(field(asking)).toBeFocused()
  expect(await asking.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  const said = await history(server.url, reader, author)
  expect(said).toHaveLength(1)
  expect(said[0]).toContain(question)
  expect(said[0]).toContain(TITLE)
  await sent.getByRole('link').click()
  await expect(asking.locator('[data-message]', { hasText: question })).toBeVisible()

  const chat = `${server.url}/chat?receiver=${reader.username}`
  const answering = await open(browser, author, chat)
  const asked = answering.locator('[data-message]', { hasText: question })
  await expect(asked).toContainText(TITLE)
  const box = answering.getByRole('main').getByRole('textbox')
  await box.fill(`Up to twelve millimeters. ${locale}`)
  await box.press('Enter')
  await expect(
    asking.locator('[data-message]', { hasText: `twelve millimeters. ${locale}` }),
  ).toBeVisible()
  await asked.getByRole('link').click()
  await expect(answering).toHaveURL(address)
  await expect(answering.getByRole('heading', { level: 1 })).toHaveText(TITLE)
  await expect(answering.locator('[data-comments]')).toBeVisible()
  await expect(place(answering)).toHaveCount(0)
  await asking.context().close()
  await answering.context().close()
})

test(`who is blocked is refused at the field and keeps the words`, async ({
  browser,
  server,
  stall: { author, buyer, lesson },
}) => {
  await call(server.url, author, 'POST', `/identity/block/${buyer.id}`)
  const page = await open(browser, buyer, `${server.url}/lesson/details/${lesson}`)
  await field(page).fill('Are you there?')
  await sendStep(page).click()
  await expect(place(page).getByRole('alert')).toHaveText(t('messageRefused'))
  await expect(field(page)).toHaveValue('Are you there?')
  await expect(field(page)).toHaveAttribute('aria-invalid', 'true')
  expect(await history(server.url, buyer, author)).toEqual([])
  await call(server.url, author, 'DELETE', `/identity/block/${buyer.id}`)
  await page.context().close()
})
