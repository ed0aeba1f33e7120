import { afterAll, expect, test } from 'vitest'
import type { CourseCard, CoursePage } from '#contract/courses.ts'
import type { HomeNumbers } from '#contract/home.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { buy } from '#server/testing/learning/items.ts'
import { signUpAll } from '#server/testing/people.ts'

/** Ids by title, in the order of publication. */
const ids = new Map<string, number>()

const titles = [
  'Курс по рисуване',
  'КУРС две',
  'C++ whole',
  '100% course',
  'Crème brûlée',
  'Жж.',
  'Plain one',
  'Plain two',
  'Plain three',
  'Plain four',
  'Plain five',
]
/** Likes and comments of the first courses. */
const numbers: Record<string, [number, number]> = {
  'Курс по рисуване': [1, 0],
  'КУРС две': [99, 1],
  'C++ whole': [100, 5],
  '100% course': [1000, 1000],
}

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob } = await signUpAll(app, 'ann', 'bob')
const lessons = (await app.publishCourse(ann, { title: titles[0] ?? '' })).lessons.map(
  ({ id }) => id,
)
for (const title of titles.slice(1)) await app.publishCourse(ann, { title, lessons })
const { db } = app.app.database
for (const row of await db.selectFrom('course_contents').select(['course_id', 'title']).execute())
  ids.set(row.title, row.course_id)
for (const [title, [likes, comments]] of Object.entries(numbers)) {
  await db
    .updateTable('courses')
    .set({ likes, comments })
    .where('id', '=', ids.get(title) ?? 0)
    .execute()
}
afterAll(() => app.close())

type Parameters = Record<string, string | number>
const query = (parameters: Parameters) =>
  new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [name, String(value)]),
  ).toString()
const all = (parameters: Parameters, as?: Person) =>
  done<CourseCard[]>(app, as, `GET /course/all?${query(parameters)}`)
const browse = (parameters: Parameters) =>
  done<CoursePage>(app, undefined, `GET /course/browse?${query(parameters)}`)
const titlesOf = async (parameters: Parameters) =>
  (await browse(parameters)).items.map(({ title }) => title)

test('search, sorts, bands and pages work as for lessons', async () => {
  expect((await titlesOf({ search: 'курс' })).toSorted()).toEqual(['КУРС две', 'Курс по рисуване'])
  expect(await titlesOf({ search: '100%' })).toEqual(['100% course'])
  const counted = ['100% course', 'C++ whole', 'КУРС две']
  const byLikes = await titlesOf({ sort: 'likes' })
  expect(byLikes.slice(0, 5)).toEqual([...counted, 'Курс по рисуване', 'Plain five'])
  expect((await titlesOf({ sort: 'comments' })).slice(0, 4)).toEqual([...counted, 'Plain five'])
  expect((await titlesOf({ sort: 'none' })).slice(0, 2)).toEqual(['Plain five', 'Plain four'])
  expect((await browse({ likes: 1 })).items.map(({ likes }) => likes)).toEqual([99, 1])
  expect((await browse({ comments: 3, likes: 3 })).total).toBe(1)
  const { counts } = await browse({ search: 'курс', comments: 1 })
  expect(counts).toMatchObject({
    likes: { any: 1, 1: 1, 2: 0, 3: 0 },
    comments: { any: 2, 1: 1, 2: 0, 3: 0 },
  })
  const last = { page: 2, pages: 2, total: 11, items: [{ title: 'Курс по рисуване' }] }
  expect(await browse({ page: 3 })).toMatchObject({ ...last, beyond: true })
  expect((await all({})).map(({ id }) => id)).toEqual([...ids.values()].toReversed())
})

test('a card has its lessons in order and their first tags', async () => {
  const owner = await app.signUp('carl')
  const tagged: number[] = []
  for (const tags of ['b,a', 'a,c', 'd,e,f', 'g,h,i,j', 'k,l', 'm'])
    tagged.push((await app.publishLesson(owner, { tags })).id)
  const order = tagged.toReversed()
  await app.publishCourse(owner, { lessons: order })
  const [card] = await all({ owner: owner.session._id })
  expect(card?.lessons).toEqual(order)
  expect(card?.tags).toEqual(['m', 'k', 'l', 'g', 'h', 'i', 'j', 'd', 'e', 'f'])
})

test('the highest courses are the eight most liked', async () => {
  const cards = await done<CourseCard[]>(app, undefined, 'GET /course/highest')
  expect(cards.map(({ likes }) => likes)).toEqual([1000, 100, 99, 1, 0, 0, 0, 0])
})

test("bought and own lists are the caller's, newest first", async () => {
  await app.give(bob, 1000)
  const wanted = ['Plain one', 'КУРС две'].map((title) => ids.get(title) ?? 0)
  for (const id of wanted) await buy(app, bob, 'course', id)
  const bought = await app.call<CourseCard[]>('GET', '/course/bought', { as: bob })
  expect(bought.body.map(({ id }) => id)).toEqual(wanted.toReversed())
  expect(bought.body[0]).toMatchObject({ bought: true, liked: false })
  expect(bought.headers.get('x-total-count')).toBe('2')
  expect(await done(app, bob, 'GET /course/yours')).toEqual([])
  const second = await done<CourseCard[]>(app, ann, 'GET /course/yours?page=2')
  expect(second.map(({ title }) => title)).toEqual(['Курс по рисуване'])
})

test('the front page counts new courses immediately', async () => {
  const counted = async () => (await done<HomeNumbers>(app, undefined, 'GET /home')).courses
  const before = await counted()
  await app.publishCourse(ann, { lessons })
  expect(await counted()).toBe(before + 1)
})
