import { afterAll, expect, test } from 'vitest'
import type { Course, CourseCard } from '#contract/courses.ts'
import type { Lesson } from '#contract/lessons.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { NO_RIGHTS } from '#server/items/shared/access.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { buy } from '#server/testing/learning/items.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '1000' })
const { ann, bob, carl, admin } = await signUpAll(app, 'ann', 'bob', 'carl', 'admin')
await setRole(app.app.database.db, 'admin', 'administrator')
const course = await app.publishCourse(ann)
afterAll(() => app.close())

const show = (as?: Person, id = course.id) => app.call<Course>('GET', `/course/${id}`, { as })
const open = ({ lessons }: Course) => lessons.filter(({ can }) => can.see).map(({ id }) => id)

test('unknown and deleted courses are not found', async () => {
  const gone = await app.publishCourse(ann)
  await done(app, ann, `DELETE /course/${gone.id}`)
  // Its buyers have outstanding refunds.
  const going = await app.publishCourse(ann)
  const { pool } = app.app.database
  await pool.query('update courses set deleted_at = now() where id = $1', [going.id])
  for (const id of [999_999, gone.id, going.id])
    expect((await show(undefined, id)).status).toBe(404)
})

test('lesson and course tell how much their owner has published, what is gone apart', async () => {
  const dora = await app.signUp('dora')
  const first = await app.publishLesson(dora)
  const itemsOf = async (path: string, as?: Person) =>
    (await done<Lesson | Course>(app, as, `GET ${path}`)).ownerItems
  for (const as of [undefined, dora, bob])
    expect(await itemsOf(`/lesson/${first.id}`, as)).toEqual({ lessons: 1, courses: 0 })
  const made = await app.publishCourse(dora)
  await done(app, dora, `DELETE /lesson/${first.id}`)
  for (const as of [undefined, dora, bob]) {
    expect(await itemsOf(`/course/${made.id}`, as)).toEqual({ lessons: 6, courses: 1 })
    expect(await itemsOf(`/lesson/${made.lessons[0]?.id}`, as)).toEqual({ lessons: 6, courses: 1 })
  }
})

test('everybody has their rights, and sees lessons only if they may see all', async () => {
  const editor = { ...NO_RIGHTS, see: true, edit: true, delete: true, comment: true }
  for (const [as, can] of [
    [undefined, NO_RIGHTS],
    [bob, { ...NO_RIGHTS, like: true, buy: true }],
    [ann, editor],
    [admin, { ...editor, like: true }],
  ] as const) {
    const { body } = await show(as)
    expect(body.can).toEqual(can)
    expect(body.lessons.map(({ id }) => id)).toEqual(course.lessons.map(({ id }) => id))
    expect(open(body)).toHaveLength(can.see ? 6 : 0)
  }
})

test('a buyer of one lesson can open only that one', async () => {
  const lesson = course.lessons[2]?.id ?? 0
  await done(app, carl, `POST /lesson/buy/${lesson}`)
  const { body } = await show(carl)
  expect(body.can).toMatchObject({ see: false, buy: true })
  expect(open(body)).toEqual([lesson])
})

test('buying a course opens its lessons everywhere', async () => {
  const shared = course.lessons.map(({ id }) => id)
  const other = await app.publishCourse(ann, {
    lessons: [...shared.slice(1), (await app.publishLesson(ann)).id],
  })
  await buy(app, bob, 'course', course.id)
  const { body } = await show(bob)
  expect(body).toMatchObject({ bought: true, can: { see: true, buy: false, comment: true } })
  expect(open(body)).toEqual(shared)
  expect(open((await show(bob, other.id)).body)).toEqual(shared.slice(1))
  const lesson = await app.call<Lesson>('GET', `/lesson/${shared[0]}`, { as: bob })
  expect(lesson.body).toMatchObject({ bought: false, can: { see: true, comment: true } })
})

test('a like appears on the course and on its card', async () => {
  await done(app, carl, `POST /course/like/${course.id}`)
  expect((await show(carl)).body).toMatchObject({ liked: true, likes: 1, can: { like: false } })
  const [card] = await done<CourseCard[]>(app, carl, 'GET /course/highest')
  expect(card).toMatchObject({ id: course.id, liked: true, likes: 1 })
  expect((await done<CourseCard[]>(app, undefined, 'GET /course/highest'))[0]).not.toHaveProperty(
    'liked',
  )
})
