/** An author asks about a lesson, a reader answers, sees what was wrong and why, and takes it again. */
import type { MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import type { Question } from '#contract/questions.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { expect, test, visit } from './fixtures.ts'
import { publish, register, type Registered, signIn } from './people.ts'

/** In no other text. */
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

const bearer = ({ accessToken }: Registered) => ({ authorization: `Bearer ${accessToken}` })

/** A lesson that asks, and somebody who has unlocked it. */
async function ask(url: string): Promise<{ author: Registered; reader: Registered; id: number }> {
  const [author, reader] = [await register(url), await register(url)]
  const id = await publish(url, author, { title: 'Cabbage', checks: JSON.stringify(QUESTIONS) })
  await publish(url, reader)
  const path = `${url}/api/lesson/buy/${id}`
  const { status } = await fetch(path, { method: 'POST', headers: bearer(reader) })
  expect(status).toBe(200)
  return { author, reader, id }
}

const say = (key: MessageKey, values?: MessageValues) => translate('en', key, values)
const button = (key: MessageKey, values?: MessageValues) =>
  ['button', { name: say(key, values), exact: true }] as const

test('a reader takes it, sees why, and passes; the author sees how', async ({
  page,
  server,
  browser,
}) => {
  const { author, reader, id } = await ask(server.url)
  await signIn(page, server.url, reader)
  await visit(page, `/lesson/details/${id}`)
  const check = page.getByRole('region', { name: say('checkTitle') })
  await check.getByRole(...button('checkBegin')).click()
  const [first, second] = [check.getByRole('group').nth(0), check.getByRole('group').nth(1)]
  await expect(first.getByRole('radio').first()).toBeFocused()
  await expect(second.getByText(say('checkSeveral'))).toBeVisible()
  await first.getByRole('radio', { name: 'The lid' }).check()
  await check.getByRole(...button('checkSend')).click()
  await expect(second.getByText(say('checkUnansweredSeveral'))).toBeVisible()
  await expect(second.getByRole('checkbox').first()).toBeFocused()
  await page.keyboard.press('Space')
  await second.getByRole('checkbox', { name: 'Brine' }).check()

  // Nothing that is chosen is lost with the network.
  await page.route('**/api/check/**', (route) => route.abort())
  await check.getByRole(...button('checkSend')).click()
  await expect(check.getByRole('alert')).toBeVisible()
  await page.unroute('**/api/check/**')
  await check.getByRole(...button('checkSend')).click()
  const score = check.locator('p[tabindex]')
  await expect(score).toHaveText(say('checkScore', { right: 1, of: 2 }))
  await expect(score).toBeFocused()
  await expect(check.getByText(MARKER, { exact: true })).toBeVisible()
  const verdicts = check.locator('li > h3 + p')
  await expect(verdicts).toHaveText([say('checkWrong'), say('checkRight')])
  await expect(check.getByText(say('checkRightAnswer'), { exact: true })).toHaveCount(1)

  await check.getByRole(...button('checkAgain')).click()
  await expect(check.getByText(MARKER)).toHaveCount(0)
  await first.getByRole('radio', { name: 'The salt' }).check()
  for (const name of ['Cabbage', 'Brine']) await second.getByRole('checkbox', { name }).check()
  await check.getByRole(...button('checkSend')).click()
  await expect(score).toContainText(say('checkAllRight'))
  await page.reload()
  await expect(check.getByText(say('checkPassed'))).toBeVisible()

  const desk = await (await browser.newContext({ locale: 'en-GB', baseURL: server.url })).newPage()
  await signIn(desk, server.url, author)
  await visit(desk, `/lesson/details/${id}`)
  await desk.getByText(say('checkFigures')).click()
  const table = desk.getByRole('table', { name: /What comes first/ })
  await expect(table.getByRole('row', { name: /The lid/ })).toContainText('1')
  await desk.context().close()

  // Questions that change meanwhile are shown instead, and what still fits stays chosen.
  await check.getByRole(...button('checkAgain')).click()
  await first.getByRole('radio', { name: 'The salt' }).check()
  await second.getByRole('checkbox', { name: 'Brine' }).check()
  const form = new FormData()
  const [asked, changed] = QUESTIONS
  form.set('checks', JSON.stringify([asked, { ...changed, text: 'What is inside?' }]))
  const path = `${server.url}/api/lesson/${id}`
  const edit = await fetch(path, { method: 'PATCH', body: form, headers: bearer(author) })
  expect(edit.status).toBe(200)
  await check.getByRole(...button('checkSend')).click()
  await expect(check.getByRole('alert')).toContainText('The author has changed the questions')
  await expect(check.getByText('What is inside?')).toBeVisible()
  await expect(check.getByRole('radio', { name: 'The salt' })).toBeChecked()
  await expect(check.getByRole('checkbox', { name: 'Brine' })).not.toBeChecked()
})

test('questions are written, mended, moved and kept until they are saved', async ({
  page,
  server,
}) => {
  const author = await register(server.url)
  const id = await publish(server.url, author)
  await signIn(page, server.url, author)
  await visit(page, `/lesson/edit/${id}`)
  const field = page.locator('[data-field=checks]')
  const save = page.getByRole(...button('saveChanges'))
  await field.getByRole(...button('checkAdd')).click()
  const one = field.locator('fieldset').nth(0)
  const question = one.getByRole('textbox', { name: say('checkQuestion') })
  const answer = (place: number) =>
    one.getByRole('textbox', { name: say('checkAnswerNumber', { place }), exact: true })
  await expect(question).toBeFocused()
  await question.fill('What comes first?')
  await answer(1).fill('The salt')
  await answer(2).fill('The salt')
  await one.getByRole('textbox', { name: say('checkExplanation') }).fill(MARKER)
  await expect(save).toBeDisabled()
  await page.locator('input[name=title]').focus()
  await expect(one.getByText(say('checkNoRight'))).toBeVisible()
  await one.getByRole('checkbox', { name: say('checkAnswerRight', { place: 1 }) }).check()
  await expect(one.getByText(say('checkNoRight'))).toHaveCount(0)
  await page.locator('input[name=title]').focus()
  await expect(one.getByText(say('checkAnswerTwice'))).toBeVisible()
  await answer(2).fill('The lid')
  await expect(one.getByText(say('checkAnswerTwice'))).toHaveCount(0)

  // A second one, moved up, taken away and brought back.
  await field.getByRole(...button('checkAdd')).click()
  const fields = field.locator('fieldset')
  await fields.nth(1).getByRole('textbox').first().fill('Second question')
  await fields
    .nth(1)
    .getByRole(...button('checkMoveUp', { place: 2 }))
    .click()
  const words = () => fields.locator('> div:nth-of-type(2) textarea')
  await expect(words().first()).toHaveValue('Second question')
  await fields
    .nth(0)
    .getByRole(...button('checkRemove', { place: 1 }))
    .click()
  await expect(fields).toHaveCount(1)
  await field.getByRole(...button('undo')).click()
  await expect(words().first()).toHaveValue('Second question')
  await fields
    .nth(0)
    .getByRole(...button('checkRemove', { place: 1 }))
    .click()
  await expect(question).toHaveValue('What comes first?')

  // What is not saved is offered after a reload.
  await page.reload()
  await page.getByRole(...button('draftTake')).click()
  await expect(question).toHaveValue('What comes first?')
  await save.click()
  await expect(page).toHaveURL(new RegExp(`/lesson/details/${id}$`))
  await expect(page.getByRole('region', { name: say('checkTitle') })).toBeVisible()
  await visit(page, `/lesson/edit/${id}`)
  await expect(answer(2)).toHaveValue('The lid')
  await expect(
    one.getByRole('checkbox', { name: say('checkAnswerRight', { place: 1 }) }),
  ).toBeChecked()
})

test('no page, script or answer holds what is right before the attempt', async ({
  browser,
  server,
}) => {
  const { author, reader, id } = await ask(server.url)
  const people = [null, await register(server.url), reader, author]
  const paths = [
    `/lesson/details/${id}`,
    '/',
    '/lesson/all',
    '/lesson/yours',
    '/lesson/bought',
    '/search?q=cabbage',
    `/profile/${author.id}`,
  ]
  const holds = (body: string) => body.includes(MARKER) || /"right":/.test(body)
  for (const person of people) {
    const context = await browser.newContext({ locale: 'en-GB', baseURL: server.url })
    const page = await context.newPage()
    if (person !== null) await signIn(page, server.url, person)
    for (const path of paths) {
      const answer = await context.request.get(path)
      expect([path, answer.ok(), holds(await answer.text())]).toEqual([path, true, false])
    }
    const mayTake = person === reader
    if (person === reader || person === null) {
      const held: string[] = []
      const read: Promise<unknown>[] = []
      page.on('response', (response) => {
        const text = response.text().catch(() => '')
        read.push(text.then((body) => holds(body) && held.push(response.url())))
      })
      await visit(page, `/lesson/details/${id}`)
      const begin = page
        .getByRole('region', { name: say('checkTitle') })
        .getByRole('button', { name: 'To the questions' })
      await expect(begin).toHaveCount(mayTake ? 1 : 0)
      if (mayTake) {
        await begin.click()
        await expect(page.getByRole('radio')).not.toHaveCount(0)
      }
      expect(await page.content()).not.toContain(MARKER)
      await Promise.all(read)
      expect(read.length).toBeGreaterThan(10)
      expect(held).toEqual([])
    }
    await context.close()
  }
})
