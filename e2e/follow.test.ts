/** Tests following from a profile, a lesson and a course to the front page and the list of followed people. */
import { type MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { expect, test, visit } from './fixtures.ts'
import { publishShelf, register, signIn } from './people.ts'

const say = (key: MessageKey, values?: MessageValues) => translate('en', key, values)

test('a person follows an author, sees new items on the front page, and unfollows', async ({
  page,
  sit,
  server,
}) => {
  const { author, lesson, course } = await publishShelf(server.url, 'Braiding')
  const { id, username } = author
  await signIn(page, server.url, await register(server.url))
  await visit(page, '/following')
  await expect(page.getByText(say('followedNone'))).toBeVisible()

  const follows = page.getByRole('button', { name: say('followPerson', { username }), exact: true })
  const unfollows = page.getByRole('button', { name: say('unfollowPerson', { username }) })
  await visit(page, `/profile/${id}`)
  await expect(page.getByText(say('followers', { count: 0 }))).toBeVisible()
  await follows.click()
  await expect(page.getByText(say('followers', { count: 1 }))).toBeVisible()

  await visit(page, '/')
  const shelf = page.getByRole('region', { name: say('stallFollowed') })
  await expect(shelf.getByRole('heading', { name: 'Braiding 6' })).toBeVisible()
  await shelf.getByRole('link', { name: say('stallFollowedAll') }).click()
  await expect(page).toHaveURL(/\/following$/)
  // The cards of the front page, which may still be there, name the author too.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('followedTitle'))
  await expect(page.getByRole('link', { name: username })).toBeVisible()
  await unfollows.click()
  await expect(follows).toBeVisible()

  // A lesson and a course have the same button, except for guests and the author.
  await visit(page, `/lesson/details/${lesson}`)
  await follows.click()
  await expect(unfollows).toBeVisible()
  await visit(page, `/course/details/${course}`)
  await unfollows.click()
  await expect(follows).toBeVisible()
  for (const person of [null, author]) {
    const other = await sit(person)
    await visit(other, `/lesson/details/${lesson}`)
    await expect(other.locator('[data-byline]').getByText(username)).toBeVisible()
    await expect(
      other.getByRole('button', { name: say('followPerson', { username }) }),
    ).toHaveCount(0)
  }
})
