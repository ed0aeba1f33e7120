/** Tests following from a profile to the front page and the list of followed people. */
import type { Page } from '@playwright/test'
import { COURSE_LESSONS } from '#contract/limits.ts'
import { type MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { expect, test, visit } from './fixtures.ts'
import { publish, publishCourse, register, signIn } from './people.ts'

const locale = 'en'

const say = (key: MessageKey, values?: MessageValues) => translate(locale, key, values)

test.describe(`following`, () => {
  test.use({ locale: 'en-GB' })

  test('a person follows an author, sees new items on the front page, and unfollows', async ({
    page,
    server,
  }) => {
    const author = await register(server.url)
    const reader = await register(server.url)
    const title = `Weaving ${locale}`
    await publish(server.url, author, { title })
    await page.context().addCookies([reader.cookie])

    await visit(page, '/following')
    await expect(page.getByText(say('followedNone'))).toBeVisible()

    const { id, username } = author
    await visit(page, `/profile/${id}`)
    await expect(page.getByText(say('followers', { count: 0 }))).toBeVisible()
    await page.getByRole('button', { name: say('followPerson', { username }) }).click()
    await expect(page.getByText(say('followers', { count: 1 }))).toBeVisible()

    await visit(page, '/')
    const shelf = page.getByRole('region', { name: say('stallFollowed') })
    await expect(shelf.getByRole('heading', { name: title })).toBeVisible()
    await shelf.getByRole('link', { name: say('stallFollowedAll') }).click()

    await expect(page).toHaveURL(/\/following$/)
    await expect(page.getByRole('link', { name: username })).toBeVisible()
    await page.getByRole('button', { name: say('unfollowPerson', { username }) }).click()
    await expect(
      page.getByRole('button', { name: say('followPerson', { username }), exact: true }),
    ).toBeVisible()
    await visit(page, `/profile/${id}`)
    await expect(page.getByText(say('followers', { count: 0 }))).toBeVisible()
  })

  test('a reader follows the author from a lesson and a course', async ({
    page,
    server,
    browser,
  }) => {
    const author = await register(server.url)
    const reader = await register(server.url)
    const lessons: number[] = []
    while (lessons.length < COURSE_LESSONS.min)
      lessons.push(await publish(server.url, author, { title: `Knots ${lessons.length}` }))
    const course = await publishCourse(server.url, author, lessons)
    const lesson = lessons[0] ?? 0
    const { username } = author
    const button = (on: Page, key: 'followPerson' | 'unfollowPerson') =>
      on.getByRole('main').getByRole('button', { name: say(key, { username }), exact: true })

    await page.context().addCookies([reader.cookie])
    await visit(page, `/lesson/details/${lesson}`)
    await button(page, 'followPerson').click()
    await expect(button(page, 'unfollowPerson')).toBeVisible()
    await visit(page, `/course/details/${course}`)
    await expect(button(page, 'unfollowPerson')).toBeVisible()
    await button(page, 'unfollowPerson').click()
    await expect(button(page, 'followPerson')).toBeVisible()
    await visit(page, `/lesson/details/${lesson}`)
    await expect(button(page, 'followPerson')).toBeVisible()

    // Guests and the author have no button, and a guest's page makes no request for it.
    for (const [person, buttons] of [
      [null, 0],
      [author, 0],
      [reader, 1],
    ] as const) {
      const context = await browser.newContext({
        baseURL: server.url,
        locale: 'en-GB',
      })
      const other = await context.newPage()
      if (person !== null) await signIn(other, server.url, person)
      const fetched: string[] = []
      other.on('request', (request) => fetched.push(request.url()))
      await visit(other, `/lesson/details/${lesson}`)
      await expect(other.locator('[data-byline]').getByText(username)).toBeVisible()
      await expect(button(other, 'followPerson')).toHaveCount(buttons)
      await context.close()
    }
  })
})
