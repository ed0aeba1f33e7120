import { afterAll, expect, test } from 'vitest'
import type { Lesson, LessonPage } from '#contract/lessons.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { edit } from '#server/testing/learning/items.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob } = await signUpAll(app, 'ann', 'bob')
const lessons: number[] = []
for (let place = 0; place < 6; place += 1)
  lessons.push((await app.publishLesson(ann, { title: `Brewing, part ${place}` })).id)
const [preview = 0, priced = 0] = lessons
await app.publishLesson(bob, { title: 'Brewing alone' })
const course = await app.publishCourse(ann, { lessons, freePreview: preview })
afterAll(() => app.close())

const browse = (query: string, as?: Person) =>
  done<LessonPage>(app, as, `GET /lesson/browse?${query}`)
const idsOf = async (query: string, as?: Person) =>
  (await browse(query, as)).items.map(({ id }) => id)

test('cards say whether they are open to everybody', async () => {
  for (const as of [undefined, bob, ann]) {
    const { items } = await browse('', as)
    expect(items.filter(({ free }) => free).map(({ id }) => id)).toEqual([preview])
    expect(items.every(({ free }) => typeof free === 'boolean')).toBe(true)
  }
  expect(await done(app, undefined, 'GET /course/all')).toMatchObject([{ free: false }])
})

test('the filter for free lessons combines with terms, bands, owners, sorts and pages', async () => {
  for (const query of [
    'free=1',
    'free=1&sort=views',
    'free=1&search=brewing',
    'free=1&search=b',
    `free=1&owner=${ann.session._id}`,
    'free=1&page=1',
  ])
    expect([query, await idsOf(query), await idsOf(query, bob)]).toEqual([
      query,
      [preview],
      [preview],
    ])
  for (const query of ['free=1&likes=3', 'free=1&search=alone', `free=1&owner=${bob.session._id}`])
    expect([query, await idsOf(query)]).toEqual([query, []])
  const { total, counts } = await browse('free=1')
  expect([total, counts.views.any, counts.likes.any]).toEqual([1, 1, 1])
  const whole = await done(app, undefined, 'GET /lesson/all?free=1')
  expect(whole).toMatchObject([{ id: preview, free: true }])
})

test('a lesson lists its courses with their prices and those of their lessons', async () => {
  const coursesOf = async (id: number, as?: Person) =>
    (await done<Lesson>(app, as, `GET /lesson/${id}`)).courses
  const named = { id: course.id, title: course.title, price: 500, lessons: 6, singly: 600 }
  for (const as of [undefined, bob, ann]) {
    expect(await coursesOf(preview, as)).toEqual([{ ...named, free: true }])
    expect(await coursesOf(priced, as)).toEqual([{ ...named, free: false }])
  }
  await edit(app, ann, ['course', course.id], { title: 'All of brewing' })
  for (const as of [undefined, bob])
    expect((await coursesOf(priced, as)).map(({ title }) => title)).toEqual(['All of brewing'])
})

test('a moved free preview and a deleted course are visible immediately', async () => {
  const move = (freePreview: number | '') => edit(app, ann, ['course', course.id], { freePreview })
  expect(await idsOf('free=1')).toEqual([preview])
  await move(priced)
  expect(await idsOf('free=1')).toEqual([priced])
  await move('')
  expect(await idsOf('free=1')).toEqual([])
  await move(preview)
  expect(await idsOf('free=1')).toEqual([preview])
  await done(app, ann, `DELETE /course/${course.id}`)
  expect(await idsOf('free=1')).toEqual([])
  expect(await done(app, undefined, `GET /lesson/${priced}`)).toMatchObject({ courses: [] })
})
