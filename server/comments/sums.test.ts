/** Numbers of comments while everything else moves: of a lesson, and of the courses that hold it. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Comment } from '#contract/comments.schemas.ts'
import type { Course } from '#contract/courses.schemas.ts'
import { lockCourse, vanishCourse } from '#server/courses/store.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'

let app: TestApp
let ann: Person
beforeAll(async () => {
  app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
  ann = await app.signUp('ann')
})
afterAll(() => app.close())

const write = (id: number) =>
  app.call<Comment>('POST', `/comment/create/${id}`, {
    as: ann,
    json: { text: 'One more word on this.' },
  })
const remove = (id: number) => app.call('DELETE', `/comment/delete/${id}`, { as: ann })
const sumOf = async (id: number) =>
  (await app.call<Course>('GET', `/course/${id}`, { as: ann })).body.commentCount
async function edit(courseId: number, lessons: readonly number[]) {
  const form = new FormData()
  for (const id of lessons) form.append('lessons', `${id}`)
  const { status, body } = await app.call('PATCH', `/course/${courseId}`, { as: ann, form })
  expect([status, status === 200 ? '' : body]).toEqual([200, ''])
}

/** Lessons and courses whose number is not that of the comments that are there. */
async function findWrong() {
  const { rows } = await sql<{ kind: string; id: number }>`
    select 'lesson' as kind, id from lessons l where deleted_at is null and comments <>
      (select count(*) from comments m where m.lesson_id = l.id and m.deleted_at is null)
    union all
    select 'course', id from courses k where deleted_at is null and comments <> (
      select count(*) from comments m join course_lessons held on held.lesson_id = m.lesson_id
      where held.course_id = k.id and m.deleted_at is null
    )`.execute(app.app.database.db)
  return rows
}

test('a course sums up its lessons, each in all its courses', async () => {
  const course = await app.publishCourse(ann)
  const ids = course.lessons.map(({ id }) => id)
  const [first = 0, second = 0] = ids
  const other = await app.publishCourse(ann, { lessons: ids })
  const { body: comment } = await write(first)
  await write(second)
  expect([await sumOf(course.id), await sumOf(other.id)]).toEqual([2, 2])
  await remove(comment.id)
  expect([await sumOf(course.id), await sumOf(other.id)]).toEqual([1, 1])
  await app.call('DELETE', `/lesson/${second}`, { as: ann })
  expect([await sumOf(course.id), await sumOf(other.id)]).toEqual([0, 0])
})

test('sums stay exact while lessons come, go and are talked about', async () => {
  const ids: number[] = []
  for (let n = 0; n < 9; n += 1) ids.push((await app.publishLesson(ann)).id)
  const one = await app.publishCourse(ann, { lessons: ids.slice(0, 6) })
  const two = await app.publishCourse(ann, { lessons: ids.slice(3, 9) })
  const place = (n: number) => ids[n % ids.length] ?? 0
  const talk = async (seed: number) => {
    for (let n = 0; n < 8; n += 1) {
      const { status, body } = await write(place(seed * 5 + n * 7))
      expect(status).toBe(200)
      if (n % 2 === 0) expect((await remove(body.id)).status).toBe(204)
    }
  }
  const rearrange = async (courseId: number, seed: number) => {
    for (let n = 0; n < 8; n += 1) {
      const from = seed + n
      await edit(
        courseId,
        Array.from({ length: 6 }, (_, step) => place(from + step)),
      )
    }
  }
  await Promise.all([
    ...Array.from({ length: 10 }, (_, seed) => talk(seed)),
    rearrange(one.id, 0),
    rearrange(two.id, 4),
  ])
  expect(await findWrong()).toEqual([])
  const removals = ids.slice(0, 2).map((id) => app.call('DELETE', `/lesson/${id}`, { as: ann }))
  await Promise.all([...removals, ...ids.slice(2).map(write), edit(one.id, ids.slice(2, 8))])
  expect(await findWrong()).toEqual([])
})

test('comments come and go while their course is deleted', async () => {
  const { db } = app.app.database
  const { id, lessons } = await app.publishCourse(ann)
  const lesson = lessons[0]?.id ?? 0
  const { body: comment } = await write(lesson)
  const isSomebodyWaiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db,
    )
    return rows.length > 0
  }
  const { answers } = await db.transaction().execute(async (tx) => {
    await lockCourse(tx, id)
    await vanishCourse(tx, id, { deletedAt: new Date(), refundsDue: false })
    const taken = remove(comment.id)
    await vi.waitUntil(isSomebodyWaiting)
    return { answers: Promise.all([taken, write(lesson)]) }
  })
  expect((await answers).map(({ status }) => status)).toEqual([204, 200])
  const course = await db.selectFrom('courses').select('comments').where('id', '=', id).execute()
  expect(course).toEqual([{ comments: 0 }])
  expect(await findWrong()).toEqual([])
})
