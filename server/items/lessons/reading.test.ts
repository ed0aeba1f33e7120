/**
 * Lessons are cached for all guests and comments for all readers, so these tests show that nobody sees outdated or
 * another viewer's data.
 */
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Comment } from '#contract/comments.ts'
import type { Lesson, OpenLesson } from '#contract/lessons.ts'
import { recountNumbers } from '#server/items/shared/recount.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { publishLessons } from '#server/testing/learning/items.ts'
import { signUpAll } from '#server/testing/people.ts'

let id: number

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '5000' })
const { ann, bob, eve } = await signUpAll(app, 'ann', 'bob', 'eve')
// The clock stands still, so cached entries don't expire; changes are visible only if they are dropped or read
// again.
app.clock.time = new Date()
afterAll(() => app.close())
beforeEach(async () => {
  id = (await app.publishLesson(ann)).id
  for (const as of [bob, eve]) await app.call('POST', `/lesson/buy/${id}`, { as })
})

const show = async (as?: Person) =>
  (await app.call<Lesson>('GET', `/lesson/${id}`, { as, headers: { 'x-prefetch': '1' } })).body
const open = (as: Person) => done<OpenLesson>(app, as, `GET /lesson/${id}`)
const list = (as: Person) => done<Comment[]>(app, as, `GET /comment/lesson/${id}`)
const write = (as: Person, text: string) =>
  done<Comment>(app, as, `POST /comment/create/${id}`, { text })
const textsOf = (comments: readonly Comment[]) => comments.map(({ text }) => text)
/** Writes like another node whose changes don't arrive here. */
const behind = (statement: string) => sql.raw(statement).execute(app.app.database.db)

test('a guest sees likes, comments and views immediately', async () => {
  expect(await show()).toMatchObject({ likes: 0, commentCount: 0, comments: 0 })
  await done(app, bob, `POST /lesson/like/${id}`)
  expect(await show()).toMatchObject({ likes: 1 })
  await write(bob, 'What a useful lesson.')
  expect(await show()).toMatchObject({ likes: 1, commentCount: 1, comments: 1 })
  const { views } = await show()
  await open(bob)
  await app.app.views.flush()
  expect(await show()).toMatchObject({ views: views + 1 })
})

test('a guest counts as a viewer of a cached lesson', async () => {
  const { views } = await show()
  await app.call('GET', `/lesson/${id}`)
  await app.app.views.flush()
  expect(await show()).toMatchObject({ views: views + 1 })
})

test('what is paid for stays with who paid, whoever asked before', async () => {
  for (const as of [bob, undefined, ann, undefined]) {
    const lesson = await show(as)
    expect('article' in lesson).toBe(as !== undefined)
    expect(Array.isArray(lesson.comments)).toBe(as !== undefined)
  }
})

test('a free preview opens and closes for guests immediately', async () => {
  expect((await show()).can.see).toBe(false)
  const lessons = [id, ...(await publishLessons(app, ann, 5))]
  const course = await app.publishCourse(ann, { freePreview: id, lessons })
  expect((await show()).can.see).toBe(true)
  await write(bob, 'What a useful lesson.')
  expect(textsOf((await show()).comments as Comment[])).toEqual(['What a useful lesson.'])
  await done(app, ann, `DELETE /course/${course.id}`)
  expect((await show()).can.see).toBe(false)
})

test('a deleted lesson is gone for guests', async () => {
  await show()
  await done(app, ann, `DELETE /lesson/${id}`)
  expect((await app.call('GET', `/lesson/${id}`)).status).toBe(404)
})

test('comments are visible immediately, each with its writer', async () => {
  await write(bob, 'The first comment.')
  for (const as of [eve, ann, bob]) {
    expect(textsOf(await list(as))).toEqual(['The first comment.'])
    expect((await list(as)).map(({ mine }) => mine)).toEqual([as === bob])
    expect((await open(as)).comments.map(({ mine }) => mine)).toEqual([as === bob])
  }
  const second = await write(eve, 'The second comment.')
  expect(textsOf(await list(bob))).toEqual(['The second comment.', 'The first comment.'])
  expect((await list(bob)).map(({ mine }) => mine)).toEqual([false, true])
  await done(app, eve, `DELETE /comment/delete/${second.id}`)
  for (const as of [bob, eve]) {
    expect(textsOf(await list(as))).toEqual(['The first comment.'])
    expect(textsOf((await open(as)).comments)).toEqual(['The first comment.'])
  }
})

test('comments that another node wrote or deleted are noticed immediately', async () => {
  const { id: first } = await write(bob, 'The first comment.')
  await list(bob)
  const writer = `'${eve.session._id}'`
  const add = (text: string) =>
    behind(
      `insert into comments (lesson_id, user_id, text, text_folded, created_at) values (${id}, ${writer}, '${text}', '', now())`,
    )
  await add('From elsewhere.')
  await recountNumbers(app.app.database.db, 'lesson')
  expect(textsOf(await list(bob))).toEqual(['From elsewhere.', 'The first comment.'])
  expect(textsOf((await open(eve)).comments)).toEqual(['From elsewhere.', 'The first comment.'])
  // One comment is deleted and one is added, so the count stays the same.
  await behind(`update comments set deleted_at = now() where id = ${first}`)
  await add('Once more.')
  await recountNumbers(app.app.database.db, 'lesson')
  expect(textsOf(await list(bob))).toEqual(['Once more.', 'From elsewhere.'])
})

test('a stranger gets none of the cached comments', async () => {
  await write(bob, 'Between buyers alone.')
  await list(bob)
  const carl = await app.signUp(`carl${id}`)
  expect((await app.call('GET', `/comment/lesson/${id}`, { as: carl })).status).toBe(403)
  expect(await show(carl)).toMatchObject({ can: { see: false }, comments: 1 })
})

test('a new name and title appear with the comments immediately', async () => {
  await write(bob, 'What a useful lesson.')
  await list(eve)
  const username = `bobby${id}`
  await done(app, bob, 'PATCH /identity/update', formOf({ username }))
  expect(await list(eve)).toMatchObject([{ userName: username }])
  const title = 'Another title for it'
  await done(app, ann, `PATCH /lesson/${id}`, formOf({ title }))
  expect(await list(eve)).toMatchObject([{ lessonTitle: title }])
})
