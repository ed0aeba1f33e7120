import { afterAll, describe, expect, test } from 'vitest'
import type { Course } from '#contract/courses.ts'
import type { Problem } from '#contract/errors.ts'
import type { Liked } from '#contract/likes.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { addPeople, signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob } = await signUpAll(app, 'ann', 'bob')
const course = await app.publishCourse(ann)
afterAll(() => app.close())

const like = (as: Person | undefined, id: number, kind = 'course') =>
  app.call<Problem & { likes: number }>('POST', `/${kind}/like/${id}`, { as })
const liked = async (as: Person) => (await app.call<Liked>('GET', '/liked', { as })).body
const show = async (as: Person, id: number) =>
  (await app.call<Course>('GET', `/course/${id}`, { as })).body

describe('a course', () => {
  test('is liked by no guest, and not by its owner', async () => {
    expect((await like(undefined, course.id)).status).toBe(401)
    const { status, body } = await like(ann, course.id)
    expect([status, body.title]).toEqual([409, "You can't like what you made yourself."])
    expect((await show(ann, course.id)).likes).toBe(0)
  })
  test('has likes of its own, once a person, and opens by none', async () => {
    expect((await like(bob, course.id)).body).toEqual({ likes: 1 })
    expect((await like(bob, course.id)).status).toBe(409)
    expect(await show(bob, course.id)).toMatchObject({
      likes: 1,
      liked: true,
      can: { see: false, like: false, buy: true },
    })
    const lesson = course.lessons[0]?.id ?? 0
    const { body } = await app.call<{ likes: number }>('GET', `/lesson/${lesson}`, { as: bob })
    expect(body.likes).toBe(0)
  })
  test('is liked by 300 people at once', async () => {
    const { id } = await app.publishCourse(ann)
    const answers = await Promise.all((await addPeople(app, 300)).map((each) => like(each, id)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect((await show(ann, id)).likes).toBe(300)
  })
})

describe('the list of what one liked', () => {
  test('is nobody else’s', async () => {
    expect((await app.call('GET', '/liked')).status).toBe(401)
    expect(await liked(ann)).toEqual({ lessons: [], courses: [] })
  })
  test('has the newest like first and leaves out what is gone', async () => {
    const dan = await app.signUp('dan')
    const ids: number[] = []
    for (let n = 0; n < 3; n += 1) ids.push((await app.publishLesson(ann)).id)
    const other = await app.publishCourse(ann)
    const [first = 0, second = 0, third = 0] = ids
    for (const id of [second, first, third]) await like(dan, id, 'lesson')
    for (const id of [other.id, course.id]) await like(dan, id)
    const before = await liked(dan)
    expect(before.lessons.map(({ id }) => id)).toEqual([third, first, second])
    expect(before.courses.map(({ id }) => id)).toEqual([course.id, other.id])
    expect(before.lessons[0]).toMatchObject({ liked: true, bought: false, likes: 1 })
    expect(before.courses[0]).toMatchObject({ liked: true, bought: false })
    expect(before.courses[0]?.lessons).toHaveLength(6)
    await app.call('DELETE', `/lesson/${third}`, { as: ann })
    await app.call('DELETE', `/course/${other.id}`, { as: ann })
    const after = await liked(dan)
    expect(after.lessons.map(({ id }) => id)).toEqual([first, second])
    expect(after.courses.map(({ id }) => id)).toEqual([course.id])
    expect((await like(dan, other.id)).status).toBe(404)
  })
})
