import { afterAll, describe, expect, test } from 'vitest'
import type { HomeNumbers } from '#contract/home.schemas.ts'
import type { LessonCard, LessonPage } from '#contract/lessons.schemas.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
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

const query = (parameters: Record<string, string | number>) =>
  new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [name, String(value)]),
  ).toString()
const all = (parameters: Record<string, string | number>, as?: Person) =>
  app.call<LessonCard[]>('GET', `/lesson/all?${query(parameters)}`, { as })
const browse = async (parameters: Record<string, string | number>) =>
  (await app.call<LessonPage>('GET', `/lesson/browse?${query(parameters)}`)).body
const found = async (search: string) =>
  (await browse({ search })).items.map(({ title }) => title).toSorted()

describe('refusals', () => {
  test('bad values of known parameters are 400', async () => {
    for (const parameters of [
      { sort: 'name' },
      { views: 4 },
      { likes: -1 },
      { page: 0 },
      { page: 'x' },
      { owner: 'ann' },
      { search: 's'.repeat(101) },
    ]) {
      expect((await all(parameters as Record<string, string>)).status).toBe(400)
    }
  })
  test('guests have no own and no bought lists', async () => {
    expect((await app.call('GET', '/lesson/bought')).status).toBe(401)
    expect((await app.call('GET', '/lesson/yours')).status).toBe(401)
  })
})

test('unknown parameters are ignored, a doubled one counts once', async () => {
  expect(
    (
      await app.call<unknown[]>(
        'GET',
        '/lesson/all?page=1&utm=x&search=%D1%83%D1%80%D0%BE%D0%BA&search=zzz',
      )
    ).body,
  ).toHaveLength(2)
})

describe('search', () => {
  test('case and accents fold in every script', async () => {
    expect(await found('урок')).toEqual(['УРОК две', 'Урок по рисуване'])
    expect(await found('УРО')).toEqual(['УРОК две', 'Урок по рисуване'])
    expect(await found('creme BRULEE')).toEqual(['Crème brûlée'])
    expect(await found('strasse')).toEqual(['Straße'])
  })
  test('one and two letters find too', async () => {
    expect(await found('ж')).toEqual(['Жж.'])
    expect(await found('жЖ')).toEqual(['Жж.'])
    expect(await found('qq')).toEqual([])
  })
  test('signs without letters find', async () => {
    expect(await found('c++')).toEqual(['C++ in an hour'])
    expect(await found('++')).toEqual(['C++ in an hour'])
    expect(await found('n o')).toEqual(expect.not.arrayContaining(['Plain two']))
  })
  test('wildcards are letters like others', async () => {
    expect(await found('100%')).toEqual(['100% sure'])
    expect(await found('under_')).toEqual(['under_score'])
    expect(await found('r_s')).toEqual(['under_score'])
    expect(await found('\\')).toEqual([])
    expect(await found('%')).toEqual(['100% sure'])
  })
  test('white space around and doubled does not matter', async () => {
    expect(await found('  plain   one ')).toEqual(['Plain one'])
  })
})

describe('sorts', () => {
  test('all sorts descend, and ties are newest first', async () => {
    const order = async (sort: string) => (await browse({ sort })).items.map(({ title }) => title)
    expect((await order('likes')).slice(0, 7)).toEqual([
      '100 percent',
      '100% sure',
      'C++ in an hour',
      'УРОК две',
      'Урок по рисуване',
      'Plain two',
      'Plain one',
    ])
    expect((await order('comments')).slice(0, 5)).toEqual([
      '100 percent',
      '100% sure',
      'C++ in an hour',
      'УРОК две',
      'Plain two',
    ])
    expect((await order('none')).slice(0, 2)).toEqual(['Plain two', 'Plain one'])
    expect(await order('views')).toEqual(await order('likes'))
  })
  test('the filtered list has the same order', async () => {
    expect(
      (await browse({ sort: 'views', search: '100' })).items.map(({ views }) => views),
    ).toEqual([5000, 1000])
  })
})

describe('bands', () => {
  test('a band holds both its limits', async () => {
    const likes = async (band: number) =>
      (await browse({ likes: band })).items.map((item) => item.likes).toSorted((a, b) => a - b)
    expect(await likes(1)).toEqual([1, 99])
    expect(await likes(2)).toEqual([100, 999])
    expect(await likes(3)).toEqual([1000])
    expect((await browse({ likes: 0 })).total).toBe(titles.length)
  })
  test('bands of views, likes and comments hold together', async () => {
    expect(
      (await browse({ views: 3, likes: 2, comments: 2 })).items.map(({ title }) => title),
    ).toEqual(['100% sure'])
  })
  test('chips tell what each band would show', async () => {
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
  test('a page has ten, the next one the rest', async () => {
    expect(await browse({ page: 1 })).toMatchObject({
      total: 12,
      more: false,
      page: 1,
      pages: 2,
      beyond: false,
    })
    const second = await browse({ page: 2 })
    expect(second.items.map(({ title }) => title)).toEqual(['УРОК две', 'Урок по рисуване'])
  })
  test('beyond the last page stands the last page', async () => {
    for (const parameters of [
      { page: 3 },
      { page: 1000 },
      { page: 1001 },
      { page: 1_000_000 },
      { page: 9, search: 'plain' },
    ]) {
      expect(await browse(parameters as Record<string, number>)).toMatchObject({ beyond: true })
    }
    expect(await browse({ page: 3 })).toMatchObject({
      page: 2,
      items: [{ title: 'УРОК две' }, { title: 'Урок по рисуване' }],
    })
    expect(await browse({ search: 'nothing has it', page: 2 })).toMatchObject({
      page: 1,
      pages: 1,
      total: 0,
      items: [],
    })
  })
  test('the API answers an empty page with the total', async () => {
    const { body, headers } = await all({ page: 3 })
    expect([body, headers.get('x-total-count')]).toEqual([[], '12'])
  })
  test('the API answers a page with the total', async () => {
    const { body, headers } = await all({ page: 1, search: 'урок' })
    expect([body.length, headers.get('x-total-count')]).toEqual([2, '2'])
  })
})

describe('the whole list', () => {
  test('without a page it is everything, newest first', async () => {
    const { body, headers } = await all({})
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(body.map(({ id }) => id)).toEqual([...ids.values()].toReversed())
  })
  test('filters and sorts apply', async () => {
    expect((await all({ search: 'урок', sort: 'views' })).body.map(({ title }) => title)).toEqual([
      'УРОК две',
      'Урок по рисуване',
    ])
    expect((await all({ likes: 3 })).body.map(({ title }) => title)).toEqual(['100 percent'])
    expect((await all({ search: 'nothing has it' })).body).toEqual([])
    expect((await all({ likes: 7 })).status).toBe(400)
  })
  test('a guest sees no own marks, the signed-in do', async () => {
    expect((await all({})).body[0]).not.toHaveProperty('bought')
    expect((await all({}, bob)).body[0]).toMatchObject({ bought: false, liked: false })
  })
  test('an expired token reads as a guest and is told so', async () => {
    const { status, headers, body } = await app.call<LessonCard[]>('GET', '/lesson/all', {
      headers: { authorization: 'Bearer a.b.c' },
    })
    expect([status, headers.get('x-session')]).toEqual([200, 'expired'])
    expect(body[0]).not.toHaveProperty('bought')
  })
})

test("bought and own lists are the caller's, newest first", async () => {
  await app.earn(bob, 200)
  const wanted = ['Plain one', 'УРОК две'].map((title) => ids.get(title) ?? 0)
  for (const id of wanted) await app.call('POST', `/lesson/buy/${id}`, { as: bob })
  const bought = await app.call<LessonCard[]>('GET', '/lesson/bought', { as: bob })
  expect(bought.body.map(({ id }) => id)).toEqual(wanted.toReversed())
  expect(bought.body[0]).toMatchObject({ bought: true, liked: false })
  expect(bought.headers.get('x-total-count')).toBe('2')
  const own = await app.call<LessonCard[]>('GET', '/lesson/yours', { as: bob })
  expect(own.body.every(({ owner }) => owner === bob.session._id)).toBe(true)
  expect(
    (await app.call<LessonCard[]>('GET', '/lesson/yours?page=2', { as: ann })).body,
  ).toHaveLength(2)
  expect((await all({ search: 'Plain one', page: 1 }, bob)).body[0]).toMatchObject({ bought: true })
})

test('a list by owner holds only theirs', async () => {
  const page = await browse({ owner: bob.session._id })
  expect(page.items.every(({ owner }) => owner === bob.session._id)).toBe(true)
  expect(page.counts.views.any).toBe(page.total)
})

test('popular are the most viewed eight', async () => {
  const { body } = await app.call<LessonCard[]>('GET', '/lesson/popular')
  expect(body).toHaveLength(8)
  expect(body.slice(0, 3).map(({ views }) => views)).toEqual([5000, 1000, 999])
})

test('the shelf shows the newest', async () => {
  const { body } = await app.call<LessonCard[]>('GET', '/lesson/newest')
  const newest = await browse({})
  expect(body.slice(0, 10).map(({ id }) => id)).toEqual(newest.items.map(({ id }) => id))
})

test('the front page counts lessons and authors at once', async () => {
  const before = (await app.call<HomeNumbers>('GET', '/home')).body
  await app.publishLesson(await app.signUp('carl'))
  expect((await app.call<HomeNumbers>('GET', '/home')).body).toEqual({
    lessons: before.lessons + 1,
    courses: 0,
    authors: before.authors + 1,
  })
})
