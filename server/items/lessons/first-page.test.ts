import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { CreatedLesson, Lesson, LessonCard } from '#contract/lessons.ts'
import { createTestApp, lessonForm } from '#server/testing/app.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' }, await loadSourceRenderer())
const { ann, bob } = await signUpAll(app, 'ann', 'bob')
afterAll(() => app.close())

async function create(opening?: string, headers: Record<string, string> = {}) {
  const form = await lessonForm()
  if (opening !== undefined) form.set('opening', opening)
  return app.call<CreatedLesson>('POST', '/lesson/create', { as: ann, form, headers })
}
const edit = (id: number, fields: Record<string, string>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return app.call<Lesson>('PATCH', `/lesson/${id}`, { as: ann, form })
}
const openingOf = async (id: number) =>
  (await app.call<Lesson>('GET', `/lesson/${id}`)).body.opening

test.each([
  ['en', 'The first page may have up to 300 characters.'],
  ['bg', 'Първата страница може да е до 300 знака.'],
])('301 letters are refused at the field, in %s', async (language, words) => {
  const refused = await create('я'.repeat(301), { 'accept-language': language })
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject([{ field: 'opening', description: words }])
})

test('300 characters of any script fit, even with two code units each, and blanks at the ends don’t count', async () => {
  const { status, body } = await create(`  ${'𝒜'.repeat(300)}\r\n`)
  expect(status).toBe(200)
  expect(body.opening).toBe('𝒜'.repeat(300))
})

test('blank or invisible openings count as none', async () => {
  for (const opening of [undefined, '', ' \n ', '\u200B\u2800'])
    expect((await create(opening)).body.opening).toBeNull()
})

test('a guest reads it on the locked lesson and on its card, as plain text', async () => {
  const text = 'It <b>begins</b> so.\n\n“Тихо”, каза тя.'
  const { id } = (await create(text)).body
  expect(await openingOf(id)).toBe(text)
  const cards = await app.call<LessonCard[]>('GET', '/lesson/all?page=1')
  expect(cards.body.find((card) => card.id === id)?.opening).toBe(text)
  const page = await (await fetch(`${app.url}/lesson/details/${id}`)).text()
  expect(page).toContain('It &lt;b&gt;begins&lt;/b&gt; so.')
  expect(page).not.toContain('<b>begins</b>')
  expect(page).toMatch(
    /<meta property="og:description" content="What one learns in it It &lt;b&gt;/,
  )
})

test('an edit keeps, empties or changes the opening, and strangers are refused', async () => {
  const { id } = (await create('Once there was a jar.')).body
  await edit(id, { title: 'Another title' })
  expect(await openingOf(id)).toBe('Once there was a jar.')
  const form = formOf({ opening: 'Mine now.' })
  expect((await app.call('PATCH', `/lesson/${id}`, { as: bob, form })).status).toBe(403)
  expect((await edit(id, { opening: 'x'.repeat(301) })).status).toBe(400)
  expect(await openingOf(id)).toBe('Once there was a jar.')
  await edit(id, { opening: 'Twice.' })
  expect(await openingOf(id)).toBe('Twice.')
  await edit(id, { opening: '' })
  expect(await openingOf(id)).toBeNull()
})

test('the database refuses an opening that is too long', async () => {
  const { id } = (await create('Short.')).body
  const { db } = app.app.database
  const write = (text: string) =>
    sql`update lesson_contents set opening = ${text} where lesson_id = ${id}`.execute(db)
  await expect(write('x'.repeat(301))).rejects.toThrow(/lesson_contents_opening/)
  await expect(write('')).rejects.toThrow(/lesson_contents_opening/)
})
