/** Tests the life of a course: locked, unlocked, read, deleted and refunded. */
import type { Page } from '@playwright/test'
import { balanceOf, expect, test, visit } from './fixtures.ts'
import { publishShelf, registerBuyer, signIn } from './people.ts'

const TITLES = [
  'Bowline',
  'Clove hitch',
  'Sheet bend',
  'Figure eight',
  'Reef knot',
  'Булин',
] as const

/** The third lesson is the free preview. */
const putTogether = (url: string) =>
  publishShelf(url, 'Knot', {
    lesson: (place) => ({ title: TITLES[place - 1] ?? '', tags: 'knots,rope' }),
    course: { title: 'Six knots' },
    preview: 3,
  })

const pile = (page: Page) => page.getByRole('list', { name: 'Lessons of this course' })
const lesson = (page: Page, title: string) => page.getByRole('heading', { level: 2, name: title })
const plays = (page: Page) => page.getByRole('button', { name: 'Play the video' })

test('a learner buys a course and reads all of it', async ({ page, sit, server }) => {
  const { course, lessons } = await putTogether(server.url)
  const other = await sit(await registerBuyer(server, 199, `lesson/buy/${lessons[1]}`))
  // A person without enough points is shown how to earn them. One who owns a lesson of the locked course can open
  // it there.
  await other.goto(`/course/details/${course}/${lessons[0]}`)
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Six knots')
  await expect(other.getByText('401 points short · that’s 5 lessons to publish')).toBeVisible()
  await expect(other.getByRole('button', { name: 'Unlock for 500' })).toHaveCount(0)
  await expect(plays(other)).toHaveCount(0)
  const own = other.getByRole('main').getByRole('link', { name: 'Clove hitch', exact: true })
  await own.click()
  await expect(other).toHaveURL(`/lesson/details/${lessons[1]}`)
  await expect(plays(other)).toBeVisible()

  await signIn(page, server.url, await registerBuyer(server, 600))
  await page.goto(`/course/details/${course}/${lessons[0]}`)
  await page.getByRole('button', { name: 'Unlock for 500' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('This course')
  await dialog.getByRole('button', { name: 'Unlock for 500' }).click()
  await expect(page.getByText('Successfully bought course!')).toBeVisible()
  await expect(page).toHaveURL(/\/course\/bought$/)
  await expect.poll(() => balanceOf(page)).toBe(100)

  await page
    .getByRole('main')
    .getByRole('link', { name: /Six knots/ })
    .first()
    .click()
  await expect(page).toHaveURL(`/course/details/${course}/${lessons[0]}`)
  const turns = page.getByRole('navigation', { name: 'Previous and next lesson' })
  for (const title of TITLES.slice(1)) {
    await turns.getByRole('link', { name: `Done, next lesson ${title}` }).click()
    await expect(lesson(page, title)).toBeVisible()
    await expect(pile(page).locator('[aria-current]')).toContainText(title)
  }
  await expect(page).toHaveURL(`/course/details/${course}/${lessons[5]}`)
  await expect(page.getByText('5 of 6 done, 1 lesson to go')).toBeVisible()
  await page.getByRole('button', { name: 'Done with the last lesson' }).click()
  const allDone = page.getByText('All 6 done')
  await expect(allDone.last()).toBeFocused()
  await expect(allDone).toHaveCount(2)
  await page.reload()
  await expect(allDone).toHaveCount(2)

  // A URL without a lesson of the course opens the first, or the last one visited.
  for (const place of ['', '/999999', '/word']) {
    expect((await page.goto(`/course/details/${course}${place}`))?.status()).toBe(200)
    await expect(lesson(page, TITLES[0])).toBeVisible()
  }
  await page.getByRole('link', { name: 'Continue with Булин' }).click()
  // The URL changes before the page does; keyboard navigation starts from the visible lesson.
  await expect(lesson(page, 'Булин')).toBeVisible()
  await expect(page).toHaveURL(`/course/details/${course}/${lessons[5]}`)
  // The keyboard also moves between lessons.
  await page.keyboard.press('Alt+p')
  await expect(lesson(page, 'Reef knot')).toBeVisible()
  await page.keyboard.press('Alt+n')
  await expect(page).toHaveURL(`/course/details/${course}/${lessons[5]}`)
  await page.goto(`/lesson/details/${lessons[2]}`)
  await expect(plays(page)).toBeVisible()
})

test('a guest reads the free preview without JavaScript, and a locked course offers alternatives', async ({
  sit,
  server,
}) => {
  await putTogether(server.url)
  const { course, lessons } = await putTogether(server.url)
  const page = await sit(null, { javaScriptEnabled: false })
  const registers = page.getByRole('link', { name: 'Register to unlock' })
  await page.goto(`/course/details/${course}/${lessons[0]}`)
  await expect(registers).toBeVisible()
  await expect(page.getByRole('button', { name: 'Like' })).toHaveCount(0)
  await expect(plays(page)).toHaveCount(0)
  await page
    .getByRole('link', { name: /^Sheet bend/ })
    .first()
    .click()
  await expect(page).toHaveURL(`/course/details/${course}/${lessons[2]}`)
  await expect(page.getByText(/w\d+x39/)).toBeVisible()
  await expect(registers).toBeVisible()
  const script = await sit(null)
  await visit(script, `/course/details/${course}/${lessons[0]}`)
  // Their lessons have the same tags, and nobody has unlocked any.
  const others = script.getByRole('region', { name: 'On the same subject' })
  await others.getByRole('article').first().getByRole('link', { name: 'Details' }).click()
  await expect(script).not.toHaveURL(new RegExp(`/course/details/${course}`))
  await expect(script.getByRole('heading', { name: 'Six knots', level: 1 })).toBeVisible()
})

test('without JavaScript, lessons and courses are unlocked once', async ({ sit, server }) => {
  const { course, lessons } = await putTogether(server.url)
  const learner = await registerBuyer(server, 700)
  const page = await sit(learner, { javaScriptEnabled: false })
  const twin = await sit(learner, { javaScriptEnabled: false })
  for (const each of [page, twin]) await each.goto(`/lesson/details/${lessons[1]}`)
  await expect(page.getByRole('button', { name: 'Share' })).toBeHidden()
  await page.getByRole('button', { name: 'Unlock for 100' }).click()
  await expect(page).toHaveURL(`/lesson/details/${lessons[1]}`)
  await expect(page.getByText(/w\d+x39/)).toBeVisible()
  await twin.getByRole('button', { name: 'Unlock for 100' }).click()
  await expect(twin.getByRole('alert')).toContainText('This is already yours.')
  await expect(twin.getByText(/w\d+x39/)).toBeVisible()

  await page.goto(`/course/details/${course}`)
  await twin.goto(`/course/details/${(await putTogether(server.url)).course}`)
  await page.getByRole('button', { name: 'Unlock for 500' }).click()
  await expect(page.getByText(/w\d+x39/)).toBeVisible()
  await twin.getByRole('button', { name: 'Unlock for 500' }).click()
  await expect(twin.getByRole('alert')).toContainText("You don't have enough KBPoints")
})

test('a deletion shows its cost first, and refunds the buyers of a course', async ({
  sit,
  server,
}) => {
  const { author, course, lessons } = await putTogether(server.url)
  const learner = await registerBuyer(server, 500, `course/buy/${course}`)
  const owner = await sit(author)
  const dialog = owner.getByRole('dialog')
  await owner.goto(`/lesson/details/${lessons[0]}`)
  await owner.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog).toContainText('Six knots loses its reward of 500 KB Points')
  await expect(dialog).toContainText('Reward of “Six knots” taken back')

  await owner.goto(`/course/details/${course}`)
  // The reward for six lessons and the course, and the share of the sale.
  await expect.poll(() => balanceOf(owner)).toBe(1150)
  await owner.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog).toContainText('1 person has unlocked it and gets 500 KB Points back')
  await expect(dialog).toContainText('−500')
  await dialog.getByRole('button', { name: 'Delete course' }).click()
  // Checked first, because the toast disappears after 2.5 seconds.
  await expect(owner.getByText('Successfully deleted course!')).toBeVisible()
  await expect(owner).toHaveURL('/course/all')
  await expect.poll(() => balanceOf(owner)).toBe(600)

  const buyer = await sit(learner)
  await buyer.goto(`/lesson/details/${lessons[0]}`)
  await expect(buyer.getByRole('button', { name: 'Unlock for 100' })).toBeVisible()
  await expect.poll(() => balanceOf(buyer)).toBe(500)
})
