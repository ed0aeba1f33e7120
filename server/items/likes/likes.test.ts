import { afterAll, describe, expect, test } from 'vitest'
import type { CourseCard } from '#contract/courses.ts'
import type { Problem } from '#contract/errors.ts'
import type { LessonCard } from '#contract/lessons.ts'
import type { Liked } from '#contract/likes.ts'
import type { ItemKind } from '#contract/points.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { publishLessons } from '#server/testing/learning/items.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob, admin } = await signUpAll(app, 'ann', 'bob', 'admin')
await setRole(app.app.database.db, 'admin', 'administrator')
afterAll(() => app.close())

type Card = Pick<LessonCard & CourseCard, 'id' | 'likes' | 'liked'> & { can: object }

const publish = async (kind: ItemKind) =>
  kind === 'lesson' ? app.publishLesson(ann) : app.publishCourse(ann)
const like = (as: Person, kind: ItemKind, id: number, method = 'POST') =>
  app.call<Problem & { likes: number }>(method, `/${kind}/like/${id}`, { as })
const show = (as: Person, kind: ItemKind, id: number) => done<Card>(app, as, `GET /${kind}/${id}`)

describe.each(['lesson', 'course'] as const)('a %s', (kind) => {
  test('is not liked by its author, nor twice, nor when it is missing or deleted', async () => {
    const { id } = await publish(kind)
    const own = await like(ann, kind, id)
    expect([own.status, own.body.title]).toEqual([
      409,
      'You can’t like your own lessons and courses.',
    ])
    expect((await like(bob, kind, id)).body).toEqual({ likes: 1 })
    const second = await like(bob, kind, id)
    expect([second.status, second.body.title]).toEqual([409, 'You already like this.'])
    expect((await show(ann, kind, id)).likes).toBe(1)
    await done(app, ann, `DELETE /${kind}/${id}`)
    for (const gone of [id, 999_999, Number.MAX_SAFE_INTEGER])
      expect((await like(bob, kind, gone)).status).toBe(404)
  })

  test('that is locked is liked and stays locked', async () => {
    const { id } = await publish(kind)
    const { body, headers } = await like(bob, kind, id, 'GET')
    expect([body, headers.get('cache-control')]).toEqual([{ likes: 1 }, 'no-store'])
    const can = { see: false, like: false, buy: true }
    expect(await show(bob, kind, id)).toMatchObject({ liked: true, likes: 1, can })
    expect((await show(ann, kind, id)).liked).toBe(false)
    expect((await like(admin, kind, id)).body).toEqual({ likes: 2 })
  })
})

test('a course has likes of its own', async () => {
  const course = await app.publishCourse(ann)
  await like(bob, 'course', course.id)
  expect((await show(bob, 'lesson', course.lessons[0]?.id ?? 0)).likes).toBe(0)
})

test('cards show their viewer’s likes', async () => {
  const { id, title } = await app.publishLesson(ann)
  await like(bob, 'lesson', id)
  const card = async (as?: Person) => {
    const line = `GET /lesson/all?page=1&search=${encodeURIComponent(title)}`
    return (await done<Card[]>(app, as, line)).find((entry) => entry.id === id)
  }
  expect((await card(bob))?.liked).toBe(true)
  expect((await card(ann))?.liked).toBe(false)
  expect(await card()).not.toHaveProperty('liked')
})

test('the list of liked items has the newest like first and leaves out deleted items', async () => {
  const dan = await app.signUp('dan')
  const liked = () => done<Liked>(app, dan, 'GET /liked')
  expect(await liked()).toEqual({ lessons: [], courses: [] })
  const [first = 0, second = 0, third = 0] = await publishLessons(app, ann, 3)
  const [one, other] = [await app.publishCourse(ann), await app.publishCourse(ann)]
  for (const id of [second, first, third]) await like(dan, 'lesson', id)
  for (const { id } of [other, one]) await like(dan, 'course', id)
  const before = await liked()
  expect(before.lessons.map(({ id }) => id)).toEqual([third, first, second])
  expect(before.courses.map(({ id }) => id)).toEqual([one.id, other.id])
  expect(before.lessons[0]).toMatchObject({ liked: true, bought: false, likes: 1 })
  expect(before.courses[0]).toMatchObject({ liked: true, bought: false })
  expect(before.courses[0]?.lessons).toHaveLength(6)
  await done(app, ann, `DELETE /lesson/${third}`)
  await done(app, ann, `DELETE /course/${other.id}`)
  const after = await liked()
  expect(after.lessons.map(({ id }) => id)).toEqual([first, second])
  expect(after.courses.map(({ id }) => id)).toEqual([one.id])
})
