import { afterAll, expect, test } from 'vitest'
import type { TagShelf } from '#contract/home.ts'
import type { TaggedAnswer } from '#contract/search.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { signUpAll } from '#server/testing/people.ts'

const ODD = ['a/b', '100%', '%2F', 'مرحبا', 'c#', '...', 'q?x=1', 'Ко́фе']

const app = await createTestApp({ DAILY_REWARD_LIMIT: '10000' })
const { ann, bob } = await signUpAll(app, 'ann', 'bob')
const lessons: number[] = []
for (let place = 0; place < 12; place += 1) {
  const { id } = await app.publishLesson(ann, { title: `Brew ${place}`, tags: 'Coffee,slow' })
  lessons.push(id)
}
const courseId = (await app.publishCourse(ann, { title: 'Brewing', lessons: lessons.slice(0, 6) }))
  .id
for (const tag of ODD) await app.publishLesson(ann, { title: 'Odd', tags: tag })
afterAll(() => app.close())

const ask = (tag: string, { page, as }: { page?: number; as?: Person | undefined } = {}) =>
  app.call<TaggedAnswer>(
    'GET',
    `/tag/${encodeURIComponent(tag)}${page === undefined ? '' : `?page=${page}`}`,
    { as },
  )

test('an unknown tag returns an empty page', async () => {
  for (const tag of ['nothing', '\u0000', "';--", ' '])
    expect((await ask(tag)).body).toEqual({
      lessons: [],
      courses: [],
      totals: { lessons: 0, courses: 0 },
    })
})

test('lessons come newest first, ten per page, with the courses that contain them', async () => {
  const idsOf = async (page: number, as?: Person) => {
    const { body } = await ask('coffee', { page, as })
    return [body.lessons.map(({ id }) => id), body.courses.map(({ id }) => id), body.totals]
  }
  const newest = lessons.toReversed()
  const totals = { lessons: 12, courses: 1 }
  for (const as of [undefined, bob]) {
    expect(await idsOf(1, as)).toEqual([newest.slice(0, 10), [courseId], totals])
    expect(await idsOf(2, as)).toEqual([newest.slice(10), [], totals])
    expect(await idsOf(3, as)).toEqual([[], [], totals])
    expect(await idsOf(1_000_000, as)).toEqual([[], [], totals])
  }
})

test('case and white space make no other tag, whatever characters it has', async () => {
  expect((await ask(' COF fee')).body.totals.lessons).toBe(12)
  for (const tag of ODD) {
    const { body } = await ask(tag)
    expect([tag, body.lessons.map(({ tags }) => tags)]).toEqual([tag, [[tag]]])
  }
})

test('deleted lessons and courses are found by no tag', async () => {
  const made = await app.publishCourse(bob, { title: 'Shown' })
  const [first] = made.lessons
  const tag = 'gone'
  await done(app, bob, `PATCH /lesson/${first?.id}`, formOf({ tags: tag }))
  expect((await ask(tag)).body.totals).toEqual({ lessons: 1, courses: 1 })
  await done(app, bob, `DELETE /course/${made.id}`)
  expect((await ask(tag)).body.totals).toEqual({ lessons: 1, courses: 0 })
  await done(app, bob, `DELETE /lesson/${first?.id}`)
  expect((await ask(tag)).body.totals).toEqual({ lessons: 0, courses: 0 })
})

test('the home page’s shelves are tags of popular lessons, with at least three lessons each', async () => {
  const shelves = () => done<TagShelf[]>(app, undefined, 'GET /home/tags')
  const found = await shelves()
  expect(found.map(({ tag }) => tag)).toEqual(expect.arrayContaining(['coffee', 'slow']))
  expect(found.length).toBeLessThanOrEqual(4)
  const coffee = found.find(({ tag }) => tag === 'coffee')
  expect(coffee?.lessons.map(({ id }) => id)).toEqual(lessons.toReversed())
  expect(coffee?.lessons[0]).toEqual({ id: lessons.at(-1), title: 'Brew 11' })
  const one = await app.publishLesson(bob, { title: 'One of few', tags: 'few' })
  expect((await shelves()).map(({ tag }) => tag)).not.toContain('few')
  await done(app, bob, `PATCH /lesson/${one.id}`, formOf({ tags: 'coffee' }))
  const again = (await shelves()).find(({ tag }) => tag === 'coffee')
  expect(again?.lessons[0]?.id).toBe(one.id)
})

test('shelves and lessons in the reader’s language come before others', async () => {
  const publish = async (title: string, description: string, tags: string) =>
    (await app.publishLesson(bob, { title, description, tags })).id
  const bulgarian = (tags: string) =>
    publish('Възли, които държат', 'Как се връзва въже, за да не се развърже', tags)
  const english = () => publish('Knots that hold', 'How to tie a rope so that it stays', 'rope')
  // The oldest with the tag, so that sorting by age would not put it first.
  const own = await bulgarian('въже,rope')
  const foreign = [await english(), await english(), await english(), await english()]
  await bulgarian('въже')
  await bulgarian('въже')
  const read = async (locale: string) => {
    const headers = { 'accept-language': locale }
    const { body } = await app.call<TagShelf[]>('GET', '/home/tags', { headers })
    const rope = body.find(({ tag }) => tag === 'rope')
    return {
      first: body.find(({ tag }) => tag === 'rope' || tag === 'въже')?.tag,
      rope: rope?.lessons.map(({ id }) => id),
    }
  }
  expect(await read('bg')).toEqual({
    first: 'въже',
    rope: [own, ...foreign.toReversed()],
  })
  expect(await read('en')).toEqual({
    first: 'rope',
    rope: [...foreign.toReversed(), own],
  })
})
