import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Message } from '#contract/chat.ts'
import type { Comment } from '#contract/comments.ts'
import type { Problem } from '#contract/errors.ts'
import type { Flag } from '#contract/flags.ts'
import type { LogEntry } from '#contract/moderation.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { signUpAll } from '#server/testing/people.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob, eve, admin } = await signUpAll(app, 'ann', 'bob', 'eve', 'admin')
await setRole(app.app.database.db, 'admin', 'administrator')
const made = await app.publishCourse(ann)
const course = made.id
const lesson = (await app.publishLesson(ann, { title: 'A lesson of Ann' })).id
afterAll(() => app.close())
beforeEach(() => app.app.database.db.deleteFrom('flags').execute())

const flag = (as: Person, kind: string, id: unknown, text: unknown = 'This is wrong') =>
  app.call<{ id: number } & Problem>('POST', '/flag', { as, json: { kind, id, text } })
const list = (query = '') => app.call<Flag[]>('GET', `/admin/flags${query}`, { as: admin })
const close = (id: number, closed: boolean) =>
  app.call<Flag & Problem>('POST', `/admin/flags/${id}`, { as: admin, json: { closed } })
const comment = async (as: Person, text: string, id = lesson) =>
  (await done<Comment>(app, as, `POST /comment/create/${id}`, { text })).id
const message = async (as: Person, receiverUsername: string, text: string) =>
  (await done<Message>(app, as, 'POST /message/create', { receiverUsername, text })).id
const logged = async () => {
  const lines = await done<LogEntry[]>(app, admin, 'GET /admin/log')
  return lines.map(({ action, subjectId }) => [action, subjectId])
}

describe('refused', () => {
  test('is a thing that the reporter can not see', async () => {
    const letter = await message(ann, 'bob', 'Between the two of us')
    for (const [as, kind, id] of [
      [bob, 'lesson', 999_999],
      [bob, 'lesson', ann.session._id],
      [bob, 'profile', lesson],
      [bob, 'profile', '00000000-0000-7000-8000-000000000000'],
      [eve, 'message', letter],
    ] as const)
      expect((await flag(as, kind, id)).status).toBe(404)
    expect((await flag(bob, 'message', letter)).status).toBe(202)
    expect((await close(999_999, true)).status).toBe(404)
  })
  test('is the twenty-first report in a day', async () => {
    const ids = await Promise.all(
      Array.from({ length: 21 }, (_, n) => comment(ann, `A comment to report, ${n}`)),
    )
    app.clock.time = new Date(Date.now() - DAY_MS - 1000)
    const answers = await Promise.all(ids.map((id) => flag(eve, 'comment', id)))
    app.clock.time = null
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    expect((await flag(eve, 'lesson', lesson)).status).toBe(202)
  })
})

test('each kind is shown with the thing reported', async () => {
  const said = await comment(ann, 'Something rude was said here')
  await message(ann, 'bob', 'The one before it')
  const letter = await message(ann, 'bob', 'The reported message')
  await flag(bob, 'lesson', lesson)
  await flag(bob, 'course', `${course}`)
  await flag(bob, 'comment', said)
  await flag(bob, 'message', letter)
  await flag(bob, 'profile', ann.session._id.toUpperCase())
  const { body, headers } = await list()
  expect(headers.get('x-total-count')).toBe('5')
  const person = { id: ann.session._id, userName: 'ann', imageUrl: ann.session.imageUrl }
  const bare = {
    gone: false,
    title: null,
    text: null,
    picture: null,
    lessonId: null,
    courseId: null,
    stars: null,
    person,
  }
  expect(body.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['profile', { ...bare, suspended: false }],
    ['message', { ...bare, text: 'The reported message', suspended: false }],
    [
      'comment',
      {
        ...bare,
        title: 'A lesson of Ann',
        text: 'Something rude was said here',
        lessonId: lesson,
        suspended: false,
      },
    ],
    [
      'course',
      expect.objectContaining({ gone: false, text: 'What one learns in all of it', person }),
    ],
    ['lesson', expect.objectContaining({ gone: false, title: 'A lesson of Ann', person })],
  ])
  const [profile, , , courseFlag] = body
  expect(profile?.subjectId).toBe(ann.session._id)
  expect(profile).toMatchObject({ text: 'This is wrong', others: 0, closed: null })
  expect(profile?.reporter.userName).toBe('bob')
  expect(courseFlag?.subject.picture).toMatch(/^\/files\/pictures\//)
  expect(JSON.stringify(body)).not.toContain('The one before it')
})

test('the text of a deleted comment is still shown', async () => {
  const { id } = await app.publishLesson(ann, { title: 'Soon to be gone' })
  const said = await comment(ann, 'A comment that goes too', id)
  await flag(bob, 'lesson', id)
  await flag(bob, 'comment', said)
  await done(app, ann, `DELETE /lesson/${id}`)
  const { body } = await list()
  expect(
    body.map(({ kind, subject }) => [kind, subject.gone, subject.text, subject.picture]),
  ).toEqual([
    ['comment', true, 'A comment that goes too', null],
    ['lesson', true, null, null],
  ])
})

test('repeating an open report returns the same one', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => flag(bob, 'lesson', lesson)))
  const ids = new Set(answers.map(({ body }) => body.id))
  expect([ids.size, answers.every(({ status }) => status === 202)]).toEqual([1, true])
  const [id = 0] = ids
  expect((await flag(bob, 'lesson', `000${lesson}`)).body.id).toBe(id)
  expect((await flag(eve, 'lesson', lesson)).body.id).not.toBe(id)
  expect((await list()).body.map(({ others }) => others)).toEqual([1, 1])
  await close(id, true)
  expect((await flag(bob, 'lesson', lesson)).body.id).not.toBe(id)
})

test('closing one closes all of the same thing, reopening only affects one', async () => {
  const { body: first } = await flag(bob, 'lesson', lesson)
  const { body: second } = await flag(eve, 'lesson', lesson)
  const { body: other } = await flag(eve, 'course', course)
  const before = (await logged()).length
  const { status, body } = await close(second.id, true)
  expect([status, body.closed?.userName, body.others]).toEqual([200, 'admin', 0])
  expect((await list()).body.map(({ id }) => id)).toEqual([other.id])
  const closed = await list('?closed=on')
  expect(closed.body.map(({ id }) => id)).toEqual([second.id, first.id])
  expect(closed.headers.get('x-total-count')).toBe('2')
  await close(first.id, true)
  expect((await close(first.id, false)).body.closed).toBeNull()
  await close(first.id, false)
  expect((await list()).body.map(({ id }) => id)).toEqual([other.id, first.id])
  expect((await logged()).slice(0, -before || undefined)).toEqual([
    ['flagReopened', `${first.id}`],
    ['flagClosed', `${second.id}`],
    ['flagClosed', `${first.id}`],
  ])
})

test('a page has fifty reports', async () => {
  await app.app.database.pool.query(
    `insert into flags (reporter_id, kind, subject_id, text)
     select $1, 'lesson', $2, 'This is wrong' from generate_series(1, 60)`,
    [bob.session._id, `${lesson}`],
  )
  const pages = await Promise.all(['', '?page=2', '?page=3'].map((query) => list(query)))
  expect(pages.map(({ body }) => body.length)).toEqual([50, 10, 0])
  expect(pages.map(({ headers }) => headers.get('x-total-count'))).toEqual(['60', '60', '60'])
})
