/** Tests ratings for learners, the author, the list and a guest. */
import type { Page } from '@playwright/test'
import { COURSE_PRICE } from '#contract/limits.ts'
import { expect, intercept, test, visit } from './fixtures.ts'
import {
  call,
  publish,
  publishShelf,
  register,
  registerAdministrator,
  registerBuyer,
} from './people.ts'

const WORDS = 'Clear from the first word to the last, и на български.'

const partOf = (page: Page) => page.getByRole('region', { name: 'Ratings' })
/** The rating form in its tab. */
const formOf = (page: Page) => page.getByRole('tabpanel', { name: /rating$/i })
const openForm = (page: Page) => page.getByRole('tab', { name: /rating$/i }).click()
const rate = (page: Page) => formOf(page).getByRole('button', { name: 'Rate', exact: true })

test('a learner rates a lesson with the keyboard, its author answers, an administrator deletes and restores it', async ({
  page: guest,
  sit,
  server,
}) => {
  const { url } = server
  const author = await register(url)
  const lesson = await publish(url, author, { title: 'Bowline' })
  for (let count = 0; count < 2; count += 1) {
    const person = await registerBuyer(server, COURSE_PRICE, `lesson/buy/${lesson}`)
    await call(url, person, 'PUT', `/progress/${lesson}`, { opened: true })
    await call(url, person, 'PUT', `/rating/lesson/${lesson}`, { stars: 5 })
  }
  const learner = await registerBuyer(server, COURSE_PRICE, `lesson/buy/${lesson}`)
  const page = await sit(learner)
  await visit(page, `/lesson/details/${lesson}`)
  const part = partOf(page)
  const form = formOf(page)
  await expect(part.getByText('Not enough ratings for an average yet.')).toBeVisible()
  await page.getByRole('tab', { name: 'Comment' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Rating' })).toBeFocused()
  await expect(page.getByRole('tabpanel')).toHaveCount(1)
  await expect(rate(page)).toBeDisabled()
  await form.getByRole('radio', { name: '1 star, poor' }).focus()
  for (let key = 0; key < 3; key += 1) await page.keyboard.press('ArrowRight')
  await expect(form.getByRole('radio', { name: '4 stars, very good' })).toBeChecked()
  await page.keyboard.press('Tab')
  const field = form.getByRole('textbox', { name: 'What did you think?' })
  await expect(field).toBeFocused()
  // The error appears at the field, and the text is preserved.
  await field.fill('Good')
  await field.blur()
  await expect(form.getByText('Write 20 to 500 characters, or nothing.')).toBeVisible()
  await expect(rate(page)).toBeDisabled()
  await field.fill(WORDS)
  await intercept(page, '**/api/rating/lesson/**', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.fallback(),
  )
  await rate(page).click()
  await expect(form.getByRole('alert')).toBeVisible()
  await expect(field).toHaveValue(WORDS)
  await page.unroute('**/api/rating/lesson/**')
  await rate(page).click()
  await expect(part.getByText('Rating saved.')).toBeAttached()
  const line = part.getByRole('article').filter({ hasText: learner.username })
  const stars = (count: number) => line.getByRole('img', { name: `${count} of 5 stars` })
  await expect(line).toContainText(WORDS)
  await expect(stars(4)).toBeVisible()
  await expect(part.getByText('from 3 ratings')).toBeVisible()

  const stall = await sit(author)
  await visit(stall, `/lesson/details/${lesson}`)
  const rating = partOf(stall).getByRole('article').filter({ hasText: learner.username })
  await rating.getByRole('button', { name: 'Answer' }).click()
  const answer = rating.getByRole('textbox', { name: 'Answer' })
  await expect(answer).toBeFocused()
  await answer.fill('Thank you, благодаря')
  await answer.press('Control+Enter')
  await expect(rating.getByText('The author answers')).toBeVisible()
  await expect(rating).toContainText('Thank you, благодаря')

  // A guest sees the average before unlocking, and the list sorts by it.
  await visit(guest, `/lesson/details/${lesson}`)
  const average = '4.7 of 5 stars, 3 ratings'
  await expect(guest.getByRole('main').getByText(average)).toBeAttached()
  const described = await guest.locator('script[type="application/ld+json"]').textContent()
  expect(JSON.parse(described ?? '')['@graph'][0].aggregateRating).toMatchObject({
    ratingValue: 4.7,
    ratingCount: 3,
  })
  await partOf(guest).getByRole('button', { name: 'Show the ratings' }).click()
  await expect(partOf(guest)).toContainText('Thank you, благодаря')
  await expect(guest.getByRole('main').getByRole('radio')).toHaveCount(0)
  await visit(guest, '/lesson/all?sort=rating')
  const cards = guest.getByRole('article').filter({ hasText: 'Bowline' })
  await expect(cards.first()).toContainText(average)

  await form.getByText('fair').locator('..').click()
  await form.getByRole('button', { name: 'Save the rating' }).click()
  await expect(stars(2)).toBeVisible()

  const desk = await sit(await registerAdministrator(server))
  await visit(desk, `/lesson/details/${lesson}`)
  const onDesk = partOf(desk).getByRole('article').filter({ hasText: WORDS })
  await onDesk.getByRole('button', { name: 'Delete the rating' }).click()
  await desk.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(onDesk).toHaveCount(0)
  await visit(desk, '/admin/log')
  const restored = desk.waitForResponse(
    (response) => response.request().method() !== 'GET' && response.url().includes('/api/'),
  )
  const entry = desk.getByRole('row').filter({ hasText: WORDS })
  await entry.getByRole('button', { name: /^Bring back/ }).click()
  expect((await restored).ok()).toBe(true)

  await visit(page, `/lesson/details/${lesson}`)
  await expect(stars(2)).toBeVisible()
  await openForm(page)
  const remove = { name: 'Remove my rating' }
  await form.getByRole('button', remove).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click()
  await expect(line).toHaveCount(1)
  await form.getByRole('button', remove).click()
  await page.getByRole('dialog').getByRole('button', remove).click()
  await expect(line).toHaveCount(0)
  await expect(rate(page)).toBeDisabled()
})

test('a rating of a course is created, and deleted and restored at the desk', async ({
  sit,
  server,
}) => {
  const { lesson, course } = await publishShelf(server.url, 'Splices')
  const learner = await registerBuyer(server, COURSE_PRICE, `course/buy/${course}`)
  await call(server.url, learner, 'PUT', `/progress/${lesson}`, { opened: true })
  const words = `Five knots in one evening, ${learner.username}.`
  const page = await sit(learner)
  await visit(page, `/course/details/${course}`)
  for (const name of ['Course ratings', 'Comments on this lesson'])
    await expect(page.getByRole('region', { name })).toBeVisible()
  await openForm(page)
  await formOf(page).getByText('fair').locator('..').click()
  await formOf(page).getByRole('textbox', { name: 'What did you think?' }).fill(words)
  await rate(page).click()
  const rating = partOf(page).getByRole('article').filter({ hasText: words })
  await expect(rating).toBeVisible()

  const desk = await sit(await registerAdministrator(server))
  await visit(desk, '/admin/ratings')
  const row = desk.getByRole('row').filter({ hasText: words })
  await expect(row.getByRole('img', { name: '2 of 5 stars' })).toBeVisible()
  await expect(row.getByRole('link', { name: 'All of Splices' })).toHaveAttribute(
    'href',
    `/course/details/${course}`,
  )
  await row.getByRole('button', { name: `Delete ${learner.username}’s rating` }).click()
  const undoLine = desk.getByRole('status', { name: 'Just deleted' })
  await expect(undoLine).toContainText('1 rating deleted. You can bring it back for 30 days.')
  await expect(row).toHaveCount(0)
  await undoLine.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toBeVisible()
  await visit(page, `/course/details/${course}`)
  await expect(rating).toBeVisible()
})
