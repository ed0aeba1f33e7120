/** Two people talk: live, through cuts, reloads and renames, each message once. */
import { setTimeout } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { bubbles, field, openChat, say, sit, test, write } from './chat-people.ts'
import { expect, holdBack, stored } from './fixtures.ts'
import { register } from './people.ts'
import { startServer } from './server.ts'

const ODD = [
  'Здравей! Как върви шевицата?',
  'Ще пробвам 👩‍👩‍👧 и 🌅',
  'مرحبا بالعالم',
  '<script>window.hacked = true</script><b>a < b & c</b> &amp;',
  'щ'.repeat(200),
  'one\ntwo\n\nfour',
] as const

const htmlOf = (page: Page) =>
  bubbles(page).evaluateAll((all) =>
    all.map((one) => [one.className, one.innerHTML, one.getAttribute('lang')]),
  )

test('who opens a conversation can write at once, and by touch no keyboard covers it or is spoken of', async ({
  browser,
  wire,
  ann,
  bob,
}) => {
  const hers = await sit(browser, wire, ann)
  const page = await openChat(hers, bob.username)
  await expect(field(page)).toBeFocused()
  await expect(page.getByText('Shift and Enter')).toBeVisible()
  // An empty field that is left is nothing to complain of.
  await field(page).blur()
  await expect(field(page)).not.toHaveAttribute('aria-invalid', 'true')
  await hers.close()
  const phone = await sit(browser, wire, ann, { touches: true })
  const small = await openChat(phone, bob.username)
  await expect(field(small)).toBeEditable()
  await expect(field(small)).not.toBeFocused()
  await expect(small.getByText('Shift and Enter')).toBeHidden()
  await phone.close()
})

test('words cross in both directions', async ({ browser, wire, ann, bob }) => {
  const hers = await sit(browser, wire, ann)
  const his = await sit(browser, wire, bob)
  const left = await openChat(hers, bob.username)
  const right = await openChat(his, ann.username)
  await expect(left.getByText('No messages yet.')).toBeVisible()
  for (const text of ODD) {
    await say(left, text)
    await say(right, text)
  }
  const both = 2 * ODD.length
  await expect(bubbles(left)).toHaveCount(both)
  await expect(bubbles(right)).toHaveCount(both)
  await expect(left.locator('[data-message=unsent]')).toHaveCount(0)
  await expect(right.locator('[data-message=unsent]')).toHaveCount(0)
  for (const page of [left, right]) {
    const live = await htmlOf(page)
    expect(live.filter(([name]) => name === 'msg mine')).toHaveLength(ODD.length)
    await page.reload()
    await expect(bubbles(page)).toHaveCount(both)
    expect(await htmlOf(page)).toEqual(live)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  }
  await hers.close()
  await his.close()
})

test('a cut loses nothing and doubles nothing', async ({ browser, wire, ann, bob }) => {
  test.setTimeout(120_000)
  const hers = await sit(browser, wire, ann)
  const his = await sit(browser, wire, bob)
  const left = await openChat(hers, bob.username)
  const right = await openChat(his, ann.username)
  await say(left, 'before')
  await expect(bubbles(right)).toHaveText(['before'])
  wire.proxy.block()
  wire.proxy.cut()
  await say(left, 'from the dark')
  await say(left, 'and one more')
  await write(wire, bob, ann.username, 'past the cut')
  await expect(left.locator('[data-message=unsent]')).toHaveCount(2)
  await expect(left.getByText('Waits to be sent').first()).toBeVisible()
  await expect(left.getByText(/The connection was lost|No connection/).first()).toBeVisible({
    timeout: 20_000,
  })
  wire.proxy.restore()
  for (const page of [left, right]) {
    await expect(bubbles(page)).toHaveText(
      ['before', 'past the cut', 'from the dark', 'and one more'],
      {
        timeout: 40_000,
      },
    )
    await expect(page.locator('[data-message=unsent]')).toHaveCount(0)
    await expect(page.getByRole('status').getByText(/connection/i)).toHaveCount(0, {
      timeout: 40_000,
    })
  }
  await hers.close()
  await his.close()
})

test('a reload keeps what is unsent and what is typed', async ({ browser, wire, ann, bob }) => {
  const hers = await sit(browser, wire, ann)
  const page = await openChat(hers, bob.username)
  await page.route('**/api/message/create', (route) => route.abort())
  await say(page, 'not yet')
  await expect(page.locator('[data-message=unsent]')).toHaveCount(1)
  await field(page).fill('half a thou')
  await stored(page, 'half a thou')
  await page.reload()
  await expect(field(page)).toHaveValue('half a thou')
  await expect(page.locator('[data-message=unsent]')).toHaveText('not yet')
  await page.unroute('**/api/message/create')
  await expect(page.locator('[data-message=unsent]')).toHaveCount(0, { timeout: 40_000 })
  await expect(bubbles(page)).toHaveText(['not yet'])
  await hers.close()
})

test('one who blocked refuses, the words stay', async ({ browser, wire, ann, bob }) => {
  const hers = await sit(browser, wire, ann)
  const his = await sit(browser, wire, bob)
  const left = await openChat(hers, bob.username)
  const right = await openChat(his, ann.username)
  await say(left, 'something rude')
  await expect(bubbles(right)).toHaveCount(1)
  await right.getByRole('log').getByRole('button', { name: 'Report' }).hover()
  await right.getByRole('log').getByRole('button', { name: 'Report' }).click()
  const dialog = right.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send the report' }).click()
  await expect(dialog.getByText('Say what is wrong in 3 to 500 characters.')).toBeVisible()
  await dialog.getByLabel('What is wrong').fill('This is rude')
  const reported = right.waitForRequest('**/api/flag')
  await dialog.getByRole('button', { name: 'Send the report' }).click()
  expect((await reported).postDataJSON()).toMatchObject({ kind: 'message', text: 'This is rude' })
  await expect(right.getByText('The moderators will look at it.')).toBeVisible()
  await right.getByRole('button', { name: 'Block or report' }).click()
  await dialog.getByRole('button', { name: `Report ${ann.username}` }).click()
  await expect(dialog.getByRole('heading')).toHaveText('Report this person')
  await dialog.getByRole('button', { name: 'Not now' }).click()

  await right.getByRole('button', { name: 'Block or report' }).click()
  await dialog.getByRole('button', { name: `Block ${ann.username}`, exact: true }).click()
  await expect(right.getByRole('button', { name: `Unblock ${ann.username}` })).toBeVisible()
  await say(left, 'and again')
  await expect(left.getByText('This person does not take messages from you.')).toBeVisible()
  await right.reload()
  await right.getByRole('button', { name: `Unblock ${ann.username}` }).click()
  await expect(right.getByRole('button', { name: `Unblock ${ann.username}` })).toBeHidden()
  await left.getByRole('button', { name: 'Send again' }).click()
  await expect(bubbles(right)).toHaveText(['something rude', 'and again'])
  await say(left, 'gone')
  await expect(bubbles(right)).toHaveCount(3)
  await hers.close()
  await his.close()
})

test('a new name is followed, an old one leads on', async ({ browser, wire, ann, bob }) => {
  const hers = await sit(browser, wire, ann)
  const his = await sit(browser, wire, bob)
  const left = await openChat(hers, bob.username)
  const right = await openChat(his, ann.username)
  await say(right, 'as I was')
  await expect(bubbles(left)).toHaveCount(1)
  const name = `new-${bob.username}`.slice(0, 20)
  const form = new FormData()
  form.set('username', name)
  const headers = { authorization: `Bearer ${bob.accessToken}` }
  const answer = await fetch(`${wire.url}/api/identity/update`, {
    method: 'PATCH',
    body: form,
    headers,
  })
  expect(answer.status).toBe(200)
  await say(right, 'as I am')
  await expect(bubbles(left)).toHaveText(['as I was', 'as I am'])
  await expect(left).toHaveURL(new RegExp(`receiver=${name}$`))
  await expect(left.getByRole('heading', { level: 1 })).toHaveText(`Chat with ${name}`)
  await say(left, 'Welcome')
  await expect(bubbles(right)).toHaveText(['as I was', 'as I am', 'Welcome'])
  await left.goto(`/chat?receiver=${bob.username}`)
  await expect(left).toHaveURL(new RegExp(`receiver=${name}$`))
  await expect(bubbles(left)).toHaveCount(3)
  await hers.close()
  await his.close()
})

test('a sign-out elsewhere is told', async ({ browser, wire, ann, bob }) => {
  const hers = await sit(browser, wire, ann)
  const page = await openChat(hers, bob.username)
  await say(page, 'still here')
  await expect(bubbles(page)).toHaveCount(1)
  const headers = { authorization: `Bearer ${ann.accessToken}` }
  const answer = await fetch(`${wire.url}/api/identity/sessions/revoke`, {
    method: 'POST',
    headers,
  })
  expect(answer.status).toBe(204)
  await expect(page.getByRole('status').getByText('You are signed out.')).toBeVisible({
    timeout: 30_000,
  })
  await hers.close()
})

test('what comes below does not move what is read', async ({ browser, wire, ann, bob }) => {
  for (let number = 1; number <= 25; number += 1) {
    await write(wire, ann, bob.username, `${number}: ${'a word and '.repeat(12)}`)
  }
  const hers = await sit(browser, wire, ann)
  const page = await openChat(hers, bob.username)
  const log = page.getByRole('log')
  const mark = page.getByText(/^12: /)
  // The log goes to its end once it is awake, which may be after a quick hand.
  await expect(async () => {
    await mark.evaluate((message) => message.scrollIntoView({ block: 'center' }))
    await expect(mark).toBeInViewport({ timeout: 1000 })
  }).toPass()
  const before = await mark.boundingBox()
  const height = await log.evaluate((box) => box.scrollHeight)
  await write(wire, bob, ann.username, 'from below')
  await expect.poll(() => log.evaluate((box) => box.scrollHeight)).toBeGreaterThan(height)
  const after = await mark.boundingBox()
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2)
  await page.getByRole('button', { name: 'To the newest' }).click()
  await expect(bubbles(page).last()).toBeInViewport()
  await hers.close()
})

test('three tabs of one person show the same', async ({ browser, wire, ann, bob }) => {
  const hers = await sit(browser, wire, ann)
  const his = await sit(browser, wire, bob)
  const tabs = [
    await openChat(hers, bob.username),
    await openChat(hers, bob.username),
    await openChat(hers, bob.username),
  ]
  const right = await openChat(his, ann.username)
  const [first] = tabs
  if (first === undefined) throw new Error('no tab')
  await say(first, 'to you')
  await say(right, 'and to you')
  for (const page of [...tabs, right])
    await expect(bubbles(page)).toHaveText(['to you', 'and to you'])
  await hers.close()
  await his.close()
})

test('unread ones are counted until they are seen', async ({ browser, wire, ann, bob }) => {
  const eve = await register(wire.url)
  const hers = await sit(browser, wire, ann)
  const page = await hers.newPage()
  await write(wire, bob, ann.username, 'one')
  await write(wire, bob, ann.username, 'two')
  await page.goto('/lesson/all')
  const messages = page.getByRole('banner').getByRole('link', { name: /^Messages/ })
  const waiting = messages.getByText('unread message')
  await expect(waiting).toHaveText('2 unread messages')
  await messages.click()
  const contacts = page.getByRole('region', { name: 'Contacts' })
  await expect(contacts.getByRole('listitem')).toHaveCount(1)
  await expect(contacts.getByText('2 unread messages')).toBeAttached()
  await write(wire, eve, ann.username, 'three')
  await expect(contacts.getByRole('listitem').first()).toContainText('three')
  await expect(waiting).toHaveText('3 unread messages')
  await contacts.getByRole('link', { name: `Chat with ${bob.username}` }).click()
  await expect(page.getByRole('separator')).toHaveText('2 new messages')
  await expect(waiting).toHaveText('1 unread message')
  const list = page.getByRole('navigation', { name: 'Contacts' })
  await expect(list.getByText('1 unread message')).toBeAttached()
  await list.getByRole('link', { name: eve.username }).click()
  await expect(waiting).toHaveCount(0)
  await hers.close()
})

test('a message sounds once, unless it is switched off', async ({ browser, wire, ann, bob }) => {
  const hers = await sit(browser, wire, ann)
  await hers.addInitScript(() => {
    OscillatorNode.prototype.start = () => {
      document.documentElement.dataset['notes'] = `${notes() + 1}`
    }
    OscillatorNode.prototype.stop = () => {}
    const notes = () => Number(document.documentElement.dataset['notes'] ?? 0)
  })
  const page = await openChat(hers, bob.username)
  const second = await openChat(hers, bob.username)
  const notes = async () => {
    const counts = [page, second].map((each) =>
      each.evaluate(() => Number(document.documentElement.dataset['notes'] ?? 0)),
    )
    return (await Promise.all(counts)).reduce((sum, count) => sum + count)
  }
  const toggle = page.getByRole('button', { name: 'Sound for new messages' })
  await second.getByRole('heading', { level: 1 }).click({ position: { x: 2, y: 2 } })
  await field(page).click()
  await write(wire, bob, ann.username, 'ring')
  await expect(bubbles(page)).toHaveText(['ring'])
  await expect(bubbles(second)).toHaveText(['ring'])
  // Two notes, from one tab.
  await expect.poll(notes).toBe(2)
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await toggle.click()
  await write(wire, bob, ann.username, 'hush')
  await expect(bubbles(page)).toHaveText(['ring', 'hush'])
  await expect(bubbles(second)).toHaveText(['ring', 'hush'])
  expect(await notes()).toBe(2)
  await page.reload()
  await expect(toggle).toHaveAttribute('aria-pressed', 'false')
  await hers.close()
})

test('strangers, oneself and nobody are told apart', async ({ browser, wire, ann, bob }) => {
  const hers = await sit(browser, wire, ann)
  const page = await hers.newPage()
  expect((await page.goto('/chat?receiver=nobody-of-that-name'))?.status()).toBe(404)
  await page.goto(`/chat?receiver=${ann.username}`)
  await expect(page.getByRole('heading', { name: "You can't write to yourself." })).toBeVisible()
  await page.goto('/chat')
  await expect(page.getByRole('heading', { name: 'Choose whom to talk with' })).toBeVisible()
  await page.goto(`/profile/${bob.id}`)
  await page.getByRole('link', { name: 'Message', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`receiver=${bob.username}$`))
  await hers.close()
})

test('a message of 201 is not sent, the rule is said', async ({ browser, wire, ann, bob }) => {
  const hers = await sit(browser, wire, ann)
  const page = await openChat(hers, bob.username)
  const send = page.getByRole('button', { name: 'Send', exact: true })
  const rule = page.getByText('The message must be between 1 and 200 characters.')
  await expect(send).toBeDisabled()
  await field(page).fill('x'.repeat(201))
  await expect(send).toBeDisabled()
  await expect(page.getByText('201 / 200')).toBeVisible()
  await expect(rule).toBeHidden()
  await field(page).blur()
  await expect(rule).toBeVisible()
  await field(page).fill('one')
  await expect(rule).toBeHidden()
  await field(page).press('Shift+Enter')
  await field(page).pressSequentially('two')
  await expect(bubbles(page)).toHaveCount(0)
  await send.click()
  await expect(bubbles(page)).toHaveText('one\ntwo')
  await expect(field(page)).toHaveValue('')
  await expect(field(page)).toBeFocused()
  await hers.close()
})

test('who writes too fast is told to wait', async ({ browser }) => {
  const server = await startServer({ RATE_LIMITS: 'on' })
  // Nothing here is cut: the wire leads straight to the server.
  const wire = { url: server.url, proxy: { url: server.url } }
  const [ann, bob] = [await register(server.url), await register(server.url)]
  const hers = await sit(browser, wire, ann)
  for (let number = 1; number <= 30; number += 1) {
    expect(await write(wire, ann, bob.username, `number ${number}`)).toBe(200)
  }
  expect(await write(wire, ann, bob.username, 'number 31')).toBe(429)
  const page = await openChat(hers, bob.username)
  await say(page, 'one too many')
  await expect(page.getByText(/That was a lot in a minute/)).toBeVisible()
  await expect(page.locator('[data-message=unsent]')).toHaveText('one too many')
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(page.locator('[data-message=unsent]')).toHaveCount(0)
  await hers.close()
  await server.stop()
})

test('older ones come above, nothing moves', async ({ browser, wire, ann, bob }) => {
  for (let number = 1; number <= 30; number += 1) {
    await write(wire, ann, bob.username, `${number}: ${'a word and '.repeat(12)}`)
    await write(wire, bob, ann.username, `${number}: and back`)
  }
  // Two seconds after it was written the server delivers a message itself: a page opened before hears the oldest live.
  await setTimeout(2500)
  const hers = await sit(browser, wire, ann)
  // The older page comes when it is let.
  const release = await holdBack(hers, '**/api/message/all/*?before=*')
  const page = await openChat(hers, bob.username)
  const log = page.getByRole('log')
  await expect(bubbles(page).last()).toBeInViewport()
  await expect(bubbles(page).last()).toHaveText('30: and back')
  const mark = page.getByText('6: and back', { exact: true })
  // The log goes to its end once it is awake, which may be after a quick hand.
  await expect(async () => {
    await log.evaluate((box) => box.scrollTo({ top: 0 }))
    await expect(mark).toBeInViewport({ timeout: 1000 })
  }).toPass()
  const before = await mark.boundingBox()
  release()
  await expect(page.getByText('5: and back', { exact: true })).toBeAttached()
  const after = await mark.boundingBox()
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2)
  await page.getByRole('button', { name: 'To the newest' }).click()
  await expect(bubbles(page).last()).toBeInViewport()
  await hers.close()
})

test('people are found in any case, or all are shown', async ({ browser, wire, ann, bob }) => {
  const hers = await sit(browser, wire, ann)
  const page = await hers.newPage()
  await page.goto('/user-center')
  const search = page.getByRole('region', { name: 'Search for a user' })
  const names = search.getByRole('listitem')
  await search.getByRole('searchbox').fill(bob.username.toUpperCase())
  await search.getByRole('button', { name: 'Search' }).click()
  await expect(names).toHaveCount(1)
  await expect(names.getByRole('link', { name: bob.username, exact: true })).toHaveAttribute(
    'href',
    `/profile/${bob.id}`,
  )
  await search.getByRole('searchbox').fill('nobody has this')
  await search.getByRole('searchbox').press('Enter')
  await expect(search.getByText('Nobody has “nobody has this” in their name.')).toBeVisible()
  expect(await names.count()).toBeGreaterThan(1)
  await hers.close()
})

test('all is done by keys alone', async ({ browser, wire, ann, bob }) => {
  await write(wire, bob, ann.username, 'knock')
  const hers = await sit(browser, wire, ann)
  const page = await hers.newPage()
  await page.goto('/chat')
  await page.getByRole('navigation', { name: 'Contacts' }).getByRole('link').first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(bob.username)
  await expect(field(page)).toBeVisible()
  await page.getByRole('log').focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('log').getByRole('button', { name: 'Report' }).last()).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('come in')
  await page.keyboard.press('Enter')
  await expect(bubbles(page)).toHaveText(['knock', 'come in'])
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await hers.close()
})
