/**
 * Tests that a conversation is live and delivers each message once, across network failures, reloads and renames.
 */
import type { Page } from '@playwright/test'
import { bubbles, field, openChat, say, test, unsent, write } from './chat-people.ts'
import { writeLongAgo } from './database.ts'
import { expect, holdBack, intercept, stored } from './fixtures.ts'
import { call, register } from './people.ts'

const ODD = [
  'Здравей! Как върви шевицата?',
  'Ще пробвам 👩‍👩‍👧 и 🌅',
  'مرحبا بالعالم',
  '<script>window.hacked = true</script><b>a < b & c</b> &amp;',
  'щ'.repeat(200),
  'one\ntwo\n\nfour',
] as const

const htmlOf = (page: Page) =>
  bubbles(page).evaluateAll((all) => all.map((one) => [one.innerHTML, one.getAttribute('lang')]))

test('a conversation opens with focus in the field and shows its rule; on touch devices no keyboard covers it', async ({
  sit,
  ann,
  bob,
}) => {
  const page = await sit(ann)
  await openChat(page, bob.username)
  await expect(field(page)).toBeFocused()
  await expect(page.getByText('Shift+Enter')).toBeVisible()
  const send = page.getByRole('button', { name: 'Send', exact: true })
  const rule = page.getByText('The message must be between 1 and 200 characters.')
  await expect(send).toBeDisabled()
  await field(page).fill('x'.repeat(201))
  await expect(send).toBeDisabled()
  await expect(page.getByText('201 / 200')).toBeVisible()
  await field(page).blur()
  await expect(rule).toBeVisible()
  await field(page).fill('one')
  await field(page).press('Shift+Enter')
  await field(page).pressSequentially('two')
  await expect(bubbles(page)).toHaveCount(0)
  await send.click()
  await expect(bubbles(page)).toHaveText('one\ntwo')
  await expect(field(page)).toHaveValue('')
  await expect(field(page)).toBeFocused()

  const phone = await sit(ann, { hasTouch: true, isMobile: true })
  await openChat(phone, bob.username)
  await expect(field(phone)).toBeEditable()
  await expect(field(phone)).not.toBeFocused()
  await expect(phone.getByText('Shift+Enter')).toBeHidden()
})

test('messages arrive in both directions, after a rename too, until one person signs out elsewhere', async ({
  sit,
  server,
  ann,
  bob,
}) => {
  const left = await sit(ann)
  await openChat(left, bob.username)
  await expect(left.getByText('No messages yet.')).toBeVisible()
  const right = await sit(bob)
  await openChat(right, ann.username)
  for (const text of ODD) {
    await say(left, text)
    await say(right, text)
  }
  for (const page of [left, right]) await expect(bubbles(page)).toHaveCount(2 * ODD.length)
  await expect(unsent(left)).toHaveCount(0)
  // Only messages of the other person can be reported.
  await expect(left.getByRole('button', { name: 'Report', exact: true })).toHaveCount(ODD.length)
  const live = await htmlOf(left)
  await left.reload()
  await expect.poll(() => htmlOf(left)).toEqual(live)
  expect(await left.evaluate(() => 'hacked' in window)).toBe(false)

  // The chat follows a rename, and the old name redirects.
  const name = `new-${bob.username}`.slice(0, 20)
  const body = new FormData()
  body.set('username', name)
  const headers = { authorization: `Bearer ${bob.accessToken}` }
  await fetch(`${server.url}/api/identity/update`, { method: 'PATCH', body, headers })
  await say(right, 'as I am')
  await expect(bubbles(left).last()).toHaveText('as I am')
  await expect(left).toHaveURL(new RegExp(`receiver=${name}$`))
  await expect(left.getByRole('heading', { level: 1 })).toHaveText(`Chat with ${name}`)
  await say(left, 'Welcome')
  await expect(bubbles(right).last()).toHaveText('Welcome')
  await left.goto(`/chat?receiver=${bob.username}`)
  await expect(left).toHaveURL(new RegExp(`receiver=${name}$`))
  await expect(bubbles(left).last()).toHaveText('Welcome')

  await call(server.url, ann, 'POST', '/identity/sessions/revoke')
  await expect(left.getByText('You’re signed out.')).toBeVisible({ timeout: 30_000 })
})

test('a network failure, a reload and a refusal lose and duplicate nothing', async ({
  sit,
  wire,
  server,
  ann,
  bob,
}) => {
  const left = await sit(ann)
  const right = await sit(bob)
  await openChat(left, bob.username)
  await openChat(right, ann.username)
  await say(left, 'before')
  await expect(bubbles(right)).toHaveText(['before'])
  wire.proxy.block()
  wire.proxy.cut()
  await say(left, 'from the dark')
  await say(left, 'and one more')
  await write(server, bob, ann.username, 'past the cut')
  await expect(unsent(left)).toHaveCount(2)
  await expect(left.getByText('Waiting to be sent').first()).toBeVisible()
  const lost = /Connection lost|No connection/
  await expect(left.getByText(lost).first()).toBeVisible()
  wire.proxy.restore()
  const all = ['before', 'past the cut', 'from the dark', 'and one more']
  for (const page of [left, right]) {
    await expect(bubbles(page)).toHaveText(all, { timeout: 40_000 })
    await expect(unsent(page)).toHaveCount(0)
    await expect(page.getByText(lost)).toHaveCount(0, { timeout: 40_000 })
  }

  // Unsent messages and drafts survive a reload.
  await intercept(left, '**/api/message/create', (route) => route.abort())
  await say(left, 'not yet')
  await expect(unsent(left)).toHaveCount(1)
  await field(left).fill('half a thou')
  await stored(left, 'half a thou')
  await left.reload()
  await expect(field(left)).toHaveValue('half a thou')
  await expect(unsent(left)).toHaveText('not yet')
  await left.unroute('**/api/message/create')
  await expect(unsent(left)).toHaveCount(0, { timeout: 40_000 })
  await expect(bubbles(left)).toHaveText([...all, 'not yet'])

  // The rate limit is explained, and the message can be discarded.
  await intercept(left, '**/api/message/create', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '60' },
      json: { type: 'about:blank', title: 'That was a lot in one minute.', status: 429 },
    }),
  )
  await say(left, 'one too many')
  await expect(left.getByText(/That was a lot in one minute/)).toBeVisible()
  await expect(unsent(left)).toHaveText('one too many')
  await left.getByRole('button', { name: 'Remove' }).click()
  await expect(unsent(left)).toHaveCount(0)
})

test('a blocked person is refused, and the text is preserved', async ({ sit, ann, bob }) => {
  const left = await sit(ann)
  const right = await sit(bob)
  await openChat(left, bob.username)
  await openChat(right, ann.username)
  await say(left, 'something rude')
  await expect(bubbles(right)).toHaveCount(1)
  await right.getByRole('button', { name: 'Block or report' }).click()
  const dialog = right.getByRole('dialog')
  await dialog.getByRole('button', { name: `Block ${ann.username}`, exact: true }).click()
  // The closing dialog has a button of the same name.
  await expect(dialog).toBeHidden()
  const unblock = right.getByRole('button', { name: `Unblock ${ann.username}` })
  await expect(unblock).toBeVisible()
  await say(left, 'and again')
  await expect(left.getByText('This person doesn’t take messages from you.')).toBeVisible()
  await right.reload()
  await unblock.click()
  await expect(unblock).toBeHidden()
  await left.getByRole('button', { name: 'Send again' }).click()
  await expect(bubbles(right)).toHaveText(['something rude', 'and again'])
})

test('new and older messages do not move the visible ones', async ({ sit, server, ann, bob }) => {
  await writeLongAgo(server.dataDir, [ann.id, bob.id], 120)
  const page = await sit(ann)
  // The request for the older page is released later.
  const release = await holdBack(page, '**/api/message/all/*?before=*')
  await openChat(page, bob.username)
  const log = page.getByRole('log')
  await expect(bubbles(page).last()).toBeInViewport()
  await expect(bubbles(page).last()).toHaveText(/^message 120\b/)
  const mark = page.getByText(/^message 75\b/)
  // The log only scrolls to its end after hydration, which may be after the first action.
  await expect(async () => {
    await log.evaluate((box) => box.scrollTo({ top: 0 }))
    await expect(mark).toBeInViewport({ timeout: 1000 })
  }).toPass()
  const placeOf = async () => (await mark.boundingBox())?.y ?? Number.NaN
  const before = await placeOf()
  const height = () => log.evaluate((box) => box.scrollHeight)
  const wasHigh = await height()
  await write(server, bob, ann.username, 'from below')
  await expect.poll(height).toBeGreaterThan(wasHigh)
  expect(Math.abs((await placeOf()) - before)).toBeLessThan(2)
  release()
  await expect(page.getByText(/^message 70\b/)).toBeAttached()
  expect(Math.abs((await placeOf()) - before)).toBeLessThan(2)
  await page.getByRole('button', { name: 'Go to the newest' }).click()
  await expect(bubbles(page).last()).toBeInViewport()
  await expect(bubbles(page).last()).toHaveText('from below')
})

test('unread messages are counted until they are seen, and everything works with the keyboard', async ({
  sit,
  server,
  ann,
  bob,
}) => {
  const eve = await register(server.url)
  const page = await sit(ann)
  for (const text of ['one', 'two']) await write(server, bob, ann.username, text)
  await page.goto('/lesson/all')
  const messages = page.getByRole('banner').getByRole('link', { name: /^Messages/ })
  const waiting = messages.getByText('unread message')
  await expect(waiting).toHaveText('2 unread messages')
  await messages.press('Enter')
  const contacts = page.getByRole('region', { name: 'Contacts' })
  await expect(contacts.getByRole('listitem')).toHaveCount(1)
  await expect(contacts.getByText('2 unread messages')).toBeAttached()
  await write(server, eve, ann.username, 'three')
  await expect(contacts.getByRole('listitem').first()).toContainText('three')
  await expect(waiting).toHaveText('3 unread messages')
  await contacts.getByRole('link', { name: `Chat with ${bob.username}` }).press('Enter')
  await expect(page.getByRole('separator')).toHaveText('2 new messages')
  await expect(waiting).toHaveText('1 unread message')
  const list = page.getByRole('navigation', { name: 'Contacts' })
  await expect(list.getByText('1 unread message')).toBeAttached()
  await list.getByRole('link', { name: eve.username }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(eve.username)
  await expect(waiting).toHaveCount(0)

  await page.getByRole('log').focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('log').getByRole('button', { name: 'Report' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('come in')
  await page.keyboard.press('Enter')
  await expect(bubbles(page)).toHaveText(['three', 'come in'])
  for (let back = 0; back < 3; back += 1) await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('a message plays a sound once, unless it is turned off', async ({ sit, server, ann, bob }) => {
  const page = await sit(ann)
  await page.context().addInitScript(() => {
    OscillatorNode.prototype.start = () => {
      document.documentElement.dataset['notes'] = `${notes() + 1}`
    }
    OscillatorNode.prototype.stop = () => {}
    const notes = () => Number(document.documentElement.dataset['notes'] ?? 0)
  })
  await openChat(page, bob.username)
  const second = await page.context().newPage()
  await openChat(second, bob.username)
  const notes = async () => {
    const counts = [page, second].map((each) =>
      each.evaluate(() => Number(document.documentElement.dataset['notes'] ?? 0)),
    )
    return (await Promise.all(counts)).reduce((sum, count) => sum + count)
  }
  const toggle = page.getByRole('button', { name: 'Sound for new messages' })
  await second.getByRole('heading', { level: 1 }).click({ position: { x: 2, y: 2 } })
  await field(page).click()
  await write(server, bob, ann.username, 'ring')
  for (const tab of [page, second]) await expect(bubbles(tab)).toHaveText(['ring'])
  // Both notes come from one tab.
  await expect.poll(notes).toBe(2)
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await toggle.click()
  await write(server, bob, ann.username, 'hush')
  for (const tab of [page, second]) await expect(bubbles(tab)).toHaveText(['ring', 'hush'])
  expect(await notes()).toBe(2)
  await page.reload()
  await expect(toggle).toHaveAttribute('aria-pressed', 'false')
})

test('people are found in any case; nobody writes to themselves', async ({ sit, ann, bob }) => {
  const page = await sit(ann)
  await page.goto('/user-center')
  const search = page.getByRole('region', { name: 'Search for a user' })
  const names = search.getByRole('listitem')
  await search.getByRole('searchbox').fill('nobody has this')
  await search.getByRole('searchbox').press('Enter')
  await expect(search.getByText('Nobody has “nobody has this” in their name.')).toBeVisible()
  expect(await names.count()).toBeGreaterThan(1)
  await search.getByRole('searchbox').fill(bob.username.toUpperCase())
  await search.getByRole('button', { name: 'Search' }).click()
  await expect(names).toHaveCount(1)
  await names.getByRole('link', { name: bob.username, exact: true }).click()
  await page.getByRole('link', { name: 'Message', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`receiver=${bob.username}$`))
  await page.goto(`/chat?receiver=${ann.username}`)
  await expect(page.getByRole('heading', { name: 'You can’t write to yourself.' })).toBeVisible()
})
