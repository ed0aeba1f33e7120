/** A course from its sale to its end: locked, unlocked, read to the last lesson, deleted and paid back. */
import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'
import { type MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { balanceOf, expect, test, visit } from './fixtures.ts'
import { publish, register, type Registered } from './people.ts'

const TITLES = [
  'Bowline',
  'Clove hitch',
  'Sheet bend',
  'Figure eight',
  'Reef knot',
  'Булин',
] as const

interface Shelf {
  readonly author: Registered
  readonly course: number
  readonly lessons: readonly number[]
}

/** Six lessons of a new author and the course of them; `preview` is the place of the lesson that is open to all. */
async function putTogether(url: string, preview?: number): Promise<Shelf> {
  const author = await register(url)
  const lessons: number[] = []
  for (const title of TITLES) lessons.push(await publish(url, author, { title }))
  const picture = await sharp({
    create: { width: 640, height: 360, channels: 3, background: '#4c5a23' },
  })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.set('title', 'Six knots')
  form.set('description', 'All that holds a small boat')
  form.set('image', new File([new Uint8Array(picture)], 'picture.jpg', { type: 'image/jpeg' }))
  for (const id of lessons) form.append('lessons', String(id))
  if (preview !== undefined) form.set('freePreview', String(lessons[preview]))
  const headers = { authorization: `Bearer ${author.accessToken}` }
  const response = await fetch(`${url}/api/course/create`, { method: 'POST', body: form, headers })
  const answer = (await response.json()) as { id: number }
  if (!response.ok) throw new Error(`create answered ${response.status}: ${JSON.stringify(answer)}`)
  return { author, course: answer.id, lessons }
}

/** Somebody with that many lessons of their own, and 100 KB Points for each. */
async function earn(url: string, lessons: number): Promise<Registered> {
  const learner = await register(url)
  for (let count = 0; count < lessons; count += 1) await publish(url, learner)
  return learner
}

async function open(browser: Browser, person: Registered, locale = 'en-GB'): Promise<Page> {
  const context = await browser.newContext({ locale })
  await context.addCookies([person.cookie])
  return context.newPage()
}

const pile = (page: Page) => page.locator('aside ol')

const say = (key: MessageKey, values?: MessageValues) => translate('en', key, values)
const tag = 'en-GB'

test(`a learner buys a course and reads it through`, async ({ browser, server }) => {
  test.setTimeout(90_000)
  const { course, lessons } = await putTogether(server.url)
  const page = await open(browser, await earn(server.url, 6), tag)
  await page.goto(`/course/details/${course}/${lessons[0]}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Six knots')
  await expect(page.getByRole('main')).not.toContainText(say('playVideo'))
  await page.getByRole('button', { name: say('unlockFor', { price: '500' }) }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(say('thisCourse'))
  await dialog.getByRole('button', { name: say('unlockFor', { price: '500' }) }).click()
  await expect(page.getByText(say('successBoughtCourse'))).toBeVisible()
  await expect(page).toHaveURL(/\/course\/bought$/)
  await expect.poll(() => balanceOf(page)).toBe(100)

  await page
    .getByRole('main')
    .getByRole('link', { name: /Six knots/ })
    .first()
    .click()
  await expect(page).toHaveURL(`/course/details/${course}/${lessons[0]}`)
  for (const title of TITLES.slice(1)) {
    await page
      .getByRole('navigation', { name: say('courseTurn') })
      .getByRole('link', { name: `${say('courseDoneNext')} ${title}` })
      .click()
    await expect(page.getByRole('heading', { level: 2, name: title })).toBeVisible()
    await expect(pile(page).locator('[aria-current]')).toContainText(title)
  }
  await expect(page).toHaveURL(`/course/details/${course}/${lessons[5]}`)
  await expect(page.getByText(say('courseProgress', { done: 5, total: 6, left: 1 }))).toBeVisible()
  await page.getByRole('button', { name: say('courseDoneLast') }).click()
  const allDone = page.getByText(say('courseAllDone', { total: 6 }))
  await expect(allDone.last()).toBeFocused()
  await expect(allDone).toHaveCount(2)
  await page.reload()
  await expect(allDone).toHaveCount(2)

  await page.goto(`/course/details/${course}`)
  await expect(page.getByRole('heading', { level: 2, name: TITLES[0] })).toBeVisible()
  await page
    .getByRole('link', { name: say('courseResume', { title: 'Булин' }).replaceAll(/<.*?>/g, '') })
    .click()
  await expect(page).toHaveURL(`/course/details/${course}/${lessons[5]}`)

  await page.goto(`/lesson/details/${lessons[2]}`)
  await expect(page.getByRole('button', { name: say('playVideo') })).toBeVisible()
  await page.context().close()
})

test('too few points lead to a way to earn them', async ({ browser, server }) => {
  const { course } = await putTogether(server.url)
  const page = await open(browser, await earn(server.url, 1))
  await page.goto(`/course/details/${course}`)
  await expect(page.getByRole('button', { name: '400 points missing' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Unlock for 500' })).toHaveCount(0)
  await page.context().close()
})

test('a locked course is no dead end, for a guest neither', async ({ page, server }) => {
  await putTogether(server.url)
  const { course } = await putTogether(server.url)
  await visit(page, `/course/details/${course}`)
  // Their lessons have one tag, and nobody has unlocked any.
  const others = page.getByRole('region', { name: 'On the same subject' })
  await others.getByRole('article').first().getByRole('link', { name: 'Details' }).click()
  await expect(page).not.toHaveURL(new RegExp(`/course/details/${course}$`))
  await expect(page.getByRole('heading', { name: 'Six knots', level: 1 })).toBeVisible()
})

test('the owner of one lesson finds it in the locked course', async ({ browser, server }) => {
  const { course, lessons } = await putTogether(server.url)
  const learner = await earn(server.url, 1)
  const headers = { authorization: `Bearer ${learner.accessToken}` }
  const bought = await fetch(`${server.url}/api/lesson/buy/${lessons[1]}`, {
    method: 'POST',
    headers,
  })
  expect(bought.status).toBe(200)
  const page = await open(browser, learner)
  for (const lesson of lessons.slice(0, 2)) {
    await page.goto(`/course/details/${course}/${lesson}`)
    await expect(page.getByRole('region', { name: 'Price' })).toBeVisible()
    await expect(page.locator('.prose')).toHaveCount(0)
  }
  const inside = page.locator('[data-contents]')
  await expect(inside.getByRole('link')).toHaveText(['Clove hitch'])
  await inside.getByRole('link').click()
  await expect(page).toHaveURL(`/lesson/details/${lessons[1]}`)
  await expect(page.getByRole('button', { name: 'Play the video' })).toBeVisible()
  await page.context().close()
})

test('a guest reads the free preview without script', async ({ browser, server }) => {
  const { course, lessons } = await putTogether(server.url, 2)
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url })
  const page = await context.newPage()
  await page.goto(`/course/details/${course}`)
  await expect(page.getByRole('link', { name: 'Register to unlock' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Like' })).toHaveCount(0)
  await expect(page.locator('.prose')).toHaveCount(0)
  await page.locator('[data-contents]').getByRole('link', { name: 'Sheet bend' }).click()
  await expect(page).toHaveURL(`/course/details/${course}/${lessons[2]}`)
  await expect(page.locator('.prose')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Register to unlock' })).toBeVisible()
  await pile(page).getByText('Bowline').click()
  await expect(page).toHaveURL(`/course/details/${course}/${lessons[0]}`)
  await expect(page.locator('.prose')).toHaveCount(0)
  await context.close()
})

test('what is no lesson of the course opens the first', async ({ browser, server }) => {
  const { author, course } = await putTogether(server.url)
  const page = await open(browser, author)
  for (const lesson of ['999999', 'word', '-1', '0', '99999999999999999999']) {
    expect((await page.goto(`/course/details/${course}/${lesson}`))?.status()).toBe(200)
    await expect(page.getByRole('heading', { level: 2, name: TITLES[0] })).toBeVisible()
  }
  for (const id of ['999999', 'word']) {
    expect((await page.goto(`/course/details/${id}`))?.status()).toBe(404)
    await expect(page.getByRole('main')).toContainText('Course not found or deleted (sorry)')
  }
  await page.context().close()
})

test('lessons are turned by the keyboard alone', async ({ browser, server }) => {
  const { author, course, lessons } = await putTogether(server.url)
  const page = await open(browser, author)
  await page.goto(`/course/details/${course}`)
  // Nothing tells that the page hears keys already: what came too early is pressed again.
  await expect(async () => {
    if (page.url().endsWith(`/${course}`)) await page.keyboard.press('Alt+n')
    await expect(page).toHaveURL(`/course/details/${course}/${lessons[1]}`, { timeout: 3000 })
  }).toPass()
  await expect(page.getByRole('heading', { level: 2, name: TITLES[1] })).toBeVisible()
  await page.keyboard.press('Alt+p')
  await expect(page).toHaveURL(`/course/details/${course}/${lessons[0]}`)
  await page.context().close()
})

test('a player tells its place and its end', async ({ browser, server }) => {
  const { author, course, lessons } = await putTogether(server.url)
  const page = await open(browser, author)
  await page.route('https://www.youtube-nocookie.com/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<script>
        const tell = (info) => parent.postMessage(JSON.stringify({ event: 'infoDelivery', info }), '*')
        addEventListener('message', () => { tell({ duration: 840 }); tell({ currentTime: 380 }) })
        addEventListener('click', () => tell({ playerState: 0 }))
      </script><p>player</p>`,
    }),
  )
  await page.goto(`/course/details/${course}/${lessons[2]}`)
  await page.getByRole('button', { name: 'Play the video' }).click()
  await expect(pile(page).locator('[aria-current]')).toContainText('6:20 of 14:00')
  await page.goto(`/lesson/details/${lessons[2]}`)
  await expect(page.getByRole('button', { name: 'Continue at 6:20' })).toBeVisible()
  await page.goto(`/course/details/${course}/${lessons[2]}`)
  await page.getByRole('button', { name: 'Continue at 6:20' }).click()
  await expect(page.locator('iframe')).toHaveAttribute('src', /start=380/)
  await page.frameLocator('iframe').getByText('player').click()
  await expect(page.getByText('1 of 6 done')).toBeVisible()
  await page.context().close()
})

test('deleting a course pays its buyers back', async ({ browser, server }) => {
  const { author, course, lessons } = await putTogether(server.url)
  const learner = await earn(server.url, 5)
  const headers = { authorization: `Bearer ${learner.accessToken}` }
  const bought = await fetch(`${server.url}/api/course/buy/${course}`, { method: 'POST', headers })
  expect(await bought.json()).toEqual({ kbPoints: 0 })

  const owner = await open(browser, author)
  await owner.goto(`/course/details/${course}`)
  // The reward for six lessons and the course, and the share of the sale.
  await expect.poll(() => balanceOf(owner)).toBe(1150)
  await owner.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = owner.getByRole('dialog')
  await expect(dialog).toContainText('1 person has unlocked it and gets 500 KB Points back')
  await expect(dialog).toContainText('−500')
  await dialog.getByRole('button', { name: 'Delete course' }).click()
  // First what stays for 2.5 seconds only.
  await expect(owner.getByText('Successfully deleted course!')).toBeVisible()
  await expect(owner).toHaveURL('/course/all')
  await expect.poll(() => balanceOf(owner)).toBe(600)
  await owner.context().close()

  const buyer = await open(browser, learner)
  await buyer.goto('/points')
  await expect.poll(() => balanceOf(buyer)).toBe(500)
  expect((await buyer.goto(`/course/details/${course}`))?.status()).toBe(404)
  await buyer.goto(`/lesson/details/${lessons[0]}`)
  await expect(buyer.getByRole('button', { name: 'Unlock for 100' })).toBeVisible()
  await buyer.context().close()
})

test('deleting a lesson names the course that loses its reward', async ({ browser, server }) => {
  const { author, lessons } = await putTogether(server.url)
  const page = await open(browser, author)
  await page.goto(`/lesson/details/${lessons[0]}`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Six knots loses its reward of 500 KB Points')
  await expect(dialog).toContainText('Reward of “Six knots” taken back')
  await page.context().close()
})
