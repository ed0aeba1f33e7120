/** What is pressed or typed while the page's script is still on its way is done when it has come, and once. */
import type { Page } from '@playwright/test'
import { expect, followRequests, holdBack, test } from './fixtures.ts'
import { publish, register, type Registered } from './people.ts'

/** Opens a page whose scripts wait; answers what lets them come. */
async function openAsleep(page: Page, address: string): Promise<() => void> {
  const release = await holdBack(page, '**/*.js')
  await page.goto(address, { waitUntil: 'commit' })
  return release
}

const enter = (page: Page, person: Registered) => page.context().addCookies([person.cookie])
const isAsleep = (page: Page) => page.evaluate(() => 'earlyPress' in window)

test('a like is given once', async ({ page, server }) => {
  const lesson = await publish(server.url, await register(server.url))
  await enter(page, await register(server.url))
  const likes: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/lesson/like/')) likes.push(request.method())
  })
  const wake = await openAsleep(page, `/lesson/details/${lesson}`)
  const like = page.getByRole('button', { name: 'Like', exact: true })
  await like.click()
  await like.click()
  expect(await isAsleep(page)).toBe(true)
  expect(likes).toEqual([])
  wake()
  await expect(page.getByRole('button', { name: 'Liked' })).toBeDisabled()
  await expect(page.locator('[data-figures]').getByText('1 like')).toBeVisible()
  expect(await isAsleep(page)).toBe(false)
  expect(likes).toHaveLength(1)
})

test('the dialog of a block and of an unlock opens', async ({ page, server }) => {
  const author = await register(server.url)
  const lesson = await publish(server.url, author)
  const person = await register(server.url)
  await publish(server.url, person)
  await enter(page, person)
  for (const [address, button, says] of [
    [`/profile/${author.id}`, `Block ${author.username}`, 'neither here nor by mail'],
    [`/lesson/details/${lesson}`, 'Unlock for 100', 'Unlock for 100'],
  ] as const) {
    const wake = await openAsleep(page, address)
    await page.getByRole('main').getByRole('button', { name: button, exact: true }).click()
    expect(await isAsleep(page)).toBe(true)
    wake()
    await expect(page.getByRole('dialog')).toContainText(says)
  }
})

test('the last press counts, and a menu that opened by itself stays open', async ({
  page,
  server,
}) => {
  const author = await register(server.url)
  const person = await register(server.url)
  await enter(page, person)
  const wake = await openAsleep(page, `/profile/${author.id}`)
  const menu = page.locator('#menu-me')
  await page.getByRole('button', { name: `Account of ${person.username}` }).click()
  await expect(menu).toBeVisible()
  wake()
  await expect.poll(() => isAsleep(page)).toBe(false)
  await expect(menu).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('what is typed stays, and the form knows it', async ({ page, server }) => {
  await enter(page, await register(server.url))
  const wake = await openAsleep(page, '/lesson/create')
  await page.locator('input[name=title]').fill('A knot that holds')
  await page.locator('input[name=description]').fill('How to tie it and when to trust it')
  expect(await isAsleep(page)).toBe(true)
  wake()
  await expect.poll(() => isAsleep(page)).toBe(false)
  await expect(page.locator('input[name=title]')).toHaveValue('A knot that holds')
  const reason = page.getByText('Still missing').last()
  await expect(reason).toContainText('Video')
  await expect(reason).not.toContainText('Title')
  await expect(reason).not.toContainText('Description')
})

test('whoever is typing when the page wakes goes on typing', async ({ page, server }) => {
  await enter(page, await register(server.url))
  const wake = await openAsleep(page, '/lesson/create')
  const title = page.locator('input[name=title]')
  await title.fill('A knot holds')
  await page.keyboard.press('ArrowLeft')
  for (let left = 0; left < 'holds'.length - 1; left += 1) await page.keyboard.press('ArrowLeft')
  expect(await isAsleep(page)).toBe(true)
  wake()
  await expect.poll(() => isAsleep(page)).toBe(false)
  await page.keyboard.type('that ')
  await expect(title).toHaveValue('A knot that holds')
  await expect(title).toBeFocused()
})

test('what is selected in a field when the page wakes is replaced by what is typed', async ({
  page,
  server,
}) => {
  const person = await register(server.url)
  await enter(page, person)
  for (const [name, value] of [
    ['username', person.username],
    ['email', person.email],
  ] as const) {
    const wake = await openAsleep(page, '/profile/update')
    const field = page.locator(`input[name=${name}]`)
    await expect(field).toHaveValue(value)
    await field.selectText()
    expect(await isAsleep(page)).toBe(true)
    wake()
    await expect.poll(() => isAsleep(page)).toBe(false)
    await page.keyboard.type('another')
    await expect(field).toHaveValue('another')
    await page.unrouteAll()
  }
})

test('the caret stays where it was in a field that was typed into', async ({ page, server }) => {
  await enter(page, await register(server.url))
  const wake = await openAsleep(page, '/profile/update')
  const field = page.locator('input[name=username]')
  await field.fill('ab')
  await page.keyboard.press('ArrowLeft')
  expect(await isAsleep(page)).toBe(true)
  wake()
  await expect.poll(() => isAsleep(page)).toBe(false)
  await page.keyboard.type('-')
  await expect(field).toHaveValue('a-b')
})

/** Sends a wrong password from a login that is asleep. */
async function beRefused(page: Page, { username }: Registered): Promise<void> {
  await page.locator('input[name=username]').fill(username)
  await page.locator('input[name=password]').fill('another one')
  await page.locator('input[name=password]').press('Enter')
  await expect(page.getByRole('alert')).toBeVisible()
}

test('whoever types into a login that was refused before the page woke goes on typing', async ({
  page,
  server,
}) => {
  const person = await register(server.url)
  const wake = await openAsleep(page, '/login')
  await beRefused(page, person)
  const password = page.locator('input[name=password]')
  await password.fill(person.password.slice(0, -1))
  expect(await isAsleep(page)).toBe(true)
  const settled = followRequests(page)
  wake()
  await expect.poll(() => isAsleep(page)).toBe(false)
  await expect(password).toBeFocused()
  // Nor do the rules take the focus, which come because somebody is in the form.
  await settled()
  await expect(password).toBeFocused()
  await page.keyboard.type(person.password.slice(-1))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: `Account of ${person.username}` })).toBeVisible()
})

test('where nobody types yet, the page that says a refusal wakes at its words', async ({
  page,
  server,
}) => {
  const person = await register(server.url)
  const wake = await openAsleep(page, '/login')
  await beRefused(page, person)
  expect(await isAsleep(page)).toBe(true)
  wake()
  await expect.poll(() => isAsleep(page)).toBe(false)
  await expect(page.getByRole('alert')).toBeFocused()
})

test('what is emptied stays empty, and a tick as it was set', async ({ page, server }) => {
  await enter(page, await register(server.url))
  const wake = await openAsleep(page, '/profile/update')
  const field = page.locator('input[name=username]')
  const [hides, notices] = ['hideEmail', 'notices'].map((name) =>
    page.locator(`input[name=${name}]`),
  )
  if (hides === undefined || notices === undefined) throw new Error('two ticks')
  await expect(hides).not.toBeChecked()
  await expect(notices).toBeChecked()
  await field.fill('')
  await hides.check()
  await notices.uncheck()
  expect(await isAsleep(page)).toBe(true)
  wake()
  await expect.poll(() => isAsleep(page)).toBe(false)
  await expect(page.getByText('Still missing').first()).toContainText('Username')
  await expect(field).toHaveValue('')
  await expect(hides).toBeChecked()
  await expect(notices).not.toBeChecked()
})

test('what is emptied stays empty in a form that is made again', async ({ page, server }) => {
  const author = await register(server.url)
  const lesson = await publish(server.url, author)
  await enter(page, author)
  const wake = await openAsleep(page, `/lesson/edit/${lesson}`)
  const title = page.locator('input[name=title]')
  await expect(title).not.toHaveValue('')
  await title.fill('')
  expect(await isAsleep(page)).toBe(true)
  wake()
  await expect.poll(() => isAsleep(page)).toBe(false)
  await expect(page.getByText('Still missing').last()).toContainText('Title')
  await expect(title).toHaveValue('')
})

test('a page wakes in slices, between which it answers', async ({ page, browser, server }) => {
  expect(browser.browserType().name()).toBe('chromium')
  const author = await register(server.url)
  for (let lessons = 0; lessons < 4; lessons += 1) await publish(server.url, author)
  // React goes on after each slice by a message to itself.
  await page.addInitScript(() => {
    let slices = 0
    const descriptor = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'postMessage')
    const post: unknown = descriptor?.value
    if (typeof post !== 'function') return
    const counted = new Proxy(post, {
      apply: (called, port, sent) => {
        if ('earlyPress' in window) slices += 1
        document.documentElement.dataset['slices'] = `${slices}`
        return Reflect.apply(called, port, sent)
      },
    })
    Object.defineProperty(MessagePort.prototype, 'postMessage', { ...descriptor, value: counted })
  })
  const phone = await page.context().newCDPSession(page)
  await phone.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  await page.goto('/')
  await expect.poll(() => isAsleep(page)).toBe(false)
  const slices = await page.locator('html').getAttribute('data-slices')
  expect(Number(slices)).toBeGreaterThan(5)
})
