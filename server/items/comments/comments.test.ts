import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import type { Comment } from '#contract/comments.ts'
import type { Problem } from '#contract/errors.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob, admin } = await signUpAll(app, 'ann', 'bob', 'admin')
await setRole(app.app.database.db, 'admin', 'administrator')
await app.give(bob, 100)
const lessonId = (await app.publishLesson(ann)).id
await done(app, bob, `POST /lesson/buy/${lessonId}`)
afterAll(() => app.close())

const TEXT = 'This made it clear to me.'
const write = (as: Person, id: number, json: unknown = { text: TEXT }) =>
  app.call<Comment & Problem>('POST', `/comment/create/${id}`, { as, json })
const list = (as: Person, id: number, query = '') =>
  done<Comment[]>(app, as, `GET /comment/lesson/${id}${query}`)
const remove = (as: Person, id: number) =>
  app.call<Problem>('DELETE', `/comment/delete/${id}`, { as })
const show = (as: Person, id: number) => done<OpenLesson>(app, as, `GET /lesson/${id}`)

describe('refused comments', () => {
  test('of 9 and of 201 characters, in the words of the spec', async () => {
    for (const text of ['a'.repeat(9), 'a'.repeat(201), ` ${'a'.repeat(9)}\n`, undefined, 5]) {
      const { status, body } = await write(bob, lessonId, { text })
      expect([status, body.errors?.['text']]).toEqual([
        400,
        ['The length of the comment must be a minimum of 10 and a maximum of 200 characters.'],
      ])
    }
    expect((await show(ann, lessonId)).commentCount).toBe(0)
  })
  test('on lessons that are missing or deleted, where none are read or deleted either', async () => {
    const { id } = await app.publishLesson(ann)
    const { body: comment } = await write(ann, id)
    await done(app, ann, `DELETE /lesson/${id}`)
    expect((await remove(ann, comment.id)).status).toBe(404)
    for (const gone of [id, 999_999, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await write(ann, gone)
      expect([status, body.title]).toEqual([404, 'Lesson not found or deleted (sorry)'])
      expect((await app.call('GET', `/comment/lesson/${gone}`, { as: ann })).status).toBe(404)
    }
  })
})

test('owner, buyer and administrator write and read', async () => {
  const lesson = await app.publishLesson(ann)
  await app.give(bob, 100)
  await done(app, bob, `POST /lesson/buy/${lesson.id}`)
  for (const person of [ann, bob, admin]) {
    const { status, body } = await write(person, lesson.id)
    expect([status, body]).toEqual([
      200,
      {
        id: body.id,
        text: TEXT,
        user: person.session._id,
        userName: person.session.username,
        profilePicture: person.session.imageUrl,
        lessonId: lesson.id,
        lessonTitle: lesson.title,
        date: body.date,
        mine: true,
        replyTo: null,
        byAuthor: person === ann,
        edited: null,
        replies: 0,
      },
    ])
  }
  const comments = await list(bob, lesson.id)
  expect(comments.map(({ userName, mine }) => [userName, mine])).toEqual([
    ['admin', false],
    ['bob', true],
    ['ann', false],
  ])
  expect(await show(bob, lesson.id)).toMatchObject({ commentCount: 3, comments })
})

test('a text is kept as it was written, whatever it looks like', async () => {
  const texts = [
    '<script>alert(1)</script> & "quotes"',
    'a'.repeat(10),
    '😀'.repeat(200),
    'Здравей, как си? Благодаря!',
    'first line\nsecond line',
  ]
  for (const text of texts) expect((await write(ann, lessonId, { text })).body.text).toBe(text)
  const { body } = await write(ann, lessonId, { text: '  two lines\r\nof text \n' })
  expect(body.text).toBe('two lines\nof text')
  expect((await list(ann, lessonId)).map(({ text }) => text)).toEqual(
    [...texts, 'two lines\nof text'].toReversed(),
  )
})

test('a draft that is sent ten times makes one comment', async () => {
  const { id } = await app.publishLesson(ann)
  const json = { text: TEXT, draftId: randomUUID() }
  const answers = await Promise.all(Array.from({ length: 10 }, () => write(ann, id, json)))
  const again = await write(ann, id, { ...json, text: 'Another text this time.' })
  const ids = new Set([...answers, again].map(({ body }) => body.id))
  expect([ids.size, again.status, again.body.text]).toEqual([1, 200, TEXT])
  expect((await show(ann, id)).commentCount).toBe(1)
  const other = await write(admin, id, json)
  expect(ids).not.toContain(other.body.id)
})

test('a comment is deleted once, and its row is kept for those who moderate', async () => {
  const { id } = await app.publishLesson(ann)
  const { body: comment } = await write(ann, id)
  await write(ann, id)
  const answers = await Promise.all(Array.from({ length: 20 }, () => remove(ann, comment.id)))
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(19)
  expect((await remove(ann, comment.id)).body.title).toBe('Comment not found or deleted')
  expect((await show(ann, id)).commentCount).toBe(1)
  const row = await app.app.database.db
    .selectFrom('comments')
    .select(['text', 'deleted_by'])
    .where('id', '=', comment.id)
    .executeTakeFirst()
  expect(row).toEqual({ text: TEXT, deleted_by: ann.session._id })
})

test('pages go back and forth without loss or repetition', async () => {
  const { id } = await app.publishLesson(ann)
  const { db } = app.app.database
  await db
    .insertInto('comments')
    .values(
      Array.from({ length: 120 }, (_, place) => ({
        lesson_id: id,
        user_id: ann.session._id,
        text: `Comment number ${place}`,
        text_folded: `comment number ${place}`,
      })),
    )
    .execute()
  const page = async (query = '') => (await list(ann, id, query)).map((entry) => entry.id)
  const newest = await page()
  expect((await show(ann, id)).comments.map((entry) => entry.id)).toEqual(newest)
  const second = await page(`?before=${newest.at(-1)}`)
  const third = await page(`?before=${second.at(-1)}`)
  const all = [...newest, ...second, ...third]
  expect([newest.length, second.length, third.length, new Set(all).size]).toEqual([50, 50, 20, 120])
  expect(all).toEqual(all.toSorted((one, other) => other - one))
  expect(await page(`?before=${all.at(-1)}`)).toEqual([])
  expect(await page('?before=0')).toEqual([])
  expect((await page('?after=0')).at(-1)).toBe(all.at(-1))
  // Pages after the oldest comment return the next 50, until there are fewer.
  const next = await page(`?after=${all.at(-1)}`)
  const rest = await page(`?after=${next[0]}`)
  const last = await page(`?after=${rest[0]}`)
  expect([...last, ...rest, ...next]).toEqual(all.slice(0, -1))
  expect(await page(`?after=${newest[0]}`)).toEqual([])
})
