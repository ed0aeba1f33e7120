import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Course, CourseChoice, CreatedCourse, EditedCourse } from '#contract/courses.ts'
import type { FormError } from '#contract/errors.ts'
import type { Lesson } from '#contract/lessons.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { buy, publishLessons } from '#server/testing/learning/items.ts'
import { whileHolding } from '#server/testing/learning/waiting.ts'
import { signUpAll } from '#server/testing/people.ts'

let course: CreatedCourse

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '10000' })
const { ann, bob, admin } = await signUpAll(app, 'ann', 'bob', 'admin')
await setRole(app.app.database.db, 'admin', 'administrator')
/** Lessons of ann; the first six are in the course. */
const own = await publishLessons(app, ann, 9)
const foreign = (await app.publishLesson(bob)).id
afterAll(() => app.close())
beforeEach(async () => {
  course = await app.publishCourse(ann, { lessons: own.slice(0, 6) })
})

interface Fields {
  title?: string
  description?: string
  lessons?: readonly (number | string)[]
  freePreview?: number | ''
  version?: number
  reason?: string
}

function patch(fields: Fields, as = ann, method = 'PATCH') {
  const { lessons = [], ...rest } = fields
  const form = new FormData()
  for (const [name, value] of Object.entries(rest)) form.set(name, String(value))
  for (const lesson of lessons) form.append('lessons', String(lesson))
  return app.call<EditedCourse & FormError[]>(method, `/course/${course.id}`, { as, form })
}

async function errorsOf(fields: Fields, as = ann, method = 'PATCH') {
  const { status, body } = await patch(fields, as, method)
  return status === 200
    ? ['none']
    : body.map(({ field, code }) => `${status} ${field ?? ''} ${code}`)
}

const show = (as?: Person) => done<Course>(app, as, `GET /course/${course.id}`)
const maySee = async (lessonId: number, as: Person) =>
  (await done<Lesson>(app, as, `GET /lesson/${lessonId}`)).can.see
const lessonsOf = ({ lessons }: Pick<Course, 'lessons'>) => lessons.map(({ id }) => id)
const buyIt = (person: Person) => buy(app, person, 'course', course.id)

describe('refusals', () => {
  test('PUT requires all fields except picture and free preview', async () => {
    expect(await errorsOf({}, ann, 'PUT')).toEqual([
      '400 title titleValMs',
      '400 description descriptionValMs',
      '400 lessons minLessonsMsg',
    ])
  })
  test("lessons of others, five lessons and a preview elsewhere, and an administrator's own lessons", async () => {
    const five = own.slice(0, 5)
    const bad: [Fields, string][] = [
      [{ lessons: five }, '400 lessons minLessonsMsg'],
      [{ lessons: [...five, foreign] }, '400 lessons lessonsNotOwners'],
      [{ freePreview: own[6] ?? 0 }, '400 freePreview previewNotInCourse'],
    ]
    for (const [fields, error] of bad) expect(await errorsOf(fields)).toEqual([error])
    const lessons = [...five, (await app.publishLesson(admin)).id]
    expect(await errorsOf({ lessons, reason: 'Mine is better' }, admin)).toEqual([
      '400 lessons lessonsNotOwners',
    ])
    expect((await show()).version).toBe(1)
  })
})

test('PUT replaces everything and keeps the picture', async () => {
  const lessons = own.slice(2, 9).toReversed()
  const fields = { title: 'Whole', description: 'All of it is new', lessons }
  const { body } = await patch(fields, ann, 'PUT')
  expect(body).toMatchObject({
    title: 'Whole',
    description: 'All of it is new',
    owner: ann.session._id,
  })
  expect(lessonsOf(body)).toEqual(lessons)
  expect(body.thumbnail).toBe(course.thumbnail)
})

test('lessons keep the given order', async () => {
  for (const order of [
    [5, 4, 3, 2, 1, 0],
    [1, 8, 0, 2, 7, 3, 4],
    [0, 1, 2, 3, 4, 8],
  ]) {
    const lessons = order.map((place) => own[place] ?? 0)
    expect(lessonsOf((await patch({ lessons })).body)).toEqual(lessons)
    expect(lessonsOf(await show())).toEqual(lessons)
  }
})

describe('free preview', () => {
  test('the marked lesson is open to everybody, until an empty field removes the mark', async () => {
    course = await app.publishCourse(ann)
    const preview = course.lessons[3]?.id ?? 0
    await patch({ freePreview: preview })
    const { lessons, freePreview } = await show()
    expect(freePreview).toBe(preview)
    expect(lessons.filter(({ can }) => can.see).map(({ id }) => id)).toEqual([preview])
    expect((await patch({ freePreview: '' })).body.freePreview).toBe(null)
  })
  test('the mark is removed with its lesson and does not come back', async () => {
    await patch({ freePreview: own[0] ?? 0 })
    expect((await patch({ lessons: own.slice(1, 7) })).body.freePreview).toBe(null)
    expect((await patch({ lessons: own.slice(0, 6) })).body.freePreview).toBe(null)
  })
})

describe('lessons removed from a bought course', () => {
  test('stay open to earlier buyers, even if added and removed again', async () => {
    const { first, second, third } = await signUpAll(app, 'first', 'second', 'third')
    const gone = own[0] ?? 0
    await buyIt(first)
    await patch({ lessons: own.slice(1, 7) })
    await buyIt(second)
    await patch({ lessons: own.slice(0, 6) })
    expect(await maySee(gone, second)).toBe(true)
    await patch({ lessons: own.slice(1, 7) })
    await buyIt(third)
    const open = await Promise.all([first, second, third].map((person) => maySee(gone, person)))
    expect(open).toEqual([true, true, false])
  })
  test('are not kept if nobody bought the course', async () => {
    await patch({ lessons: own.slice(1, 7) })
    const { db } = app.app.database
    const kept = db.selectFrom('course_kept_lessons').selectAll()
    expect(await kept.where('course_id', '=', course.id).execute()).toEqual([])
  })
})

describe('deletions during edits', () => {
  test('an edit must bring a course that fell below six lessons back to six', async () => {
    const lessons = await publishLessons(app, ann, 7)
    course = await app.publishCourse(ann, {
      lessons: lessons.slice(0, 6),
      freePreview: lessons[0] ?? 0,
    })
    await done(app, ann, `DELETE /lesson/${lessons[0]}`)
    expect(await show()).toMatchObject({ freePreview: null, version: 1 })
    expect(lessonsOf(await show())).toEqual(lessons.slice(1, 6))
    expect(await errorsOf({ title: 'New title' })).toEqual(['400 lessons minLessonsMsg'])
    expect(await errorsOf({ lessons: lessons.slice(0, 6) })).toEqual([
      '400 lessons lessonsNotOwners',
    ])
    expect(lessonsOf((await patch({ lessons: lessons.slice(1) })).body)).toEqual(lessons.slice(1))
  })
  /** Deletes a lesson while an edit waits for the deletion's lock. */
  const editWhileDeleting = (lesson: number, fields: Fields) =>
    whileHolding(
      app.app.database.db,
      async (tx) => {
        const deleted_at = new Date()
        await tx.updateTable('lessons').set({ deleted_at }).where('id', '=', lesson).execute()
        const changed = tx.updateTable('courses').set({ lesson_count: 6 })
        await changed.where('id', '=', course.id).execute()
        await tx.deleteFrom('course_lessons').where('lesson_id', '=', lesson).execute()
      },
      () => patch(fields),
    )

  test('a lesson that is deleted during an edit is refused', async () => {
    const lessons = await publishLessons(app, ann, 8)
    course = await app.publishCourse(ann, { lessons: lessons.slice(0, 7) })
    for (const end of [8, 7]) {
      const wanted = lessons.slice(1, end)
      const { status, body } = await editWhileDeleting(wanted.at(-1) ?? 0, { lessons: wanted })
      expect([status, body[0]?.code]).toEqual([400, 'lessonsNotOwners'])
    }
    expect((await show()).version).toBe(1)
  })
  test('a course that falls below six during an edit is refused', async () => {
    course = await app.publishCourse(ann)
    const { status, body } = await editWhileDeleting(course.lessons[0]?.id ?? 0, { title: 'Late' })
    expect([status, body[0]?.code]).toEqual([400, 'minLessonsMsg'])
  })
  test('a lesson that the edit removes may be deleted during it', async () => {
    const lessons = await publishLessons(app, ann, 8)
    course = await app.publishCourse(ann, { lessons: lessons.slice(0, 7) })
    const { status, body } = await editWhileDeleting(lessons[0] ?? 0, {
      lessons: lessons.slice(1),
    })
    expect([status, lessonsOf(body)]).toEqual([200, lessons.slice(1)])
  })
})

describe('lesson options', () => {
  const choices = (as: Person, query = '') =>
    app.call<CourseChoice[]>('GET', `/course/choices${query}`, { as })
  const idsFor = async (as: Person, query?: string) =>
    (await choices(as, query)).body.map(({ id }) => id)

  test("another person's course is refused with 403, a missing one with 404", async () => {
    expect((await choices(bob, `?course=${course.id}`)).status).toBe(403)
    expect((await choices(ann, '?course=999999')).status).toBe(404)
  })
  test('own lessons are listed newest first, with whether they count towards the course reward', async () => {
    const carl = await app.signUp('carl')
    const lessons = await publishLessons(app, carl, 7)
    const made = await app.publishCourse(carl, { lessons: lessons.slice(0, 6) })
    const mine = (await choices(carl)).body
    expect(mine.map(({ id }) => id)).toEqual(lessons.toReversed())
    expect(mine.map(({ counts }) => counts)).toEqual([true, ...Array<boolean>(6).fill(false)])
    // Lessons already counted for this course still count in it.
    expect((await choices(carl, `?course=${made.id}`)).body.every(({ counts }) => counts)).toBe(
      true,
    )
  })
  test("an administrator is offered the owner's lessons", async () => {
    expect(await idsFor(admin, `?course=${course.id}`)).toEqual(await idsFor(ann))
  })
})
