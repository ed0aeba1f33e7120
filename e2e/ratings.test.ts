/** Learners rate what they unlocked, its author answers, and the list and a guest see what came of it. */
import type { Browser, Page } from '@playwright/test'
import { COURSE_LESSONS, COURSE_PRICE } from '#contract/limits.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { givePoints } from './database.ts'
import { expect, test, visit } from './fixtures.ts'
import {
  call,
  grantAdministration,
  publish,
  publishCourse,
  register,
  type Registered,
  signIn,
} from './people.ts'
import type { Server } from './server.ts'

interface Rated {
  readonly author: Registered
  /** Has unlocked it and not yet opened its page. */
  readonly learner: Registered
  readonly lesson: number
}

const WORDS = 'Clear from the first word to the last, и на български.'

/** Somebody with the points for it unlocks a lesson. */
async function buyer({ url, dataDir }: Server, lesson: number): Promise<Registered> {
  const person = await register(url)
  await givePoints(dataDir, person.id, 100)
  await call(url, person, 'POST', `/lesson/buy/${lesson}`)
  return person
}

/** A course, and people who have unlocked it and opened its first lesson. */
async function courseWithReaders({ url, dataDir }: Server, count: number) {
  const author = await register(url)
  const lessons: number[] = []
  while (lessons.length < COURSE_LESSONS.min) lessons.push(await publish(url, author))
  const course = await publishCourse(url, author, lessons, { title: 'Splices' })
  const readers: Registered[] = []
  while (readers.length < count) {
    const person = await register(url)
    await givePoints(dataDir, person.id, COURSE_PRICE)
    await call(url, person, 'POST', `/course/buy/${course}`)
    await call(url, person, 'PUT', `/progress/${lessons[0]}`, { opened: true })
    readers.push(person)
  }
  return { course, readers }
}

/** A lesson that two people have given five stars. */
async function ratedLesson(server: Server): Promise<Rated> {
  const { url } = server
  const author = await register(url)
  const lesson = await publish(url, author, { title: 'Bowline' })
  for (let count = 0; count < 2; count += 1) {
    const person = await buyer(server, lesson)
    await call(url, person, 'PUT', `/progress/${lesson}`, { opened: true })
    await call(url, person, 'PUT', `/rating/lesson/${lesson}`, { stars: 5 })
  }
  return { author, learner: await buyer(server, lesson), lesson }
}

const say = (key: MessageKey, values?: MessageValues) => translate('en', key, values)
const partOf = (page: Page) => page.getByRole('region', { name: say('ratings') })

async function open(browser: Browser, server: Server, person: Registered | null): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', baseURL: server.url })
  const page = await context.newPage()
  if (person !== null) await signIn(page, server.url, person)
  return page
}

async function openDesk(browser: Browser, server: Server) {
  const admin = await register(server.url)
  await grantAdministration(server.dataDir, admin)
  return { admin, desk: await open(browser, server, admin) }
}

test('a learner rates a lesson by keys, its author answers, an administrator deletes it and brings it back', async ({
  browser,
  server,
}) => {
  const { author, learner, lesson } = await ratedLesson(server)
  const page = await open(browser, server, learner)
  await visit(page, `/lesson/details/${lesson}`)
  const part = partOf(page)
  await expect(part.getByText(say('ratingsFew'))).toBeVisible()
  const save = part.getByRole('button', { name: say('rate'), exact: true })
  await expect(save).toBeDisabled()
  const star = (stars: number, word: MessageKey) =>
    part.getByRole('radio', { name: `${say('starsNumber', { stars })}, ${say(word)}` })
  await star(1, 'starsPoor').focus()
  for (let key = 0; key < 3; key += 1) await page.keyboard.press('ArrowRight')
  await expect(star(4, 'starsVeryGood')).toBeChecked()
  await page.keyboard.press('Tab')
  const field = part.getByRole('textbox', { name: say('ratingWords') })
  await expect(field).toBeFocused()
  // Too short is said at the field; what is refused stays.
  await field.fill('Good')
  await field.blur()
  await expect(part.getByText(say('ratingTextMs', { min: 20, max: 500 }))).toBeVisible()
  await expect(save).toBeDisabled()
  await field.fill(WORDS)
  await page.route('**/api/rating/lesson/**', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.fallback(),
  )
  await save.click()
  await expect(part.getByRole('alert')).toBeVisible()
  await expect(field).toHaveValue(WORDS)
  await page.unroute('**/api/rating/lesson/**')
  await save.click()
  await expect(part.getByText(say('ratingSaved'))).toBeAttached()
  const line = part.getByRole('article').filter({ hasText: learner.username })
  await expect(line).toContainText(WORDS)
  await expect(line.getByRole('img', { name: say('starsOf', { stars: 4, max: 5 }) })).toBeVisible()
  await expect(part.getByText(say('ratingsFrom', { count: 3 }))).toBeVisible()

  const stall = await open(browser, server, author)
  await visit(stall, `/lesson/details/${lesson}`)
  const said = partOf(stall).getByRole('article').filter({ hasText: learner.username })
  await said.getByRole('button', { name: say('ratingAnswer') }).click()
  const answer = said.getByRole('textbox', { name: say('ratingAnswer') })
  await expect(answer).toBeFocused()
  await answer.fill('Thank you, благодаря')
  await answer.press('Control+Enter')
  await expect(said.getByText(say('ratingAuthorSays'))).toBeVisible()
  await expect(said).toContainText('Thank you, благодаря')

  // A guest is told the average before they unlock, and the list has it first.
  const guest = await open(browser, server, null)
  await visit(guest, `/lesson/details/${lesson}`)
  const whole = say('ratingWhole', { average: 4.7, count: 3 })
  await expect(guest.getByRole('main').getByText(whole)).toBeAttached()
  const described = await guest.locator('script[type="application/ld+json"]').textContent()
  expect(JSON.parse(described ?? '')['@graph'][0].aggregateRating).toMatchObject({
    ratingValue: 4.7,
    ratingCount: 3,
  })
  await partOf(guest)
    .getByRole('button', { name: say('ratingsShow') })
    .click()
  await expect(partOf(guest)).toContainText('Thank you, благодаря')
  await expect(partOf(guest).getByRole('radio')).toHaveCount(0)
  await visit(guest, '/lesson/all?sort=rating')
  await expect(guest.getByRole('article').filter({ hasText: 'Bowline' }).first()).toContainText(
    whole,
  )

  await part.getByText(say('starsFair')).locator('..').click()
  await part.getByRole('button', { name: say('ratingChange') }).click()
  const stars = (count: number) =>
    line.getByRole('img', { name: say('starsOf', { stars: count, max: 5 }) })
  await expect(stars(2)).toBeVisible()

  const { desk } = await openDesk(browser, server)
  await visit(desk, `/lesson/details/${lesson}`)
  const onDesk = partOf(desk).getByRole('article').filter({ hasText: WORDS })
  await onDesk.getByRole('button', { name: say('ratingDeleteStep') }).click()
  await desk
    .getByRole('dialog')
    .getByRole('button', { name: say('delete') })
    .click()
  await expect(onDesk).toHaveCount(0)
  await visit(desk, '/admin/log')
  const restored = desk.waitForResponse(
    (response) => response.request().method() !== 'GET' && response.url().includes('/api/'),
  )
  await desk
    .getByRole('row')
    .filter({ hasText: WORDS })
    .getByRole('button', { name: say('deskRestore', { username: learner.username }) })
    .click()
  expect((await restored).ok()).toBe(true)

  await visit(page, `/lesson/details/${lesson}`)
  await expect(stars(2)).toBeVisible()
  await part.getByRole('button', { name: say('ratingRemove') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: say('notNow') }).click()
  await expect(line).toHaveCount(1)
  await part.getByRole('button', { name: say('ratingRemove') }).click()
  await dialog.getByRole('button', { name: say('ratingRemove') }).click()
  await expect(line).toHaveCount(0)
  await expect(part.getByRole('button', { name: say('rate'), exact: true })).toBeDisabled()
  for (const one of [page, stall, guest, desk]) await one.context().close()
})

test('a rating of a course is given, reported, deleted at the desk and brought back', async ({
  browser,
  server,
}) => {
  const { course, readers } = await courseWithReaders(server, 2)
  const [learner, other] = readers
  if (learner === undefined || other === undefined) throw new Error('nobody has unlocked it')
  const words = `Five knots in one evening, ${learner.username}.`
  const page = await open(browser, server, learner)
  await visit(page, `/course/details/${course}`)
  await partOf(page).getByText(say('starsFair')).locator('..').click()
  await partOf(page)
    .getByRole('textbox', { name: say('ratingWords') })
    .fill(words)
  await partOf(page)
    .getByRole('button', { name: say('rate'), exact: true })
    .click()
  await expect(partOf(page).getByRole('article').filter({ hasText: words })).toBeVisible()

  const reader = await open(browser, server, other)
  await visit(reader, `/course/details/${course}`)
  const said = partOf(reader).getByRole('article').filter({ hasText: words })
  await said.getByRole('button', { name: say('report'), exact: true }).click()
  const dialog = reader.getByRole('dialog')
  await dialog.getByLabel(say('reportWhy')).fill('This is about another course')
  await dialog.getByRole('button', { name: say('reportSubmit') }).click()
  await expect(dialog).toBeHidden()

  const { admin, desk } = await openDesk(browser, server)
  await visit(desk, '/admin/reports')
  await expect(desk.getByRole('main').getByText(words)).toBeVisible()
  await desk
    .getByRole('navigation', { name: say('deskTabs') })
    .getByRole('link', { name: say('ratings') })
    .click()
  await expect(desk.getByRole('heading', { level: 1, name: say('ratings') })).toBeVisible()
  const row = desk.getByRole('row').filter({ hasText: words })
  await expect(row.getByRole('img', { name: say('starsOf', { stars: 2, max: 5 }) })).toBeVisible()
  await expect(row.getByRole('link', { name: 'Splices' })).toHaveAttribute(
    'href',
    `/course/details/${course}`,
  )
  const { username } = learner
  await row.getByRole('button', { name: say('deskRatingDelete', { username }) }).click()
  const undoLine = desk.getByRole('status', { name: say('deskUndoLabel') })
  await expect(undoLine).toContainText(say('deskRatingsDeleted', { count: 1 }))
  await expect(row).toHaveCount(0)
  await visit(reader, `/course/details/${course}`)
  await expect(partOf(reader).getByText(say('ratingsNone'))).toBeVisible()

  // Among those that were deleted, until one press takes it back.
  await desk.getByRole('link', { name: say('deskShowDeleted'), exact: true }).click()
  await expect(row.getByText(say('deskDeletedBy', { username: admin.username }))).toBeVisible()
  await undoLine.getByRole('button', { name: say('undo') }).click()
  await expect(row).toHaveCount(0)
  await desk.getByRole('link', { name: say('deskShowPresent'), exact: true }).click()
  await expect(row).toBeVisible()
  await visit(reader, `/course/details/${course}`)
  await expect(said).toBeVisible()
  for (const one of [page, reader, desk]) await one.context().close()
})
