/** A course from its six lessons to its edit: chosen, put in order, published, mended, seen in lists. */
import type { Page } from '@playwright/test'
import { balanceOf, expect, loseAnswer, test, visit, writePicture } from './fixtures.ts'
import { grantAdministration, publish, publishCourse, register, type Registered } from './people.ts'

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

async function enter(page: Page, person: Registered): Promise<void> {
  await page.context().clearCookies()
  await page.context().addCookies([person.cookie])
}

/** Opens a form and waits until it has taken what this browser keeps. */
async function open(page: Page, path: string): Promise<void> {
  await visit(page, path)
}

const order = (page: Page) => page.locator('ol[aria-labelledby$="-order"] b')
const tick = (page: Page, title: string) => page.getByRole('checkbox', { name: title })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const publishButton = (page: Page) => page.getByRole('button', { name: /^Publish/ })

async function fill(page: Page, picture: string, title: string): Promise<void> {
  await page.locator('input[name=title]').fill(title)
  await page.locator('input[name=description]').fill('Trees by their leaves alone')
  await page.locator('input[type=file]').first().setInputFiles(picture)
}

test('five lessons make no course, and the form says so', async ({ page, server }) => {
  await enter(page, await authorOf(server.url, TITLES.slice(0, 5)))
  await open(page, '/course/create')
  await expect(publishButton(page)).toBeDisabled()
  const form = page.getByRole('main')
  await expect(form).toContainText('A course needs at least 6 lessons of yours, and you have 5')
  await expect(publishButton(page)).toHaveAccessibleDescription(
    'You need at least 6 lessons to create a course.',
  )
  await form.getByRole('link', { name: 'Create a lesson' }).click()
  await expect(page).toHaveURL('/lesson/create')
})

test('the button waits for fields and lessons, in words', async ({ page, server }, info) => {
  await enter(page, await authorOf(server.url, TITLES))
  await open(page, '/course/create')
  await expect(publishButton(page)).toHaveAccessibleDescription(
    'Still missing: Title, Description and Picture. Choose 6 more lessons.',
  )
  await fill(page, await writePicture(info.outputDir), 'Tr')
  for (const title of TITLES.slice(0, 5)) await tick(page, title).check()
  await expect(publishButton(page)).toHaveAccessibleDescription(
    'Please mend: Title. Choose 1 more lesson.',
  )
  await expect(page.getByText('5 of at least 6')).toBeVisible()
  await page.locator('input[name=title]').fill('Trees')
  await tick(page, 'Fir').check()
  await expect(publishButton(page)).toBeEnabled()
  await expect(page.getByText('This course earns you 500 KB Points.')).toBeVisible()
})

test('a course is chosen and put in order by keyboard', async ({ page, server }, info) => {
  const author = await authorOf(server.url, TITLES)
  await enter(page, author)
  await open(page, '/course/create')
  await fill(page, await writePicture(info.outputDir), 'By keyboard')
  await tick(page, 'Hazel').focus()
  // Newest first: Hazel, Ginkgo, Fir, …
  for (let count = 0; count < 6; count += 1) {
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
  }
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
  await page.getByLabel('Free preview').selectOption({ label: '2. Cedar' })
  await publishButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Successfully created course! +500')).toBeVisible()
  const [, , cedarId = 0, , , , , hazelId = 0] = author.lessons
  await expect(page).toHaveURL(new RegExp(`/course/details/\\d+/${hazelId}$`))
  await expect.poll(() => balanceOf(page)).toBe(TITLES.length * 100 + 500)
  const id = /details\/(\d+)/.exec(page.url())?.[1]
  const answer = await fetch(`${server.url}/api/course/${id}`)
  const course = (await answer.json()) as { freePreview: number; lessons: { id: number }[] }
  expect(course.freePreview).toBe(cedarId)
  expect(course.lessons.slice(0, 2).map((lesson) => lesson.id)).toEqual([hazelId, cedarId])
})

test('buttons move and remove, and keep the focus', async ({ page, server }) => {
  await enter(page, await authorOf(server.url, TITLES))
  await open(page, '/course/create')
  for (const title of ['Ash', 'Birch', 'Cedar']) await tick(page, title).check()
  await button(page, 'Move Birch up').click()
  await expect(order(page)).toHaveText(['Birch', 'Ash', 'Cedar'])
  await expect(button(page, 'Move Birch up')).toBeFocused()
  await expect(button(page, 'Move Birch up')).toHaveAttribute('aria-disabled', 'true')
  await button(page, 'Move Birch up').click({ force: true })
  await button(page, 'Move Birch down').click()
  await expect(button(page, 'Move Birch down')).toBeFocused()
  await button(page, 'Move Birch down').click()
  await expect(order(page)).toHaveText(['Ash', 'Cedar', 'Birch'])
  await page.getByLabel('Free preview').selectOption({ label: '2. Cedar' })
  await button(page, 'Remove Cedar').click()
  await expect(order(page)).toHaveText(['Ash', 'Birch'])
  await expect(button(page, 'Remove Birch')).toBeFocused()
  await expect(page.getByText('Cedar is taken out')).toBeAttached()
  await expect(tick(page, 'Cedar')).not.toBeChecked()
  await expect(page.getByLabel('Free preview')).toHaveValue('')
})

/** Drags a row's handle by that many rows, slowly enough for a hand. */
async function drag(page: Page, title: string, rows: number, drop = true): Promise<void> {
  const handle = page.getByRole('button', { name: `Move ${title}`, exact: true })
  await handle.scrollIntoViewIfNeeded()
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

test('a lesson is dragged to its place', async ({ page, server }) => {
  await enter(page, await authorOf(server.url, TITLES))
  await open(page, '/course/create')
  for (const title of TITLES.slice(0, 6)) await tick(page, title).check()
  await drag(page, 'Ash', 2)
  await expect(order(page)).toHaveText(['Birch', 'Cedar', 'Ash', 'Dogwood', 'Elm', 'Fir'])
  await expect(page.getByText('Ash: place 3 of 6')).toBeAttached()
  await drag(page, 'Fir', -3)
  await expect(order(page)).toHaveText(['Birch', 'Cedar', 'Fir', 'Ash', 'Dogwood', 'Elm'])
  await drag(page, 'Birch', 2, false)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(order(page)).toHaveText(['Birch', 'Cedar', 'Fir', 'Ash', 'Dogwood', 'Elm'])
})

test('a finger drags by the grip', async ({ browser, server }) => {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  await enter(page, await authorOf(server.url, TITLES))
  await open(page, '/course/create')
  for (const title of TITLES.slice(0, 6)) await tick(page, title).check()
  const grip = button(page, 'Move Ash').locator('svg')
  await grip.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const box = await grip.boundingBox()
  if (box === null) throw new Error('the grip is not shown')
  const x = box.x + box.width / 2
  const y = box.y + box.height / 2
  const session = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', shift: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x, y: y + shift }],
    })
  await touch('touchStart', 0)
  for (let shift = 8; shift <= 104; shift += 8) await touch('touchMove', shift)
  await touch('touchEnd', 104)
  await expect(order(page)).toHaveText(['Birch', 'Cedar', 'Ash', 'Dogwood', 'Elm', 'Fir'])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await context.close()
})

test('many lessons are found by their titles', async ({ page, server }) => {
  await enter(page, await authorOf(server.url, [...TITLES, 'Липа', 'Явор']))
  await open(page, '/course/create')
  await page.getByRole('searchbox', { name: 'Filter by title' }).fill('ЛИП')
  await expect(page.getByRole('checkbox')).toHaveCount(1)
  await tick(page, 'Липа').check()
  await page.getByRole('searchbox', { name: 'Filter by title' }).fill('nothing such')
  await expect(page.getByText('No lesson with “nothing such” in its title.')).toBeVisible()
  await expect(order(page)).toHaveText(['Липа'])
})

test('a reload keeps the draft of a course', async ({ page, server }) => {
  await enter(page, await authorOf(server.url, TITLES))
  await open(page, '/course/create')
  await page.locator('input[name=title]').fill('Kept course')
  for (const title of ['Cedar', 'Ash', 'Elm']) await tick(page, title).check()
  await page.getByLabel('Free preview').selectOption({ label: '3. Elm' })
  await button(page, 'Draw its lessons on a shelf instead').click()
  const stored = () => page.evaluate(() => Object.values(localStorage).join())
  await expect.poll(stored).toMatch(/"paper":"\d/)
  await page.reload()
  await expect(page.locator('input[name=title]')).toHaveValue('Kept course')
  await expect(page.locator('[data-preview] img')).toBeVisible()
  await expect(page.locator('ol[aria-labelledby$="-order"] li')).toHaveCount(3)
  await expect(order(page)).toHaveText(['Cedar', 'Ash', 'Elm'])
  await expect(page.getByLabel('Free preview').locator('option:checked')).toHaveText('3. Elm')
  await button(page, 'Start over').click()
  await expect(page.locator('input[name=title]')).toHaveValue('')
  await expect(page.locator('ol[aria-labelledby$="-order"] li')).toHaveCount(0)
})

test('the drafts of a course keep their picture, new and edited', async ({
  page,
  server,
}, info) => {
  const author = await authorOf(server.url, TITLES.slice(0, 6))
  const id = await publishCourse(server.url, author, author.lessons)
  await enter(page, author)
  const widthOf = () =>
    page.locator('[data-preview] img').evaluate((image: HTMLImageElement) => image.naturalWidth)
  const picture = await writePicture(info.outputDir, 'chosen.jpg', 648)
  for (const path of ['/course/create', `/course/edit/${id}`]) {
    await open(page, path)
    await fill(page, picture, 'Kept picture')
    // Of this form: what is left of the one before says nothing.
    const form = path === '/course/create' ? 'course:new' : `course:${id}`
    const words = () =>
      page.evaluate(
        (start) =>
          Object.entries(localStorage)
            .filter(([key]) => key.startsWith(start))
            .join(),
        `kb:${author.id}:draft:${form}@`,
      )
    await expect.poll(words).toMatch(/"picture":"/)
    await expect.poll(words).toContain('Kept picture')
    await page.reload()
    if (path !== '/course/create') await button(page, 'Go on with it').click()
    await expect(page.locator('input[name=title]')).toHaveValue('Kept picture')
    await expect.poll(widthOf).toBe(648)
    if (path === '/course/create') await button(page, 'Start over').click()
  }
  await button(page, 'Save changes').click()
  await expect(page).toHaveURL(/\/course\/details\//)
})

test('a second course of the same lessons earns nothing, said first', async ({
  page,
  server,
}, info) => {
  const author = await authorOf(server.url, TITLES.slice(0, 6))
  await publishCourse(server.url, author, author.lessons)
  await enter(page, author)
  await open(page, '/course/create')
  await fill(page, await writePicture(info.outputDir), 'The same again')
  for (const title of TITLES.slice(0, 6)) await tick(page, title).check()
  const withheld = 'No reward: fewer than six of its lessons count'
  await expect(page.locator('main form')).toContainText(withheld)
  await button(page, 'Publish without a reward').click()
  await expect(page.getByText(`Successfully created course! ${withheld}`)).toBeVisible()
  await expect.poll(() => balanceOf(page)).toBe(1100)
})

test('a lost answer makes one course', async ({ page, server }, info) => {
  await enter(page, await authorOf(server.url, TITLES.slice(0, 6)))
  await open(page, '/course/create')
  await fill(page, await writePicture(info.outputDir), 'Lost answer')
  for (const title of TITLES.slice(0, 6)) await tick(page, title).check()
  await loseAnswer(page, '/api/course/create')
  await publishButton(page).click()
  await expect(page.locator('[role=alert][tabindex]')).toBeFocused()
  await expect(page.locator('[role=alert][tabindex] strong')).toHaveText('Error')
  await publishButton(page).click()
  await expect(page).toHaveURL(/\/course\/details\//)
  await page.goto('/course/yours')
  await expect(page.locator('main article')).toHaveCount(1)
})

test('an edit takes one lesson out and another in', async ({ page, server }) => {
  const author = await authorOf(server.url, TITLES)
  const id = await publishCourse(server.url, author, author.lessons.slice(0, 6))
  await enter(page, author)
  await open(page, `/course/edit/${id}`)
  await expect(order(page)).toHaveText(TITLES.slice(0, 6))
  await expect(page.locator('input[name=title]')).toHaveValue('A course')
  await button(page, 'Remove Ash').click()
  await expect(page.getByText('Whoever bought the course before keeps')).toBeVisible()
  await button(page, 'Save changes').click()
  const lessons = page.locator('[data-field]', { has: tick(page, 'Ash') })
  await expect(lessons.locator('[data-error]')).toHaveText(
    'You need at least 6 lessons to create a course.',
  )
  await tick(page, 'Hazel').check()
  await button(page, 'Move Hazel').press('Home')
  await button(page, 'Save changes').click()
  await expect(page.getByText('Successfully edited course!')).toBeVisible()
  await expect(page).toHaveURL(`/course/details/${id}/${author.lessons[7]}`)
  await open(page, `/course/edit/${id}`)
  await expect(order(page)).toHaveText(['Hazel', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir'])
})

test('the second of two editors is told and loses nothing', async ({ page, server, context }) => {
  const author = await authorOf(server.url, TITLES)
  const id = await publishCourse(server.url, author, author.lessons.slice(0, 6))
  await enter(page, author)
  const other = await context.newPage()
  for (const tab of [page, other]) await open(tab, `/course/edit/${id}`)
  await page.locator('input[name=title]').fill('First save')
  await button(page, 'Save changes').click()
  await expect(page).toHaveURL(/\/course\/details\//)
  await tick(other, 'Hazel').check()
  await button(other, 'Move Hazel').press('Home')
  await button(other, 'Save changes').click()
  await expect(other.locator('[role=alert][tabindex]')).toBeFocused()
  await expect(other.locator('[role=alert][tabindex]')).toContainText('while you were editing')
  await expect(order(other).first()).toHaveText('Hazel')
  await button(other, 'Save mine over it').click()
  await expect(other).toHaveURL(`/course/details/${id}/${author.lessons[7]}`)
})

test('a course below six is mended up to six', async ({ page, server }) => {
  const author = await authorOf(server.url, TITLES)
  const id = await publishCourse(server.url, author, author.lessons.slice(0, 6))
  const headers = { authorization: `Bearer ${author.accessToken}` }
  await fetch(`${server.url}/api/lesson/${author.lessons[0]}`, { method: 'DELETE', headers })
  await enter(page, author)
  await open(page, `/course/edit/${id}`)
  await expect(page.getByRole('note')).toContainText(
    'Deleted lessons left this course with 5 lessons. It can be saved again once it holds at least 6.',
  )
  await tick(page, 'Ginkgo').check()
  await button(page, 'Save changes').click()
  await expect(page).toHaveURL(/\/course\/details\//)
})

test('nobody else opens a course for editing', async ({ page, server }) => {
  const author = await authorOf(server.url, TITLES.slice(0, 6))
  const id = await publishCourse(server.url, author, author.lessons)
  await page.goto(`/course/edit/${id}`)
  await expect(page).toHaveURL(`/login?next=%2Fcourse%2Fedit%2F${id}`)
  await enter(page, await register(server.url))
  await page.goto(`/course/edit/${id}`)
  await expect(page).toHaveURL('/course/all')
})

test('an administrator picks from the lessons of the owner', async ({ page, server }) => {
  const author = await authorOf(server.url, TITLES)
  const id = await publishCourse(server.url, author, author.lessons.slice(0, 6))
  const administrator = await register(server.url)
  await grantAdministration(server.dataDir, administrator)
  await publish(server.url, administrator, { title: 'Not here' })
  await enter(page, administrator)
  await open(page, `/course/edit/${id}`)
  await expect(page.getByRole('checkbox')).toHaveCount(TITLES.length)
  await expect(tick(page, 'Not here')).toHaveCount(0)
  await expect(button(page, 'Save changes')).toHaveAccessibleDescription('Still missing: Reason.')
  await tick(page, 'Hazel').check()
  await page.getByLabel('Reason, which the author will see').fill('One lesson was missing.')
  await button(page, 'Save changes').click()
  await expect(page).toHaveURL(`/course/details/${id}/${author.lessons[0]}`)
  await enter(page, author)
  await page.evaluate(() => localStorage.clear())
  await page.goto('/points')
  await expect(page.getByRole('main')).toContainText('One lesson was missing.')
})

test('the list of courses is searched, sorted and turned', async ({ browser, server }) => {
  const author = await authorOf(server.url, TITLES.slice(0, 6))
  const word = `Word${Date.now() % 100_000}`
  for (let number = 1; number <= 11; number += 1)
    await publishCourse(server.url, author, author.lessons, { title: `${word} ${number}` })
  // All of it works without script.
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url })
  const page = await context.newPage()
  await page.goto(`/course/all?search=${word.toUpperCase()}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `Courses / ${word.toUpperCase()}`,
  )
  await expect(page.getByText('11 courses, newest first')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(10)
  const first = page.getByRole('article').first()
  await expect(first).toContainText(`${word} 11`)
  await expect(first).toContainText('6 lessons')
  await expect(first.getByRole('link', { name: 'Details' })).toHaveAttribute(
    'href',
    new RegExp(`^/course/details/\\d+/${author.lessons[0]}$`),
  )
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect(page).toHaveURL(`/course/all?search=${word.toUpperCase()}&page=2`)
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.goto(`/course/all?search=${word}&page=9`)
  await expect(page.getByRole('note')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(1)
  const sorts = page.getByRole('group', { name: 'Sort' })
  await sorts.getByRole('link', { name: 'Comments' }).click()
  await expect(page).toHaveURL(/sort=comments/)
  await expect(page.getByText('11 courses, most discussed first')).toBeVisible()
  await page.goto('/course/all?search=nothing+such+as+this')
  await expect(page.getByText('No course with “nothing such as this” in its title.')).toBeVisible()
  await context.close()
})
