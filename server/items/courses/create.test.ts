import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import type { CreatedCourse } from '#contract/courses.ts'
import type { FormError } from '#contract/errors.ts'
import type { Ledger, RewardCheck } from '#contract/points.ts'
import { courseForm, createTestApp, type CourseForm } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { publishLessons } from '#server/testing/learning/items.ts'
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

/** Also sends values that CourseForm doesn't allow. */
async function createRaw(lessons: readonly string[], fields: Record<string, string> = {}) {
  const form = await courseForm()
  for (const lesson of lessons) form.append('lessons', lesson)
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const { status, body } = await app.call<FormError[]>('POST', '/course/create', { as: ann, form })
  return [status, body[0]?.field, body[0]?.code]
}

const five = own.slice(0, 5)

describe('refusals', () => {
  test.each<[string, Partial<CourseForm>, string]>([
    ['lessons of others', { lessons: [...five, foreign] }, 'lessons lessonsNotOwners'],
    ['a deleted lesson', { lessons: [...five, deleted] }, 'lessons lessonsNotOwners'],
    ['an unknown lesson', { lessons: [...five, 999_999] }, 'lessons lessonsNotOwners'],
    ['the largest id', { lessons: [...five, Number.MAX_SAFE_INTEGER] }, 'lessons lessonsNotOwners'],
    ['one lesson twice', { lessons: [...own.slice(0, 6), own[0] ?? 0] }, 'lessons lessonTwice'],
    ['no lesson', { lessons: [] }, 'lessons minLessonsMsg'],
    ['five lessons', { lessons: five }, 'lessons minLessonsMsg'],
    [
      'more than a hundred',
      { lessons: Array.from({ length: 101 }, (_, n) => n + 1) },
      'lessons maxLessonsMsg',
    ],
    ['a title of 2 characters', { title: 'ab' }, 'title titleValMs'],
    ['a title of 21 characters', { title: 'я'.repeat(21) }, 'title titleValMs'],
    ['a description of 9', { description: ' nine char ' }, 'description descriptionValMs'],
    ['a description of 61', { description: 'd'.repeat(61) }, 'description descriptionValMs'],
  ])('%s', async (_, change, complaint) => {
    expect(await complaints(change)).toEqual([complaint])
  })
  test('ids that are words, negative or huge', async () => {
    for (const bad of ['first', '-1', '0', '1.5', '0x10', '99999999999999999999'])
      expect(await createRaw([...five.map(String), bad])).toEqual([
        400,
        'lessons',
        expect.any(String),
      ])
  })
  test('no picture', async () => {
    const form = await courseForm({ lessons: own })
    form.delete('image')
    const { body } = await app.call<FormError[]>('POST', '/course/create', { as: ann, form })
    expect(body.map(({ field }) => field)).toEqual(['image'])
  })
  test('a free preview must be one of the lessons', async () => {
    expect(await complaints({ freePreview: own[6] ?? 0 })).toEqual([
      'freePreview previewNotInCourse',
    ])
    expect(await createRaw(own.map(String), { freePreview: 'x' })).toEqual([
      400,
      'freePreview',
      'invalidId',
    ])
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

describe('the form knows the reward beforehand', () => {
  const check = (lessons: readonly number[], as = ann) =>
    app.call<RewardCheck>('POST', '/course/rewardcheck', { as, json: { lessons } })

  test('lessons that another course counts earn nothing, and six fresh ones do', async () => {
    expect((await check(own)).body).toEqual({ rewarded: false, rewardReason: 'lessonsDontCount' })
    const fresh = await publishLessons(app, ann, 6)
    expect((await check(fresh)).body).toEqual({ rewarded: true, rewardReason: null })
  })
  test('it reveals nothing about lessons of others', async () => {
    expect((await check(own, bob)).status).toBe(400)
    expect((await check([])).status).toBe(400)
  })
})

describe('drafts', () => {
  test('fifty concurrent creations of one draft make one course', async () => {
    const lessons = await publishLessons(app, ann, 6)
    const before = (await app.publishLesson(ann)).kbPoints
    const draftId = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => create({ draftId, lessons })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(new Set(answers.map(({ body }) => body.kbPoints))).toEqual(new Set([before + 500]))
  })
})

test('a lesson deleted while a create waits for it is refused', async () => {
  const lessons = await publishLessons(app, ann, 6)
  const { db } = app.app.database
  const created = await db.transaction().execute(async (tx) => {
    const deleted_at = new Date()
    await tx
      .updateTable('lessons')
      .set({ deleted_at })
      .where('id', '=', lessons[2] ?? 0)
      .execute()
    const asked = create({ lessons })
    await new Promise((resolve) => setTimeout(resolve, 300))
    return { asked }
  })
  const { status, body } = await created.asked
  expect([status, body[0]?.code]).toEqual([400, 'lessonsNotOwners'])
})
