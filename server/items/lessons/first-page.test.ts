import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Lesson, LessonCard } from '#contract/lessons.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000' }, await loadSourceRenderer())
const ann = await app.signUp('ann')

const create = (opening: string) => app.publishLesson(ann, { opening })
const edit = (id: number, fields: Record<string, string>) =>
  app.call('PATCH', `/lesson/${id}`, { as: ann, form: formOf(fields) })
const openingOf = async (id: number) =>
  (await done<Lesson>(app, undefined, `GET /lesson/${id}`)).opening

test('blank or invisible openings count as none', async () => {
  expect((await app.publishLesson(ann)).opening).toBeNull()
  for (const opening of ['', ' \n ', '\u200B\u2800'])
    expect((await create(opening)).opening).toBeNull()
})

test('a guest reads it on the locked lesson and on its card, as plain text', async () => {
  const text = 'It <b>begins</b> so.\n\n“Тихо”, каза тя.'
  const { id } = await create(text)
  expect(await openingOf(id)).toBe(text)
  const cards = await app.call<LessonCard[]>('GET', '/lesson/all?page=1')
  expect(cards.body.find((card) => card.id === id)?.opening).toBe(text)
  const page = await (await fetch(`${app.url}/lesson/details/${id}`)).text()
  expect(page).toContain('It &lt;b&gt;begins&lt;/b&gt; so.')
  expect(page).not.toContain('<b>begins</b>')
})

test('an edit keeps, empties or changes the opening', async () => {
  const { id } = await create('Once there was a jar.')
  await edit(id, { title: 'Another title' })
  expect(await openingOf(id)).toBe('Once there was a jar.')
  await edit(id, { opening: 'Twice.' })
  expect(await openingOf(id)).toBe('Twice.')
  await edit(id, { opening: '' })
  expect(await openingOf(id)).toBeNull()
})

test('the database refuses an opening that is too long', async () => {
  const { id } = await create('Short.')
  const { db } = app.app.database
  const write = (text: string) =>
    sql`update lesson_contents set opening = ${text} where lesson_id = ${id}`.execute(db)
  await expect(write('x'.repeat(301))).rejects.toThrow(/lesson_contents_opening/)
  await expect(write('')).rejects.toThrow(/lesson_contents_opening/)
})
