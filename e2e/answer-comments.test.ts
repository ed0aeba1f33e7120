/** Tests a comment and the author's reply as both people see them. */
import type { Locator, Page } from '@playwright/test'
import { ageComments } from './database.ts'
import { awake, expect, once, test as base, visit } from './fixtures.ts'
import { publish, register, registerBuyer, type Registered } from './people.ts'

interface Stall {
  readonly author: Registered
  readonly buyer: Registered
  readonly lessons: readonly number[]
}

const test = base.extend<{ stall: Stall }>({
  stall: once(async (server) => {
    const author = await register(server.url)
    const lessons = [await publish(server.url, author), await publish(server.url, author)]
    const bought = lessons.map((id) => `lesson/buy/${id}`)
    return { author, lessons, buyer: await registerBuyer(server, 200, ...bought) }
  }),
})

const PHONE = { viewport: { width: 390, height: 844 } }

const talk = (page: Page) => page.getByRole('region', { name: /^Comments/ })
const commentWith = (page: Page, words: string) =>
  talk(page).getByRole('article').filter({ hasText: words })
const press = (place: Page | Locator, name: string) =>
  place.getByRole('button', { name, exact: true }).click()
const change = (page: Page) => page.getByLabel('Edit your comment')
const answers = (page: Page) => talk(page).getByRole('group', { name: 'Replies' })

async function comment(page: Page, words: string): Promise<void> {
  await page.getByLabel('Your comment', { exact: true }).fill(words)
  await press(page, 'Post comment')
  await expect(commentWith(page, words)).toBeVisible()
}

/** Deletes a comment and confirms the dialog. */
async function remove(page: Page, words: string): Promise<void> {
  await press(commentWith(page, words), 'Delete')
  await press(page.getByRole('dialog'), 'Delete comment')
}

test('a question, its answer, an edit and a deletion', async ({ sit, server, stall }) => {
  const path = `/lesson/details/${stall.lessons[0]}`
  const changed = 'Up to fourteen millimeters.'
  const asking = await sit(stall.buyer, PHONE)
  await visit(asking, path)
  await comment(asking, 'How thick may the rope be?')

  const answering = await sit(stall.author, PHONE)
  await visit(answering, path)
  const question = commentWith(answering, 'rope be?')
  await question.getByRole('button', { name: 'Reply', exact: true }).press('Enter')
  const field = talk(answering).getByRole('textbox', { name: 'Your reply' })
  await expect(field).toBeFocused()
  await field.press('Escape')
  await expect(field).toHaveCount(0)
  await expect(question).toBeFocused()
  await press(question, 'Reply')
  await field.fill('Up to twelve millimeters.')
  await press(talk(answering), 'Post reply')
  const answer = answers(answering).getByRole('article')
  await expect(answer).toContainText('Up to twelve millimeters.')
  await expect(answer).toBeFocused()
  await expect(answer.getByText('Author', { exact: true })).toBeVisible()
  await expect(answer.getByRole('button', { name: 'Reply' })).toHaveCount(0)
  await press(answer, 'Edit')
  await expect(change(answering)).toHaveValue('Up to twelve millimeters.')
  await change(answering).fill(changed)
  await press(answers(answering), 'Save changes')
  await expect(answer).toContainText(changed)
  await expect(answer).toContainText('edited')

  await asking.reload()
  await awake(asking)
  await expect(answers(asking).getByRole('article')).toContainText(changed)
  await remove(asking, 'How thick may the rope be?')
  await expect(talk(asking).getByText('Deleted comment')).toBeVisible()
  await expect(answers(asking).getByRole('article')).toHaveCount(1)
  await asking.reload()
  await expect(answers(asking).getByRole('article')).toHaveCount(1)
  expect(await asking.evaluate(() => document.body.scrollWidth <= innerWidth)).toBe(true)

  // An edit after more than 15 minutes is refused with an explanation, and the text is preserved.
  await awake(asking)
  await comment(asking, 'Late: which rope is it?')
  await press(commentWith(asking, 'Late'), 'Edit')
  const late = 'Late: which of the two ropes is it?'
  await change(asking).fill(late)
  await ageComments(server.dataDir, 'Late: which rope is it?', 125)
  await press(asking, 'Save changes')
  const tooOld = 'You can edit a comment for 15 minutes. That time is over.'
  await expect(asking.getByRole('alert').filter({ hasText: tooOld })).toBeVisible()
  await expect(change(asking)).toHaveValue(late)
  await answering.reload()
  const written = commentWith(answering, 'Late: which rope is it?').locator('time')
  await expect(written).toHaveText('2 h ago')
  // The tooltip shows the exact time.
  await expect(written).toHaveAttribute('title', /^\d\d\/\d\d\/\d{4} \d\d:\d\d$/)
})

test('another open page shows the edit and the deletion of a comment', async ({ sit, stall }) => {
  const path = `/lesson/details/${stall.lessons[1]}`
  const writing = await sit(stall.buyer, PHONE)
  await visit(writing, path)
  await comment(writing, 'Seen: which hook is it?')
  const watching = await sit(stall.author, PHONE)
  await watching.clock.install()
  await visit(watching, path)
  const shown = commentWith(watching, 'Seen')
  const count = (number: number) =>
    expect(talk(watching).getByRole('heading').first()).toHaveText(`Comments ${number}`)
  await count(1)

  await press(commentWith(writing, 'Seen'), 'Edit')
  await change(writing).fill('Seen: which of the two hooks is it?')
  await press(writing, 'Save changes')
  await expect(commentWith(writing, 'two hooks')).toContainText('edited')
  // Pages poll every eight seconds.
  await watching.clock.fastForward(8000)
  await expect(shown).toContainText('which of the two hooks')
  await expect(shown).toContainText('edited')
  await expect(shown).toHaveCount(1)

  await press(shown, 'Reply')
  const answer = talk(watching).getByRole('textbox', { name: 'Your reply' })
  await answer.fill('The wider one of them.')
  await remove(writing, 'Seen')
  await expect(commentWith(writing, 'Seen')).toHaveCount(0)
  await watching.clock.fastForward(8000)
  await expect(shown).toHaveCount(0)
  await count(0)
  await expect(talk(watching).getByText('Deleted comment')).toBeVisible()
  // The reply being written is preserved, with an explanation why it can't be posted.
  await expect(answer).toBeFocused()
  await expect(answer).toHaveValue('The wider one of them.')
  await press(watching, 'Post reply')
  await expect(talk(watching).getByRole('alert')).toBeVisible()
  await expect(answer).toHaveValue('The wider one of them.')
})
