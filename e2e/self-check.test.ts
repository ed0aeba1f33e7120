/** Tests self-checks: an author writes questions, and a reader answers, sees mistakes and tries again. */
import type { Page } from '@playwright/test'
import type { Question } from '#contract/questions.ts'
import { expect, intercept, test, visit } from './fixtures.ts'
import { publish, register, registerBuyer, signIn } from './people.ts'
import { openOptional } from './publish-by-form.ts'
import type { Server } from './server.ts'

/** Appears in no other text. */
const MARKER = 'becauseitissaltedfirst'
const QUESTIONS: readonly Question[] = [
  {
    text: 'What comes first?',
    answers: [
      { text: 'The salt', right: true },
      { text: 'The lid', right: false },
    ],
    explanation: MARKER,
  },
  {
    text: 'What is in the jar?',
    answers: [
      { text: 'Cabbage', right: true },
      { text: 'Vinegar', right: false },
      { text: 'Brine', right: true },
    ],
    explanation: `${MARKER} too`,
  },
]

/** Returns a lesson with questions, and a person who has unlocked it. */
async function ask(server: Server) {
  const author = await register(server.url)
  const checks = JSON.stringify(QUESTIONS)
  const id = await publish(server.url, author, { title: 'Cabbage', checks })
  return { author, id, reader: await registerBuyer(server, 100, `lesson/buy/${id}`) }
}

const button = (name: string) => ['button', { name, exact: true }] as const
const checkOf = (page: Page) => page.getByRole('region', { name: 'Check yourself' })

test('a reader takes it, sees explanations, and passes; the author sees the statistics', async ({
  page,
  sit,
  server,
}) => {
  const { author, reader, id } = await ask(server)
  await signIn(page, server.url, reader)
  await visit(page, `/lesson/details/${id}`)
  const check = checkOf(page)
  await check.getByRole(...button('See the questions')).click()
  const [first, second] = [check.getByRole('group').nth(0), check.getByRole('group').nth(1)]
  await expect(first.getByRole('radio').first()).toBeFocused()
  await expect(second.getByText('Choose all that are right.')).toBeVisible()
  await first.getByRole('radio', { name: 'The lid' }).check()
  await check.getByRole(...button('Check my answers')).click()
  await expect(second.getByText('Choose at least one answer.')).toBeVisible()
  await expect(second.getByRole('checkbox').first()).toBeFocused()
  await page.keyboard.press('Space')
  await second.getByRole('checkbox', { name: 'Brine' }).check()

  // Chosen answers survive a network error.
  await intercept(page, '**/api/check/**', (route) => route.abort())
  await check.getByRole(...button('Check my answers')).click()
  await expect(check.getByRole('alert')).toBeVisible()
  await page.unroute('**/api/check/**')
  await check.getByRole(...button('Check my answers')).click()
  const score = check.getByText(/ right\.|You passed/).first()
  await expect(score).toHaveText('1 of 2 right.')
  await expect(score).toBeFocused()
  await expect(check.getByText(MARKER, { exact: true })).toBeVisible()
  const verdicts = check.getByRole('listitem').getByText(/^(Not right|Right)$/)
  await expect(verdicts).toHaveText(['Not right', 'Right'])
  await expect(check.getByText('right answer', { exact: true })).toHaveCount(1)

  await check.getByRole(...button('Take it again')).click()
  await expect(check.getByText(MARKER)).toHaveCount(0)
  await first.getByRole('radio', { name: 'The salt' }).check()
  for (const name of ['Cabbage', 'Brine']) await second.getByRole('checkbox', { name }).check()
  await check.getByRole(...button('Check my answers')).click()
  await expect(score).toContainText('You passed.')
  await page.reload()
  await expect(check.getByText('Passed on')).toBeVisible()

  const desk = await sit(author)
  await visit(desk, `/lesson/details/${id}`)
  await checkOf(desk).locator('summary').click()
  const table = desk.getByRole('table', { name: /What comes first/ })
  await expect(table.getByRole('row', { name: /The lid/ })).toContainText('1')

  // If questions change meanwhile, the new ones are shown, and choices that still apply are preserved.
  await check.getByRole(...button('Take it again')).click()
  await first.getByRole('radio', { name: 'The salt' }).check()
  await second.getByRole('checkbox', { name: 'Brine' }).check()
  const form = new FormData()
  const [asked, changed] = QUESTIONS
  form.set('checks', JSON.stringify([asked, { ...changed, text: 'What is inside?' }]))
  const path = `${server.url}/api/lesson/${id}`
  const headers = { authorization: `Bearer ${author.accessToken}` }
  const edit = await fetch(path, { method: 'PATCH', body: form, headers })
  expect(edit.status).toBe(200)
  await check.getByRole(...button('Check my answers')).click()
  await expect(check.getByRole('alert')).toContainText('The author has changed the questions')
  await expect(check.getByText('What is inside?')).toBeVisible()
  await expect(check.getByRole('radio', { name: 'The salt' })).toBeChecked()
  await expect(check.getByRole('checkbox', { name: 'Brine' })).not.toBeChecked()
})

test('questions are written, edited, moved and preserved until they are saved', async ({
  page,
  server,
}) => {
  const author = await register(server.url)
  const id = await publish(server.url, author)
  await signIn(page, server.url, author)
  await visit(page, `/lesson/edit/${id}`)
  const field = page.locator('[data-field=checks]')
  const save = page.getByRole(...button('Save changes'))
  await openOptional(page)
  await field.getByRole(...button('Add a question')).click()
  const one = field.locator('fieldset').nth(0)
  const question = one.getByRole('textbox', { name: 'Question' })
  const answer = (place: number) =>
    one.getByRole('textbox', { name: `Answer ${place}`, exact: true })
  await expect(question).toBeFocused()
  await question.fill('What comes first?')
  await answer(1).fill('The salt')
  await one.getByRole('textbox', { name: 'Explanation' }).fill(MARKER)
  await expect(save).toBeDisabled()
  await page.locator('input[name=title]').focus()
  await expect(one.getByText('Mark at least one answer as right.')).toBeVisible()
  await one.getByRole('checkbox', { name: 'Answer 1 is right' }).check()
  await expect(one.getByText('Mark at least one answer as right.')).toHaveCount(0)
  await answer(2).fill('The lid')

  // Adds a second question, moves it up, removes it and restores it.
  await field.getByRole(...button('Add a question')).click()
  const fields = field.locator('fieldset')
  await fields.nth(1).getByRole('textbox').first().fill('Second question')
  await field.getByRole(...button('Move question 2 up')).click()
  await expect(question).toHaveValue('Second question')
  await field.getByRole(...button('Remove question 1')).click()
  await expect(fields).toHaveCount(1)
  await field.getByRole(...button('Undo')).click()
  await expect(question).toHaveValue('Second question')
  await field.getByRole(...button('Remove question 1')).click()
  await expect(question).toHaveValue('What comes first?')

  // Unsaved questions are offered after a reload.
  await page.reload()
  await page.getByRole(...button('Continue with it')).click()
  await expect(question).toHaveValue('What comes first?')
  await save.click()
  await expect(page).toHaveURL(new RegExp(`/lesson/details/${id}$`))
  await expect(checkOf(page)).toBeVisible()
  await visit(page, `/lesson/edit/${id}`)
  await expect(answer(2)).toHaveValue('The lid')
  await expect(one.getByRole('checkbox', { name: 'Answer 1 is right' })).toBeChecked()
})

test('no page, script or response reveals the correct answers before the attempt', async ({
  sit,
  server,
}) => {
  const { author, reader, id } = await ask(server)
  const holds = (body: string) => body.includes(MARKER) || /"right":/.test(body)
  const paths = ['/', '/lesson/all', '/lesson/bought', '/search?q=cabbage', `/profile/${author.id}`]
  for (const person of [null, reader]) {
    const page = await sit(person)
    const held: string[] = []
    const read: Promise<unknown>[] = []
    page.on('response', (response) => {
      const text = response.text().catch(() => '')
      read.push(text.then((body) => holds(body) && held.push(response.url())))
    })
    for (const path of paths) await page.goto(path)
    await visit(page, `/lesson/details/${id}`)
    const begin = checkOf(page).getByRole('button', { name: 'See the questions' })
    await expect(begin).toHaveCount(person === null ? 0 : 1)
    if (person !== null) {
      await begin.click()
      await expect(page.getByRole('radio')).not.toHaveCount(0)
    }
    expect(await page.content()).not.toContain(MARKER)
    await Promise.all(read)
    expect(read.length).toBeGreaterThan(10)
    expect(held).toEqual([])
  }
})
