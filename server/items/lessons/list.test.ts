import { afterAll, describe, expect, test } from 'vitest'
import type { HomeNumbers } from '#contract/home.ts'
import type { LessonCard, LessonPage } from '#contract/lessons.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { buy } from '#server/testing/learning/items.ts'
import { signUpAll } from '#server/testing/people.ts'

/** Ids by title, in the order of publication. */
const ids = new Map<string, number>()

const titles = [
  'Урок по рисуване',
  'УРОК две',
  'C++ in an hour',
  '100% sure',
  '100 percent',
  'Crème brûlée',
  'under_score',
  'Under the score',
  'Straße',
  'Жж',
  'Plain one',
  'Plain two',
]
/** Likes, views and comments of the first lessons. */
const numbers: Record<string, [number, number, number]> = {
  'Урок по рисуване': [1, 99, 0],
  'УРОК две': [99, 100, 1],
  'C++ in an hour': [100, 999, 5],
  '100% sure': [999, 1000, 100],
  '100 percent': [1000, 5000, 1000],
}

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob } = await signUpAll(app, 'ann', 'bob')
for (const title of titles)
  ids.set(title, (await app.publishLesson(ann, { title: title.padEnd(3, '.') })).id)
for (const [title, [likes, views, comments]] of Object.entries(numbers)) {
  await app.app.database.db
    .updateTable('lessons')
    .set({ likes, views, comments })
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
  app.call<LessonCard[]>('GET', `/lesson/all?${query(parameters)}`, { as })
const browse = (parameters: Parameters) =>
  done<LessonPage>(app, undefined, `GET /lesson/browse?${query(parameters)}`)
const titlesOf = async (parameters: Parameters) =>
  (await browse(parameters)).items.map(({ title }) => title)
const wholeTitles = async (parameters: Parameters) =>
  (await all(parameters)).body.map(({ title }) => title)

test('unknown parameters are ignored, a doubled one counts once', async () => {
  const line = `GET /lesson/all?page=1&utm=x&search=${encodeURIComponent('урок')}&search=zzz`
  expect(await done(app, undefined, line)).toHaveLength(2)
})

test.each([
  ['УРО', ['УРОК две', 'Урок по рисуване']],
  // Terms of one and two letters match.
  ['ж', ['Жж.']],
  ['жЖ', ['Жж.']],
  ['qq', []],
  // Signs match, and wildcards have no special meaning.
  ['c++', ['C++ in an hour']],
  ['++', ['C++ in an hour']],
  ['100%', ['100% sure']],
  ['under_', ['under_score']],
  ['r_s', ['under_score']],
  ['\\', []],
  ['%', ['100% sure']],
  // Words are matched in order; only white space around and between them is normalized.
  ['n o', ['Plain one']],
  ['  plain   one ', ['Plain one']],
])('a search for %j finds %j', async (search, titles) => {
  expect((await titlesOf({ search })).toSorted()).toEqual(titles)
})

test('all sorts descend, and ties are newest first', async () => {
  const counted = ['100 percent', '100% sure', 'C++ in an hour', 'УРОК две']
  const byLikes = await titlesOf({ sort: 'likes' })
  expect(byLikes.slice(0, 7)).toEqual([...counted, 'Урок по рисуване', 'Plain two', 'Plain one'])
  expect((await titlesOf({ sort: 'comments' })).slice(0, 5)).toEqual([...counted, 'Plain two'])
  expect((await titlesOf({ sort: 'none' })).slice(0, 2)).toEqual(['Plain two', 'Plain one'])
  expect(await titlesOf({ sort: 'views' })).toEqual(byLikes)
})

describe('bands', () => {
  test('a band includes both limits', async () => {
    const likes = async (band: number) =>
      (await browse({ likes: band })).items.map((item) => item.likes).toSorted((a, b) => a - b)
    expect(await likes(1)).toEqual([1, 99])
    expect(await likes(2)).toEqual([100, 999])
    expect(await likes(3)).toEqual([1000])
    expect((await browse({ likes: 0 })).total).toBe(titles.length)
  })
  test('bands of views, likes and comments are combined', async () => {
    expect(await titlesOf({ views: 3, likes: 2, comments: 2 })).toEqual(['100% sure'])
  })
  test('chips count what each band would show', async () => {
    const { counts } = await browse({ likes: 2 })
    expect(counts.views).toEqual({ any: 2, 1: 0, 2: 1, 3: 1 })
    expect(counts.likes).toEqual({ any: titles.length, 1: 2, 2: 2, 3: 1 })
  })
  test('chips with a term count only what it finds', async () => {
    const { counts } = await browse({ search: '100', views: 3 })
    expect(counts.views).toEqual({ any: 2, 1: 0, 2: 0, 3: 2 })
    expect(counts.likes).toEqual({ any: 2, 1: 0, 2: 1, 3: 1 })
  })
})

describe('pages', () => {
  test('a page has ten lessons, the next one the rest', async () => {
    const first = { total: 12, more: false, page: 1, pages: 2, beyond: false }
    expect(await browse({ page: 1 })).toMatchObject(first)
    const second = await browse({ page: 2 })
    expect(second.items.map(({ title }) => title)).toEqual(['УРОК две', 'Урок по рисуване'])
  })
  test('a page number beyond the last shows the last page', async () => {
    const items = [{ title: 'УРОК две' }, { title: 'Урок по рисуване' }]
    for (const page of [3, 1001, 1_000_000])
      expect(await browse({ page })).toMatchObject({ page: 2, beyond: true, items })
    expect(await browse({ page: 9, search: 'plain' })).toMatchObject({ page: 1, beyond: true })
    const none = { page: 1, pages: 1, total: 0, items: [] }
    expect(await browse({ search: 'nothing has it', page: 2 })).toMatchObject(none)
  })
  test('the API returns the total with every page, even an empty one', async () => {
    for (const [parameters, count, total] of [
      [{ page: 3 }, 0, '12'],
      [{ page: 1, search: 'урок' }, 2, '2'],
    ] as const) {
      const { body, headers } = await all(parameters)
      expect([body.length, headers.get('x-total-count')]).toEqual([count, total])
    }
  })
})

describe('the whole list', () => {
  test('without a page number the API returns all lessons, newest first', async () => {
    const { body, headers } = await all({})
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(body.map(({ id }) => id)).toEqual([...ids.values()].toReversed())
  })
  test('filters and sorts apply', async () => {
    const found = await wholeTitles({ search: 'урок', sort: 'views' })
    expect(found).toEqual(['УРОК две', 'Урок по рисуване'])
    expect(await wholeTitles({ likes: 3 })).toEqual(['100 percent'])
  })
})

test("bought and own lists are the caller's, newest first", async () => {
  await app.earn(bob, 200)
  const wanted = ['Plain one', 'УРОК две'].map((title) => ids.get(title) ?? 0)
  for (const id of wanted) await buy(app, bob, 'lesson', id)
  const bought = await app.call<LessonCard[]>('GET', '/lesson/bought', { as: bob })
  expect(bought.body.map(({ id }) => id)).toEqual(wanted.toReversed())
  expect(bought.body[0]).toMatchObject({ bought: true, liked: false })
  expect(bought.headers.get('x-total-count')).toBe('2')
  const own = await done<LessonCard[]>(app, bob, 'GET /lesson/yours')
  expect(own.every(({ owner }) => owner === bob.session._id)).toBe(true)
  expect(await done(app, ann, 'GET /lesson/yours?page=2')).toHaveLength(2)
  expect((await all({ search: 'Plain one', page: 1 }, bob)).body[0]).toMatchObject({ bought: true })
})

test('a list by owner holds only theirs', async () => {
  const page = await browse({ owner: bob.session._id })
  expect(page.items.every(({ owner }) => owner === bob.session._id)).toBe(true)
  expect(page.counts.views.any).toBe(page.total)
})

test('the popular lessons are the eight most viewed', async () => {
  const cards = await done<LessonCard[]>(app, undefined, 'GET /lesson/popular')
  expect(cards).toHaveLength(8)
  expect(cards.slice(0, 3).map(({ views }) => views)).toEqual([5000, 1000, 999])
})

test('the shelf shows the newest', async () => {
  const shelf = await done<LessonCard[]>(app, undefined, 'GET /lesson/newest')
  const newest = await browse({})
  expect(shelf.slice(0, 10).map(({ id }) => id)).toEqual(newest.items.map(({ id }) => id))
})

test('the front page counts new lessons and authors immediately', async () => {
  const counted = () => done<HomeNumbers>(app, undefined, 'GET /home')
  const before = await counted()
  await app.publishLesson(await app.signUp('carl'))
  expect(await counted()).toEqual({
    lessons: before.lessons + 1,
    courses: 0,
    authors: before.authors + 1,
  })
})
