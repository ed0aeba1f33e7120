/** Tests that a draft goes on on another device, that no text replaces a newer one, and that nothing typed is lost. */
import type { BrowserContext, Page, Route } from '@playwright/test'
import type { ListedDraft } from '#contract/drafts.ts'
import { awake, expect, holdBack, intercept, stored, test, writePicture } from './fixtures.ts'
import { call, publish, register, type Registered } from './people.ts'
import { fillLesson } from './publish-by-form.ts'

const titleOf = (page: Page) => page.locator('input[name=title]')
const note = (page: Page) => page.getByRole('note')
const button = (page: Page, name: string) => page.getByRole('button', { name })

/** Opens a form whose timers the test controls. */
async function open(page: Page, path: string): Promise<void> {
  await page.clock.install()
  await page.goto(path)
  await awake(page)
  await expect(page.locator('.ProseMirror')).toBeVisible()
}

/** Types a title, and lets the time pass after which a draft is sent. */
async function typeAndPause(page: Page, title: string): Promise<void> {
  await titleOf(page).fill(title)
  await page.clock.runFor(1000)
  await stored(page, title)
  await page.clock.runFor(10_000)
}

const draftsOf = (url: string, person: Registered) =>
  call<ListedDraft[]>(url, person, 'GET', '/draft/all')
const titlesOf = async (url: string, person: Registered) =>
  (await draftsOf(url, person)).map(({ title }) => title)

test('a lesson begun on a laptop goes on on a phone and back, and newer text wins', async ({
  page: laptop,
  sit,
  server: { url },
}, info) => {
  const person = await register(url)
  await laptop.context().addCookies([person.cookie])
  await open(laptop, '/lesson/create')
  const picture = await writePicture(info.outputDir, 'chosen.jpg', 648)
  await laptop.locator('input[type=file]').first().setInputFiles(picture)
  await titleOf(laptop).fill('Of the laptop')
  await laptop.clock.runFor(1000)
  await stored(laptop, 'Of the laptop')
  expect(await draftsOf(url, person)).toEqual([])
  await laptop.clock.runFor(10_000)
  await expect(laptop.getByText(/^Draft saved, /)).toBeVisible()
  expect(await titlesOf(url, person)).toEqual(['Of the laptop'])

  const phone = await sit(person, { viewport: { width: 390, height: 844 } })
  await open(phone, '/lesson/create')
  await expect(note(phone)).toContainText('that you saved elsewhere')
  await button(phone, 'Continue with it').click()
  await expect(titleOf(phone)).toHaveValue('Of the laptop')
  await expect(phone.getByText(/^Goes on from your other device, /)).toBeVisible()
  await expect
    .poll(() =>
      phone.locator('[data-preview] img').evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBe(648)
  await typeAndPause(phone, 'Of the phone')
  await expect(phone.getByText(/^Draft saved, /)).toBeVisible()

  // The laptop's form is still open: its text is refused and stays there.
  await typeAndPause(laptop, 'Of the laptop again')
  await expect(laptop.getByText('There’s a newer draft of this')).toBeVisible()
  expect(await titlesOf(url, person)).toEqual(['Of the phone'])
  await button(laptop, 'Continue with it').click()
  await expect(titleOf(laptop)).toHaveValue('Of the phone')
  await expect(note(laptop)).toHaveCount(1)
  await button(laptop, 'Continue with it').click()
  await expect(titleOf(laptop)).toHaveValue('Of the laptop again')
  await laptop.clock.runFor(10_000)
  await expect.poll(() => titlesOf(url, person)).toEqual(['Of the laptop again'])

  // A form without typed text takes the newer draft automatically.
  await phone.reload()
  await expect(titleOf(phone)).toHaveValue('Of the laptop again')
  await button(phone, 'Discard').first().click()
  await expect(titleOf(phone)).toHaveValue('')
  await expect.poll(() => draftsOf(url, person)).toEqual([])
})

test('after publishing, a late save does not bring the draft back', async ({
  page,
  server: { url },
}, info) => {
  const person = await register(url)
  await page.context().addCookies([person.cookie])
  await page.clock.install()
  await page.goto('/lesson/create')
  await fillLesson(page, await writePicture(info.outputDir), { title: 'Soon published' })
  await page.clock.runFor(11_000)
  await expect.poll(() => titlesOf(url, person)).toEqual(['Soon published'])
  const release = await holdBack(page, '**/api/draft/**')
  await titleOf(page).fill('Published')
  await page.clock.runFor(1000)
  const late = page.waitForRequest((request) => request.method() === 'PUT')
  await page.clock.runFor(10_000)
  await late
  await button(page, 'Publish').click()
  await expect(page).toHaveURL(/\/lesson\/details\/\d+$/)
  const ended = page.waitForResponse((response) => response.request().method() === 'DELETE')
  release()
  await ended
  await expect.poll(() => draftsOf(url, person)).toEqual([])
  await page.goto('/lesson/create')
  await expect(titleOf(page)).toHaveValue('')
  await expect(note(page)).toHaveCount(0)
})

test('a draft that is older than its lesson says so', async ({ page, sit, server: { url } }) => {
  const person = await register(url)
  const id = await publish(url, person)
  await page.context().addCookies([person.cookie])
  await open(page, `/lesson/edit/${id}`)
  await typeAndPause(page, 'Begun before')
  await expect.poll(() => titlesOf(url, person)).toEqual(['Begun before'])
  const changed = new FormData()
  changed.set('title', 'Saved meanwhile')
  const headers = { authorization: `Bearer ${person.accessToken}` }
  const saved = await fetch(`${url}/api/lesson/${id}`, { method: 'PATCH', body: changed, headers })
  expect(saved.status).toBe(200)
  const phone = await sit(person)
  await phone.goto(`/lesson/edit/${id}`)
  await expect(note(phone)).toContainText('The lesson was saved after that.')
  await expect(titleOf(phone)).toHaveValue('Saved meanwhile')
  await button(phone, 'Continue with it').click()
  await expect(titleOf(phone)).toHaveValue('Begun before')
})

test('what is typed offline, or does not fit, stays in the browser and is sent later', async ({
  page,
  context,
  server: { url },
}) => {
  const person = await register(url)
  await context.addCookies([person.cookie])
  await open(page, '/lesson/create')
  await context.setOffline(true)
  await typeAndPause(page, 'Typed offline')
  await expect(page.getByText('once the server can be reached')).toBeVisible()
  await context.setOffline(false)
  // If the first request still fails, another follows half a minute later.
  const later = async () => {
    await page.clock.runFor(30_000)
    return titlesOf(url, person)
  }
  await expect.poll(later).toEqual(['Typed offline'])
  const refusal = {
    type: 'urn:knowledge-bazaar:draftsFull',
    title: 'You have 50 drafts.',
    status: 409,
  }
  await intercept(page, '**/api/draft/lesson-*', (route) =>
    route.fulfill({ status: 409, json: refusal }),
  )
  await typeAndPause(page, 'One too many')
  await expect(page.getByText('Kept only in this browser: You have 50 drafts.')).toBeVisible()
  await page.reload()
  await expect(titleOf(page)).toHaveValue('One too many')
})

test('signing out sends the last words first, and asks if it can’t', async ({
  context,
  sit,
  server: { url },
}) => {
  const person = await register(url)
  await context.addCookies([person.cookie])
  const typeHere = async (page: Page, title: string) => {
    await open(page, '/lesson/create')
    await titleOf(page).fill(title)
    await page.clock.runFor(1000)
    await stored(page, title)
  }
  const signOut = async (from: BrowserContext) => {
    const page = await from.newPage()
    await page.goto('/logout')
    return page
  }
  const form = await context.newPage()
  await context.route('**/api/draft/lesson-*', (route) => route.abort())
  await typeHere(form, 'Last words')
  const asked = await signOut(context)
  await expect(button(asked, 'Sign out and discard it')).toBeVisible()
  await context.unroute('**/api/draft/lesson-*')
  const left = await signOut(context)
  await expect(left.getByRole('banner').getByRole('link', { name: 'Register' })).toBeVisible()
  expect(await left.evaluate(() => JSON.stringify(localStorage))).not.toContain('Last words')
  const back = await sit(person)
  await back.goto('/lesson/create')
  await button(back, 'Continue with it').click()
  await expect(titleOf(back)).toHaveValue('Last words')
})

test('a lost answer is no newer draft, and a draft that ended elsewhere leaves the form', async ({
  page,
  server: { url },
}, info) => {
  const person = await register(url)
  await page.context().addCookies([person.cookie])
  await open(page, '/lesson/create')
  const loseOne = async (route: Route) => {
    await route.fetch()
    await route.abort()
  }
  await intercept(page, '**/api/draft/lesson-*', loseOne, { times: 1 })
  const refuse = (route: Route) => route.fulfill({ status: 413, json: {} })
  await intercept(page, '**/api/upload/resource', refuse)
  const picture = await writePicture(info.outputDir)
  await page.locator('input[type=file]').first().setInputFiles(picture)
  await typeAndPause(page, 'First words')
  await expect(page.getByText('once the server can be reached')).toBeVisible()
  await typeAndPause(page, 'More words')
  await expect(page.getByText(/^Draft saved, .*without its picture/)).toBeVisible()
  await expect(note(page)).toHaveCount(0)
  const [draft] = await draftsOf(url, person)
  expect(draft).toMatchObject({ title: 'More words', version: 2 })
  await call(url, person, 'DELETE', `/draft/${draft?.key}`)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(titleOf(page)).toHaveValue('')
})

test('nothing goes to the account of another person who signs in', async ({
  page,
  server: { url },
}) => {
  const [ann, bob] = [await register(url), await register(url)]
  await page.context().addCookies([ann.cookie])
  await open(page, '/lesson/create')
  await titleOf(page).fill('Of Ann')
  await page.clock.runFor(1000)
  await stored(page, 'Of Ann')
  // The first request is refused, and its token is renewed after Bob has signed in in another tab.
  const headers = { origin: url, cookie: `${bob.cookie.name}=${bob.cookie.value}` }
  const session = await fetch(`${url}/api/identity/refresh`, { method: 'POST', headers })
  const json: unknown = await session.json()
  await intercept(page, '**/api/identity/refresh', (route) => route.fulfill({ json }))
  const senders: (string | undefined)[] = []
  await intercept(page, '**/api/draft/lesson-*', (route) => {
    senders.push(route.request().headers()['authorization'])
    return route.fulfill({ status: 401, json: {} })
  })
  await page.clock.runFor(10_000)
  await expect(titleOf(page)).toHaveValue('')
  await page.clock.runFor(60_000)
  expect(senders).toHaveLength(1)
  expect(senders).not.toContain(`Bearer ${bob.accessToken}`)
  await stored(page, 'Of Ann')
})

test('the tab of drafts continues one, and discards one with a way back', async ({
  page,
  server: { url },
}) => {
  const person = await register(url)
  const id = await publish(url, person)
  await page.context().addCookies([person.cookie])
  await page.goto('/course/yours?show=drafts')
  await expect(page.getByText('No drafts')).toBeVisible()
  const save = (key: string, values: object) =>
    call(url, person, 'PUT', `/draft/${key}`, { base: 0, values })
  await save(`lesson-${id}`, { title: 'Better title', version: 1 })
  await save('lesson-new', {})
  await page.goto('/lesson/yours')
  await page.getByRole('link', { name: 'Drafts 2' }).click()
  await awake(page)
  const lines = page.getByRole('main').getByRole('listitem')
  await expect(lines.first()).toContainText(/Untitled.*New lesson/)
  await expect(lines.last()).toContainText(/Better title.*Changes to/)
  await button(page, 'Discard “Untitled”').click()
  await expect(button(page, 'Undo')).toBeFocused()
  expect(await titlesOf(url, person)).toEqual(['Better title'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Continue with “Untitled”' })).toBeFocused()
  expect(await titlesOf(url, person)).toEqual(['', 'Better title'])
  await page.getByRole('link', { name: 'Continue with “Better title”' }).click()
  await expect(titleOf(page)).toHaveValue('Better title')
})
