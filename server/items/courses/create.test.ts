import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { CreatedCourse } from '#contract/courses.ts'
import type { FormError } from '#contract/errors.ts'
import type { Ledger } from '#contract/points.ts'
import { courseForm, createTestApp, type CourseForm } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { publishLessons } from '#server/testing/learning/items.ts'
import { whileHolding } from '#server/testing/learning/waiting.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob } = await signUpAll(app, 'ann', 'bob')
/** Lessons of ann, in the order of publication. */
const own = await publishLessons(app, ann, 7)
const foreign = (await app.publishLesson(bob)).id
const deleted = (await app.publishLesson(ann)).id
await done(app, ann, `DELETE /lesson/${deleted}`)
afterAll(() => app.close())

async function create(change: Partial<CourseForm> = {}) {
  return app.call<CreatedCourse & FormError[]>('POST', '/course/create', {
    as: ann,
    form: await courseForm({ lessons: own.slice(0, 6), ...change }),
  })
}

/** Returns the fields with errors and their codes. */
async function complaints(change: Partial<CourseForm>) {
  const { status, body } = await create(change)
  return status === 400 ? body.map(({ field, code }) => `${field} ${code}`) : [`status ${status}`]
}

const five = own.slice(0, 5)

describe('refusals', () => {
  test.each<[string, Partial<CourseForm>, string]>([
    ['lessons of others', { lessons: [...five, foreign] }, 'lessons lessonsNotOwners'],
    ['a deleted lesson', { lessons: [...five, deleted] }, 'lessons lessonsNotOwners'],
    ['an unknown lesson', { lessons: [...five, 999_999] }, 'lessons lessonsNotOwners'],
    ['one lesson twice', { lessons: [...own.slice(0, 6), own[0] ?? 0] }, 'lessons lessonTwice'],
    ['no lesson', { lessons: [] }, 'lessons minLessonsMsg'],
    ['five lessons', { lessons: five }, 'lessons minLessonsMsg'],
    [
      'more than a hundred',
      { lessons: Array.from({ length: 101 }, (_, n) => n + 1) },
      'lessons maxLessonsMsg',
    ],
    ['a title of 2 characters', { title: 'ab' }, 'title titleValMs'],
    ['a description of 9', { description: ' nine char ' }, 'description descriptionValMs'],
    ['a free preview elsewhere', { freePreview: own[6] ?? 0 }, 'freePreview previewNotInCourse'],
  ])('%s', async (_, change, complaint) => {
    expect(await complaints(change)).toEqual([complaint])
  })
  test('refused courses leave no trace', async () => {
    expect(await done(app, ann, 'GET /course/yours')).toEqual([])
    const { entries } = await done<Ledger>(app, ann, 'GET /identity/points')
    expect(entries.every(({ item }) => item?.kind === 'lesson')).toBe(true)
  })
})

test('an author sees all of a new course and its reward', async () => {
  const lessons = [5, 3, 1, 0, 2, 4].map((place) => own[place] ?? 0)
  const before = (await app.publishLesson(ann)).kbPoints
  const { body, status } = await create({
    title: '  A  course ',
    lessons,
    freePreview: lessons[2] ?? 0,
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    title: 'A  course',
    owner: ann.session._id,
    ownerName: 'ann',
    tags: ['testing'],
    likes: 0,
    comments: 0,
    commentCount: 0,
    price: 500,
    version: 1,
    bought: false,
    liked: false,
    freePreview: lessons[2],
    can: { see: true, edit: true, delete: true, like: false, buy: false, comment: true },
    rewarded: true,
    rewardReason: null,
    kbPoints: before + 500,
  })
  expect(body.thumbnail).toMatch(/^\/files\/pictures\/\w+\/640\.webp$/)
  expect(body.lessons.map(({ id }) => id)).toEqual(lessons)
  expect(body.lessons[0]).toMatchObject({ articleMinutes: 1, can: { see: true } })
})

test('a second course of the same lessons earns nothing', async () => {
  const { body } = await create()
  expect(body).toMatchObject({ rewarded: false, rewardReason: 'lessonsDontCount' })
})

test('the form knows the reward beforehand, of own lessons only', async () => {
  const check = (lessons: readonly number[], as = ann) =>
    app.call('POST', '/course/rewardcheck', { as, json: { lessons } })
  const withheld = { rewarded: false, rewardReason: 'lessonsDontCount' }
  expect((await check(own)).body).toEqual(withheld)
  const fresh = await publishLessons(app, ann, 6)
  expect((await check(fresh)).body).toEqual({ rewarded: true, rewardReason: null })
  expect((await check(own, bob)).status).toBe(400)
})

test('fifty concurrent creations of one draft make one course', async () => {
  const lessons = await publishLessons(app, ann, 6)
  const kbPoints = (await app.publishLesson(ann)).kbPoints + 500
  const draftId = randomUUID()
  const answers = await Promise.all(Array.from({ length: 50 }, () => create({ draftId, lessons })))
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { kbPoints } })
})

test('a lesson deleted while a create waits for it is refused', async () => {
  const lessons = await publishLessons(app, ann, 6)
  const { status, body } = await whileHolding(
    app.app.database.db,
    (tx) => sql`update lessons set deleted_at = now() where id = ${lessons[2]}`.execute(tx),
    () => create({ lessons }),
  )
  expect([status, body[0]?.code]).toEqual([400, 'lessonsNotOwners'])
})
