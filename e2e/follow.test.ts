/** Following: from somebody's page to one's own front page, and the list of whom one follows. */
import { LOCALES, type Locale, type MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { findings } from './axe.ts'
import { expect, test, visit } from './fixtures.ts'
import { publish, register } from './people.ts'

for (const locale of LOCALES) {
  const say = (key: MessageKey, values?: MessageValues) => translate(locale as Locale, key, values)

  test.describe(`following in ${locale}`, () => {
    test.use({ locale: locale === 'bg' ? 'bg-BG' : 'en-GB' })

    test('a person follows an author, finds what is new on the front page, and stops', async ({
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
      expect(await findings(page)).toEqual([])

      await visit(page, '/')
      const shelf = page.getByRole('region', { name: say('stallFollowed') })
      await expect(shelf.getByRole('link', { name: title })).toBeVisible()
      await shelf.getByRole('link', { name: say('stallFollowedAll') }).click()

      await expect(page).toHaveURL(/\/following$/)
      await expect(page.getByRole('link', { name: username })).toBeVisible()
      expect(await findings(page)).toEqual([])
      await page.getByRole('button', { name: say('unfollowPerson', { username }) }).click()
      await expect(
        page.getByRole('button', { name: say('followPerson', { username }), exact: true }),
      ).toBeVisible()
      await visit(page, `/profile/${id}`)
      await expect(page.getByText(say('followers', { count: 0 }))).toBeVisible()
    })
  })
}
