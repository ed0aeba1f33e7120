/** Tests how the author of a copied lesson says "This is mine", and what moderators decide. */
import type { Page } from '@playwright/test'
import { expect, test, visit } from './fixtures.ts'
import { publish, register, registerAdministrator } from './people.ts'

const ARTICLE =
  'Lay the two ends across each other, lead one of them around the other and back through the bight, and pull all four parts tight. Under load the knot holds without slipping, and it can be opened by hand afterwards.'

const notice = (page: Page) => page.getByRole('main').getByRole('listitem').first()

/** Waits until the newest notice says this. Notices follow their cause a moment later. */
const hear = (page: Page, words: string) =>
  expect(async () => {
    await visit(page, '/notifications')
    await expect(notice(page)).toContainText(words, { timeout: 1000 })
  }).toPass()

test('an author claims a copied lesson, moderators compare both texts, and both authors hear of it', async ({
  sit,
  server,
}) => {
  const [ann, bob, rosa] = [
    await register(server.url),
    await register(server.url),
    await registerAdministrator(server),
  ]
  await publish(server.url, ann, { title: 'The reef knot', article: `<p>${ARTICLE}</p>` })
  const copy = { title: 'A knot of mine', article: `<p>${ARTICLE} Have fun with it.</p>` }
  await publish(server.url, bob, copy)

  const author = await sit(ann)
  await hear(
    author,
    `${bob.username} published “A knot of mine”, which is almost the same as a lesson of yours.`,
  )
  await author.getByRole('button', { name: 'This is mine: A knot of mine' }).click()
  await expect(notice(author).getByRole('status')).toHaveText('Sent to the moderators.')

  const desk = await sit(rosa)
  await visit(desk, '/admin/reports')
  const report = desk.getByRole('article').filter({ hasText: 'A knot of mine' })
  await expect(report).toContainText('The reef knot')
  await report.getByRole('button', { name: 'Compare the texts' }).click()
  await expect(report).toContainText(/9\d% alike\. What both have in common is marked\./)
  for (const [heading, words] of [
    ['The newer lesson', `${ARTICLE} Have fun with it.`],
    ['The older lesson', ARTICLE],
  ] as const) {
    const side = report.locator('section').filter({ hasText: heading })
    await expect(side).toContainText(words)
    // Up to the last word.
    await expect(side.locator('mark')).toHaveText(ARTICLE.slice(0, -1))
  }
  await report.getByRole('button', { name: 'It’s a copy' }).click()
  await expect(report).toContainText('Decided: a copy.')
  await expect(report.getByRole('button', { name: 'Undo' })).toBeVisible()

  const copyist = await sit(bob)
  for (const page of [author, copyist])
    await hear(page, 'Moderators decided that “A knot of mine” is a copy. It earns no reward')
})
