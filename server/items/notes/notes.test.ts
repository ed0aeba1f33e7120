import { afterAll, describe, expect, test } from 'vitest'
import type { Problem } from '#contract/errors.ts'
import { NOTES_A_LESSON } from '#contract/limits.ts'
import type { ListedNote, Note } from '#contract/notes.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { writeNotes } from '#server/items/notes/markdown.ts'
import { done, statusesOf } from '#server/testing/http/answers.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '5000' })
const { ann, bob, eve } = await signUpAll(app, 'ann', 'bob', 'eve')
const published = await app.publishLesson(ann, { title: 'Ферментация 100%' })
const lesson = published.id
const title = published.title
afterAll(() => app.close())

const buy = (as: Person, id: number) => done(app, as, `POST /lesson/buy/${id}`)
const post = (as: Person, id: number, json: unknown) =>
  app.call<Note & Problem>('POST', `/note/create/${id}`, { as, json })
const written = (as: Person, id: number, json: unknown) =>
  done<Note>(app, as, `POST /note/create/${id}`, json)
const put = (as: Person, id: number, json: unknown) =>
  app.call<Note>('PUT', `/note/${id}`, { as, json })
const drop = (as: Person, id: number) => app.call('DELETE', `/note/${id}`, { as })
const ofLesson = (as: Person, id: number) => done<Note[]>(app, as, `GET /note/lesson/${id}`)
const all = (as: Person, query = '') =>
  done<{ notes: ListedNote[]; total: number }>(app, as, `GET /note/all${query}`)

await buy(bob, lesson)

describe('refusals', () => {
  test('missing and deleted lessons accept none', async () => {
    const { id } = await app.publishLesson(ann)
    await done(app, ann, `DELETE /lesson/${id}`)
    for (const gone of [id, 999_999_999])
      expect((await post(ann, gone, { text: 'Mine' })).status).toBe(404)
  })
  test('nobody can access another person’s note, including administrators', async () => {
    const { id } = await written(bob, lesson, { text: 'Of nobody’s concern' })
    await setRole(app.app.database.db, 'eve', 'administrator')
    for (const as of [ann, eve]) {
      expect((await put(as, id, { text: 'Changed' })).status).toBe(404)
      expect((await drop(as, id)).status).toBe(404)
      expect([await ofLesson(as, lesson), (await all(as)).notes]).toEqual([[], []])
    }
    expect(await ofLesson(bob, lesson)).toMatchObject([{ text: 'Of nobody’s concern' }])
    expect((await drop(bob, id)).status).toBe(204)
    expect((await drop(bob, id)).status).toBe(404)
  })
})

test('notes are in the order of the video, and those without a position come last', async () => {
  const { id } = await app.publishLesson(ann)
  await buy(bob, id)
  await written(bob, id, { text: 'Of it all' })
  await written(bob, id, { text: 'Late', second: 1e12 })
  await written(bob, id, { text: 'Early', second: 135.9 })
  const notes = await ofLesson(bob, id)
  expect(notes.map(({ text, second }) => [text, second])).toEqual([
    ['Early', 135],
    // No video is longer than a day.
    ['Late', 24 * 60 * 60],
    ['Of it all', null],
  ])
  expect(notes[0]).toMatchObject({ lesson: id, edited: null, date: expect.any(String) })
})

test('an edit preserves the position and line breaks, and is marked', async () => {
  const note = await written(bob, lesson, { text: 'First line\r\nsecond', second: 5 })
  expect(note.text).toBe('First line\nsecond')
  const { body } = await put(bob, note.id, { text: ' Other words ' })
  expect(body).toMatchObject({ id: note.id, text: 'Other words', second: 5 })
  expect(body.edited).not.toBeNull()
  await drop(bob, note.id)
})

test('a draft sent ten times at once creates one note', async () => {
  const draftId = '0190163d-8694-739b-aea5-966c26f8ad91'
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => post(bob, lesson, { text: 'Once', draftId })),
  )
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  expect(await ofLesson(bob, lesson)).toHaveLength(1)
  await drop(bob, answers[0]?.body.id ?? 0)
})

test('search finds notes by their text or the lesson’s title, ignoring case', async () => {
  const salt = await written(bob, lesson, { text: 'Две чаени лъжици СОЛ на литър', second: 135 })
  const other = await app.publishLesson(ann)
  await buy(bob, other.id)
  const water = await written(bob, other.id, { text: '50% water_' })
  expect(await all(bob, '?search=сол')).toEqual({
    notes: [{ ...salt, title, gone: false }],
    total: 1,
  })
  const ids = async (search: string) =>
    (await all(bob, `?search=${encodeURIComponent(search)}`)).notes.map(({ id }) => id)
  expect(await ids('ферментация')).toEqual([salt.id])
  // Wildcards of LIKE are ordinary characters.
  expect(await ids('50%')).toEqual([water.id])
  expect(await ids('0_ w')).toEqual([])
  expect(await ids('nothing such')).toEqual([])
  expect((await all(bob, '?search=%D1%81%D0%BE%D0%BB&page=2')).total).toBe(1)
  expect((await all(bob)).notes.map(({ id }) => id).slice(0, 2)).toEqual([water.id, salt.id])
})

test('notes remain after the lesson is deleted, and say so', async () => {
  const { id } = await app.publishLesson(ann, { title: 'Soon gone' })
  await buy(bob, id)
  const note = await written(bob, id, { text: 'Kept for later' })
  await done(app, ann, `DELETE /lesson/${id}`)
  expect((await all(bob, '?search=kept')).notes).toMatchObject([{ title: '', gone: true }])
  expect((await put(bob, note.id, { text: 'Kept still' })).status).toBe(200)
  expect((await drop(bob, note.id)).status).toBe(204)
})

test('a lesson has at most 500 notes per person, even with concurrent requests', async () => {
  const { id } = await app.publishLesson(ann)
  await app.app.database.pool.query(
    `insert into notes (user_id, lesson_id, text, text_folded, created_at)
     select $1, $2, 'Note ' || n, 'note ' || n, now() from generate_series(1, $3::integer) n`,
    [ann.session._id, id, NOTES_A_LESSON - 1],
  )
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, place) => post(ann, id, { text: `More ${place}` })),
  )
  expect(statusesOf(answers)).toEqual([200, 409, 409, 409, 409])
  expect(answers.find(({ status }) => status === 409)?.body.title).toContain('500')
  expect(await ofLesson(ann, id)).toHaveLength(NOTES_A_LESSON)
  expect((await all(ann)).notes).toHaveLength(50)
  expect((await all(ann, '?page=11')).notes).toHaveLength(0)
})

test('Markdown groups notes by lesson, in the order of the video', async () => {
  const fay = await app.signUp('fay')
  const { id } = await app.publishLesson(ann, { title: 'Salt *and* water' })
  await buy(fay, id)
  await written(fay, id, { text: 'Of it all' })
  await written(fay, id, { text: 'Two\nlines', second: 3735 })
  let markdown = ''
  const names = { locale: 'bg', site: 'Базар' } as const
  for await (const piece of writeNotes(app.app.database.db, fay.session._id, names))
    markdown += piece
  const day = app.clock.now().toISOString().slice(0, 10)
  expect(markdown).toBe(
    String.raw`# Моите бележки от Базар

## Salt \*and\* water

- *1:02:15, ${day}*

  Two
  lines

- *${day}*

  Of it all

`,
  )
})
