/** Tests a question to a lesson's author and the answer as both people see them. */
import type { Page } from '@playwright/test'
import { CHAT_MESSAGE } from '#contract/limits.ts'
import { bubbles, field as messageField } from './chat-people.ts'
import { awake, expect, intercept, once, test as base, visit } from './fixtures.ts'
import { call, publish, register, type Registered } from './people.ts'

interface Stall {
  readonly author: Registered
  readonly lesson: number
}

const test = base.extend<{ stall: Stall }>({
  stall: once(async ({ url }) => {
    const author = await register(url)
    return { author, lesson: await publish(url, author, { title: 'Sheet bend' }) }
  }),
})

/** Returns the messages of two people as one of them sees them. */
async function history(url: string, reader: Registered, other: Registered): Promise<string[]> {
  const path = `/message/all/${other.username}`
  const messages = await call<{ text: string }[]>(url, reader, 'GET', path)
  return messages.map(({ text }) => text)
}

const PHONE = { viewport: { width: 390, height: 844 } }

const place = (page: Page) => page.getByRole('region', { name: 'Ask the author' })
const field = (page: Page) => place(page).getByRole('textbox')
const send = (page: Page) => place(page).getByRole('button', { name: 'Send', exact: true })

test('a guest returns to the field after login, asks once, is refused while blocked, and is answered', async ({
  sit,
  server: { url },
  stall: { author, lesson },
}) => {
  const reader = await register(url)
  const path = `/lesson/details/${lesson}`
  const asking = await sit(null, PHONE)
  await visit(asking, path)
  await expect(field(asking)).toHaveCount(0)
  await place(asking).getByRole('link').click()
  await asking.getByLabel('Username').fill(reader.username)
  await asking.getByLabel('Password', { exact: true }).fill(reader.password)
  await asking.keyboard.press('Enter')
  await expect(field(asking)).toBeFocused()
  await expect(field(asking)).toBeInViewport()
  await expect(send(asking)).toBeDisabled()
  await expect(place(asking)).toContainText(/0 \/ 1\d\d/)
  await field(asking).fill('x'.repeat(CHAT_MESSAGE.max))
  await field(asking).blur()
  await expect(field(asking)).toHaveAttribute('aria-invalid', 'true')
  await expect(send(asking)).toBeDisabled()

  // A blocked person doesn't lose the text.
  const question = 'How thick may the rope be?'
  await call(url, author, 'POST', `/identity/block/${reader.id}`)
  await field(asking).fill(question)
  await send(asking).click()
  const alert = place(asking).getByRole('alert')
  await expect(alert).toHaveText('This person doesn’t take messages from you.')
  await expect(field(asking)).toHaveValue(question)
  await expect(field(asking)).toHaveAttribute('aria-invalid', 'true')
  expect(await history(url, reader, author)).toEqual([])
  await call(url, author, 'DELETE', `/identity/block/${reader.id}`)

  await field(asking).fill(`${question} `)
  await asking.context().setOffline(true)
  await field(asking).press('Control+Enter')
  await expect(alert).toBeVisible()
  await expect(field(asking)).toHaveValue(`${question} `)
  await asking.context().setOffline(false)
  // The server stores the message but the response is lost. Sending the same text again, even after a reload, must
  // not duplicate it.
  await intercept(asking, '**/api/message/create', async (route) => {
    await route.fetch()
    await route.abort()
  })
  const lost = asking.waitForEvent('requestfailed')
  await send(asking).click()
  await lost
  expect(await history(url, reader, author)).toHaveLength(1)
  await expect(alert).toBeVisible()
  await asking.unroute('**/api/message/create')
  await asking.reload()
  await awake(asking)
  await expect(field(asking)).toHaveValue(`${question} `)
  await send(asking).click()
  const sent = place(asking).getByRole('status')
  await expect(sent).toContainText('Sent.')
  await expect(field(asking)).toHaveValue('')
  await expect(field(asking)).toBeFocused()
  expect(await asking.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  const messages = await history(url, reader, author)
  expect(messages).toHaveLength(1)
  expect(messages[0]).toContain(question)
  expect(messages[0]).toContain('Sheet bend')
  await sent.getByRole('link').click()
  await expect(bubbles(asking).filter({ hasText: question })).toBeVisible()

  const answering = await sit(author, PHONE)
  await visit(answering, `/chat?receiver=${reader.username}`)
  const asked = bubbles(answering).filter({ hasText: question })
  await expect(asked).toContainText('Sheet bend')
  await messageField(answering).fill('Up to twelve millimeters.')
  await messageField(answering).press('Enter')
  await expect(bubbles(asking).filter({ hasText: 'twelve millimeters.' })).toBeVisible()
  await asked.getByRole('link').click()
  await expect(answering).toHaveURL(path)
  await expect(answering.getByRole('heading', { level: 1 })).toHaveText('Sheet bend')
  await expect(answering.getByRole('region', { name: /^Comments/ })).toBeVisible()
  await expect(place(answering)).toHaveCount(0)
})
