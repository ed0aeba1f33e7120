import { afterAll, describe, expect, test } from 'vitest'
import type { CourseCard, CoursePage } from '#contract/courses.schemas.ts'
import type { HomeNumbers } from '#contract/home.schemas.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
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
  app.call<CourseCard[]>('GET', `/course/all?${query(parameters)}`, { as })
const browse = async (parameters: Parameters) =>
  (await app.call<CoursePage>('GET', `/course/browse?${query(parameters)}`)).body
const found = async (search: string) =>
  (await browse({ search })).items.map(({ title }) => title).toSorted()

describe('refusals', () => {
  test('bad values of known parameters are 400', async () => {
    const bad: Parameters[] = [
      { sort: 'views' },
      { sort: 'name' },
      { likes: 4 },
      { comments: -1 },
      { page: 0 },
      { page: 'x' },
      { owner: 'ann' },
      { search: 's'.repeat(101) },
    ]
    for (const parameters of bad) {
      expect((await all(parameters)).status).toBe(400)
      expect((await all({ page: 1, ...parameters })).status).toBe(400)
    }
  })
  test('guests have no own and no bought courses', async () => {
    for (const path of ['/course/bought', '/course/yours', '/course/choices'])
      expect((await app.call('GET', path)).status).toBe(401)
  })
})

test('search folds case and accents in every script', async () => {
  expect(await found('курс')).toEqual(['КУРС две', 'Курс по рисуване'])
  expect(await found('BRULEE')).toEqual(['Crème brûlée'])
  expect(await found('ж')).toEqual(['Жж.'])
  expect(await found('c++')).toEqual(['C++ whole'])
  expect(await found('100%')).toEqual(['100% course'])
  expect(await found('qq')).toEqual([])
})

test('sorts descend, and ties are newest first', async () => {
  const order = async (sort: string) => (await browse({ sort })).items.map(({ title }) => title)
  const counted = ['100% course', 'C++ whole', 'КУРС две']
  expect((await order('likes')).slice(0, 5)).toEqual([...counted, 'Курс по рисуване', 'Plain five'])
  expect((await order('comments')).slice(0, 4)).toEqual([...counted, 'Plain five'])
  expect((await order('none')).slice(0, 2)).toEqual(['Plain five', 'Plain four'])
})

describe('bands', () => {
  test('a band holds both its limits', async () => {
    expect((await browse({ likes: 1 })).items.map(({ likes }) => likes)).toEqual([99, 1])
    expect((await browse({ likes: 2 })).items.map(({ likes }) => likes)).toEqual([100])
    expect((await browse({ comments: 3, likes: 3 })).total).toBe(1)
    expect((await browse({ comments: 3, likes: 1 })).total).toBe(0)
  })
  test('chips tell what each band would show', async () => {
    const { counts } = await browse({ likes: 1 })
    expect(counts.likes).toEqual({ any: titles.length, 1: 2, 2: 1, 3: 1 })
    expect(counts.comments).toEqual({ any: 2, 1: 1, 2: 0, 3: 0 })
  })
  test('chips with a term count only what it finds', async () => {
    const { counts } = await browse({ search: 'курс', comments: 1 })
    expect(counts.likes).toEqual({ any: 1, 1: 1, 2: 0, 3: 0 })
    expect(counts.comments).toEqual({ any: 2, 1: 1, 2: 0, 3: 0 })
  })
})

describe('pages', () => {
  test('beyond the last page stands the last page', async () => {
    const last = { page: 2, pages: 2, total: 11, items: [{ title: 'Курс по рисуване' }] }
    expect(await browse({ page: 2 })).toMatchObject({ ...last, beyond: false })
    for (const page of [3, 1000, 1_000_000])
      expect(await browse({ page })).toMatchObject({ ...last, beyond: true })
  })
  test('the API answers an empty page with the total', async () => {
    const { body, headers } = await all({ page: 3 })
    expect([body, headers.get('x-total-count')]).toEqual([[], '11'])
  })
  test('without a page it is everything, in the order of the sort', async () => {
    const { body } = await all({})
    expect(body.map(({ id }) => id)).toEqual([...ids.values()].toReversed())
    const liked = (await all({ sort: 'likes' })).body.map(({ likes }) => likes)
    expect(liked.slice(0, 4)).toEqual([1000, 100, 99, 1])
  })
})

test('a card has its lessons in order and their first tags', async () => {
  const owner = await app.signUp('carl')
  const tagged: number[] = []
  for (const tags of ['b,a', 'a,c', 'd,e,f', 'g,h,i,j', 'k,l', 'm'])
    tagged.push((await app.publishLesson(owner, { tags })).id)
  const order = tagged.toReversed()
  await app.publishCourse(owner, { lessons: order })
  const [card] = (await all({ owner: owner.session._id })).body
  expect(card?.lessons).toEqual(order)
  expect(card?.tags).toEqual(['m', 'k', 'l', 'g', 'h', 'i', 'j', 'd', 'e', 'f'])
})

test('a guest sees no own marks, the signed-in do', async () => {
  expect((await all({})).body[0]).not.toHaveProperty('bought')
  expect((await all({}, bob)).body[0]).toMatchObject({ bought: false, liked: false })
})

test('highest are the most liked eight', async () => {
  const { body } = await app.call<CourseCard[]>('GET', '/course/highest')
  expect(body.map(({ likes }) => likes)).toEqual([1000, 100, 99, 1, 0, 0, 0, 0])
})

test("bought and own lists are the caller's, newest first", async () => {
  await app.earn(bob, 1000)
  const wanted = ['Plain one', 'КУРС две'].map((title) => ids.get(title) ?? 0)
  for (const id of wanted)
    expect((await app.call('POST', `/course/buy/${id}`, { as: bob })).status).toBe(200)
  const bought = await app.call<CourseCard[]>('GET', '/course/bought', { as: bob })
  expect(bought.body.map(({ id }) => id)).toEqual(wanted.toReversed())
  expect(bought.body[0]).toMatchObject({ bought: true, liked: false })
  expect(bought.headers.get('x-total-count')).toBe('2')
  expect((await app.call('GET', '/course/yours', { as: bob })).body).toEqual([])
  const second = await app.call<CourseCard[]>('GET', '/course/yours?page=2', { as: ann })
  expect(second.body.map(({ title }) => title)).toEqual(['Курс по рисуване'])
})

test('the front page counts courses at once', async () => {
  const before = (await app.call<HomeNumbers>('GET', '/home')).body.courses
  await app.publishCourse(ann, { lessons })
  expect((await app.call<HomeNumbers>('GET', '/home')).body.courses).toBe(before + 1)
})
