/** Tests creating and editing a course: choosing and ordering lessons, publishing, lists. */
import type { Page } from '@playwright/test'
import { awake, balanceOf, expect, test, visit, writePicture } from './fixtures.ts'
import {
  call,
  publish,
  publishCourse,
  register,
  registerAdministrator,
  signIn,
  type Registered,
} from './people.ts'

const TITLES = ['Ash', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Ginkgo', 'Hazel'] as const

interface Author extends Registered {
  readonly lessons: readonly number[]
}

async function authorOf(url: string, titles: readonly string[]): Promise<Author> {
  const person = await register(url)
  const lessons: number[] = []
  for (const title of titles) lessons.push(await publish(url, person, { title }))
  return { ...person, lessons }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const order = (page: Page) =>
  page.getByRole('list', { name: 'Order of the lessons' }).getByRole('listitem')
const tick = (page: Page, title: string) => page.getByRole('checkbox', { name: title })
const publishButton = (page: Page) => page.getByRole('button', { name: /^Publish/ })
const preview = (page: Page) => page.getByLabel('Free preview')

async function fill(page: Page, picture: string, title: string): Promise<void> {
  await awake(page)
  await page.locator('input[name=title]').fill(title)
  await page.locator('input[name=description]').fill('Trees by their leaves alone')
  await page.locator('input[type=file]').first().setInputFiles(picture)
}

test('the form requires enough lessons, which are chosen and ordered with the keyboard', async ({
  page,
  server,
}, info) => {
  const author = await authorOf(server.url, TITLES.slice(0, 5))
  await signIn(page, server.url, author)
  await visit(page, '/course/create')
  await expect(publishButton(page)).toBeDisabled()
  await expect(page.getByRole('main')).toContainText(
    'A course needs at least 6 of your lessons, and you have 5',
  )
  await expect(publishButton(page)).toHaveAccessibleDescription(
    'You need at least 6 lessons to create a course.',
  )
  await expect(page.getByRole('main').getByRole('link', { name: 'Create a lesson' })).toBeVisible()

  const lessons = [...author.lessons]
  for (const title of TITLES.slice(5)) lessons.push(await publish(server.url, author, { title }))
  await visit(page, '/course/create')
  await publishButton(page).press('Enter')
  await expect(publishButton(page)).toHaveAccessibleDescription(
    'Still missing: Title, Description and Picture. Choose 6 more lessons.',
  )
  await fill(page, await writePicture(info.outputDir), 'Tr')
  await tick(page, 'Hazel').focus()
  // Newest first: Hazel, Ginkgo, Fir, …
  for (let count = 0; count < 5; count += 1) {
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
  }
  await expect(publishButton(page)).toHaveAccessibleDescription(
    'Please check: Title. Choose 1 more lesson.',
  )
  await expect(page.getByText('5 of at least 6')).toBeVisible()
  await page.keyboard.press('Space')
  await page.locator('input[name=title]').fill('By keyboard')
  await expect(order(page)).toHaveText(['Hazel', 'Ginkgo', 'Fir', 'Elm', 'Dogwood', 'Cedar'])
  const cedar = button(page, 'Move Cedar')
  await cedar.focus()
  await page.keyboard.press('ArrowUp')
  await expect(cedar).toBeFocused()
  await expect(page.getByText('Cedar: place 5 of 6')).toBeAttached()
  await page.keyboard.press('Home')
  await expect(cedar).toBeFocused()
  await expect(order(page)).toHaveText(['Cedar', 'Hazel', 'Ginkgo', 'Fir', 'Elm', 'Dogwood'])
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await expect(order(page)).toHaveText(['Hazel', 'Cedar', 'Ginkgo', 'Fir', 'Elm', 'Dogwood'])
  await preview(page).selectOption({ label: '2. Cedar' })
  await expect(page.getByText('This course earns you 500 KB Points.')).toBeVisible()
  await publishButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Successfully created course! +500')).toBeVisible()
  const [, , cedarId, , , , , hazelId] = lessons
  await expect(page).toHaveURL(new RegExp(`/course/details/\\d+/${hazelId}$`))
  await expect.poll(() => balanceOf(page)).toBe(TITLES.length * 100 + 500)
  const id = /details\/(\d+)/.exec(page.url())?.[1]
  const { freePreview } = await call<{ freePreview: number }>(
    server.url,
    author,
    'GET',
    `/course/${id}`,
  )
  expect(freePreview).toBe(cedarId)

  // The page celebrates the reward and doesn't suggest another course.
  const moment = page.getByRole('region', { name: 'Your course is on the stall' })
  await expect(moment.getByRole('row').last()).toContainText('+500')
  await expect(moment.getByText(/^1.300 KB Points$/)).toBeAttached()
  await expect(moment.getByRole('link', { name: 'Create a course' })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(moment).toHaveCount(0)

  // The form announces that a second course of the same lessons earns nothing.
  await visit(page, '/course/create')
  await fill(page, await writePicture(info.outputDir), 'The same again')
  for (const title of TITLES.slice(2)) await tick(page, title).check()
  const withheld = 'No reward: too few of its lessons count'
  await expect(page.getByRole('status').filter({ hasText: withheld })).toBeVisible()
  await expect(button(page, 'Publish without a reward')).toBeEnabled()
})

/** Drags a row by its handle as slowly as a hand would. */
async function drag(page: Page, title: string, rows: number, drop = true): Promise<void> {
  const handle = button(page, `Move ${title}`)
  await handle.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const box = await handle.boundingBox()
  if (box === null) throw new Error(`${title} is not shown`)
  const x = box.x + 12
  const y = box.y + box.height / 2
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y + rows * box.height, { steps: 12 })
  if (drop) await page.mouse.up()
}

test('lessons are found by title, moved with buttons and dragged, and a reload preserves the draft', async ({
  page,
  server,
}) => {
  await signIn(page, server.url, await authorOf(server.url, [...TITLES, 'Липа']))
  await visit(page, '/course/create')
  const filter = page.getByRole('searchbox', { name: 'Filter by title' })
  await filter.fill('ЛИП')
  await expect(page.getByRole('checkbox')).toHaveCount(1)
  await tick(page, 'Липа').check()
  await filter.fill('')
  for (const title of ['Birch', 'Cedar']) await tick(page, title).check()
  await button(page, 'Move Birch up').click()
  await expect(order(page)).toHaveText(['Birch', 'Липа', 'Cedar'])
  await expect(button(page, 'Move Birch up')).toBeFocused()
  await expect(button(page, 'Move Birch up')).toHaveAttribute('aria-disabled', 'true')
  await button(page, 'Move Birch up').click({ force: true })
  await button(page, 'Move Birch down').click()
  await expect(button(page, 'Move Birch down')).toBeFocused()
  await button(page, 'Move Birch down').click()
  await expect(order(page)).toHaveText(['Липа', 'Cedar', 'Birch'])
  await preview(page).selectOption({ label: '2. Cedar' })
  await button(page, 'Remove Cedar').click()
  await expect(order(page)).toHaveText(['Липа', 'Birch'])
  await expect(button(page, 'Remove Birch')).toBeFocused()
  await expect(page.getByText('Cedar is no longer in the course')).toBeAttached()
  await expect(tick(page, 'Cedar')).not.toBeChecked()
  await expect(preview(page)).toHaveValue('first')

  for (const title of ['Elm', 'Fir']) await tick(page, title).check()
  await drag(page, 'Липа', 2)
  await expect(order(page)).toHaveText(['Birch', 'Elm', 'Липа', 'Fir'])
  await expect(page.getByText('Липа: place 3 of 4')).toBeAttached()
  await drag(page, 'Fir', -3)
  await expect(order(page)).toHaveText(['Fir', 'Birch', 'Elm', 'Липа'])
  await drag(page, 'Birch', 2, false)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(order(page)).toHaveText(['Fir', 'Birch', 'Elm', 'Липа'])

  await page.locator('input[name=title]').fill('Kept course')
  await preview(page).selectOption({ label: '3. Elm' })
  await button(page, 'Draw its lessons on a shelf instead').click()
  const stored = () => page.evaluate(() => Object.values(localStorage).join())
  await expect.poll(stored).toMatch(/"paper":"\d/)
  await page.reload()
  await expect(page.locator('input[name=title]')).toHaveValue('Kept course')
  await expect(page.getByRole('img', { name: 'Your picture' })).toBeVisible()
  await expect(order(page)).toHaveText(['Fir', 'Birch', 'Elm', 'Липа'])
  await expect(preview(page).locator('option:checked')).toHaveText('3. Elm')
  await button(page, 'Start over').click()
  await expect(page.locator('input[name=title]')).toHaveValue('')
  await expect(order(page)).toHaveCount(0)
})

test('a touch drags by the handle', async ({ sit, server }) => {
  const page = await sit(await authorOf(server.url, TITLES.slice(0, 6)), {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await visit(page, '/course/create')
  for (const title of TITLES.slice(0, 6)) await tick(page, title).check()
  const grip = button(page, 'Move Ash').locator('svg')
  await grip.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const box = await grip.boundingBox()
  if (box === null) throw new Error('the grip is not shown')
  const x = box.x + box.width / 2
  const y = box.y + box.height / 2
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', shift: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x, y: y + shift }],
    })
  await touch('touchStart', 0)
  for (let shift = 8; shift <= 104; shift += 8) await touch('touchMove', shift)
  await touch('touchEnd', 104)
  await expect(order(page)).toHaveText(['Birch', 'Cedar', 'Ash', 'Dogwood', 'Elm', 'Fir'])
})

test('an edit replaces lessons and repairs a course below six, for its owner and an administrator', async ({
  sit,
  server,
}) => {
  const { url } = server
  const author = await authorOf(url, TITLES)
  const id = await publishCourse(url, author, author.lessons.slice(0, 6))
  const own = await sit(author)
  const save = button(own, 'Save changes')
  await visit(own, `/course/edit/${id}`)
  await expect(order(own)).toHaveText(TITLES.slice(0, 6))
  await expect(own.locator('input[name=title]')).toHaveValue('A course')
  await button(own, 'Remove Ash').click()
  await expect(own.getByText('People who unlocked the course before keep')).toBeVisible()
  await save.click()
  await expect(own.getByRole('group', { name: 'Lessons' })).toHaveAccessibleDescription(
    /You need at least 6 lessons to create a course/,
  )
  await tick(own, 'Hazel').check()
  await button(own, 'Move Hazel').press('Home')
  await save.click()
  await expect(own.getByText('Successfully edited course!')).toBeVisible()
  await expect(own).toHaveURL(`/course/details/${id}/${author.lessons[7]}`)
  await call(url, author, 'DELETE', `/lesson/${author.lessons[1]}`)
  await visit(own, `/course/edit/${id}`)
  await expect(order(own)).toHaveText(['Hazel', 'Cedar', 'Dogwood', 'Elm', 'Fir'])
  await expect(own.getByRole('note')).toContainText(
    'Deleted lessons left this course with 5 lessons. You can save it again once it has at least 6.',
  )

  // An administrator chooses from the owner's lessons and must give a reason.
  const administrator = await registerAdministrator(server)
  await publish(url, administrator, { title: 'Not here' })
  const desk = await sit(administrator)
  await visit(desk, `/course/edit/${id}`)
  await expect(desk.getByRole('checkbox')).toHaveCount(TITLES.length - 1)
  await expect(tick(desk, 'Not here')).toHaveCount(0)
  await tick(desk, 'Ginkgo').check()
  await button(desk, 'Save changes').press('Enter')
  await expect(button(desk, 'Save changes')).toHaveAccessibleDescription('Still missing: Reason.')
  await desk.getByLabel('Reason (the author will see it)').fill('One lesson was missing.')
  await button(desk, 'Save changes').click()
  await expect(desk).toHaveURL(`/course/details/${id}/${author.lessons[7]}`)
  await own.goto('/points')
  await expect(own.getByRole('main')).toContainText('One lesson was missing.')
})
