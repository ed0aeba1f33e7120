import { afterAll, describe, expect, test } from 'vitest'
import type { Problem } from '#contract/errors.ts'
import type { ContinueItem, LessonProgress } from '#contract/progress.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '5000' })
const { ann, bob } = await signUpAll(app, 'ann', 'bob')
afterAll(() => app.close())

const put = (as: Person, lesson: number, json: unknown) =>
  app.call<Problem>('PUT', `/progress/${lesson}`, { as, json })
const report = (as: Person, lesson: number, json: unknown) =>
  done(app, as, `PUT /progress/${lesson}`, json)
const read = (as: Person, ...lessons: number[]) =>
  done<LessonProgress[]>(app, as, `GET /progress?${lessons.map((id) => `lesson=${id}`).join('&')}`)
const continueOf = (as: Person) => done<ContinueItem[]>(app, as, 'GET /progress/continue')
const buy = (as: Person, id: number, kind = 'lesson') => done(app, as, `POST /${kind}/buy/${id}`)
const bought = async (as: Person) => {
  const { id } = await app.publishLesson(ann)
  await buy(as, id)
  return id
}

test('a lesson that is missing or deleted has none, and a report says something', async () => {
  const { id } = await app.publishLesson(ann)
  expect((await put(ann, id, {})).status).toBe(400)
  await done(app, ann, `DELETE /lesson/${id}`)
  for (const gone of [id, 999_999_999])
    expect((await put(ann, gone, { opened: true })).status).toBe(404)
})

test('a late report makes a lesson done when it arrives; one that was done before keeps its date', async () => {
  const id = await bought(bob)
  const ago = 3 * 24 * 60 * 60 * 1000
  await report(bob, id, { seconds: 600, length: 600, ago })
  const { pool } = app.app.database
  const daysAgo = async () => {
    const { rows } = await pool.query<{ days: number }>(
      `select round(extract(epoch from now() - done_at) / 86400)::int as days from lesson_progress where lesson_id = $1`,
      [id],
    )
    return rows[0]?.days
  }
  expect(await daysAgo()).toBe(0)
  // As on a row from before the column existed.
  await pool.query('update lesson_progress set done_at = null where lesson_id = $1', [id])
  await report(bob, id, { seconds: 10, length: 600 })
  expect(await daysAgo()).toBe(3)
})

test('each person gets their own progress back', async () => {
  const id = await bought(bob)
  await report(bob, id, { seconds: 380.9, length: 1200.4 })
  const [known] = await read(bob, id, 999_999_999)
  expect(known).toMatchObject({
    lesson: id,
    seconds: 380,
    length: 1200,
    furthest: 380,
    opened: false,
    done: false,
  })
  expect(Math.abs(Date.now() - Date.parse(known?.date ?? ''))).toBeLessThan(60_000)
  expect(await read(ann, id)).toEqual([])
  // No video is longer than a day.
  const other = await bought(bob)
  await report(bob, other, { seconds: 1e300 })
  expect(await read(bob, other)).toMatchObject([{ seconds: 86_400, length: 0, done: false }])
})

test('the last twentieth ends a lesson, unless its person says otherwise', async () => {
  const id = await bought(bob)
  const isDone = async () => (await read(bob, id))[0]?.done
  await report(bob, id, { seconds: 949, length: 1000 })
  expect(await isDone()).toBe(false)
  await report(bob, id, { seconds: 950, length: 1000 })
  expect(await isDone()).toBe(true)
  await report(bob, id, { done: false })
  await report(bob, id, { seconds: 1000, length: 1000 })
  expect(await isDone()).toBe(false)
  await report(bob, id, { done: true })
  expect(await isDone()).toBe(true)
})

describe('what one goes on with', () => {
  test('has begun items first, the last one on top, then unlocked ones, then finished ones', async () => {
    const dan = await app.signUp('dan')
    const made: number[] = []
    while (made.length < 4) made.push(await bought(dan))
    const [done = 0, begun = 0, unlocked = 0, last = 0] = made
    await report(dan, begun, { seconds: 760, length: 1200 })
    await report(dan, last, { seconds: 30, length: 600 })
    await report(dan, done, { done: true })
    const items = await continueOf(dan)
    expect(items.map(({ id }) => id)).toEqual([last, begun, unlocked, done])
    expect(items[1]).toMatchObject({ kind: 'lesson', seconds: 760, length: 1200, done: [] })
    expect(items[2]).toMatchObject({ opened: null, date: expect.any(String) })
    expect(items[3]).toMatchObject({ done: [done] })
    await report(dan, begun, { opened: true })
    expect((await continueOf(dan)).map(({ id }) => id)).toEqual([begun, last, unlocked, done])
  })
  test('of a course are its lessons, those done, and the one to go on with', async () => {
    const eve = await app.signUp('eve')
    const course = await app.publishCourse(ann)
    const ids = course.lessons.map(({ id }) => id)
    const [one = 0, two = 0, three = 0] = ids
    await buy(eve, course.id, 'course')
    expect(await continueOf(eve)).toMatchObject([
      { kind: 'course', id: course.id, lessons: ids, done: [], next: one, opened: null },
    ])
    await report(eve, one, { done: true })
    await report(eve, three, { seconds: 20, length: 600 })
    expect(await continueOf(eve)).toMatchObject([{ done: [one], next: three }])
    await report(eve, three, { done: true })
    const [item] = await continueOf(eve)
    expect(item).toMatchObject({ done: [one, three], next: two, seconds: 0 })
    for (const id of ids) await report(eve, id, { done: true })
    expect(await continueOf(eve)).toMatchObject([{ done: ids }])
  })
  test('has no own, locked or deleted items', async () => {
    const fay = await app.signUp('fay')
    const own = await app.publishLesson(fay)
    await report(fay, own.id, { opened: true })
    const gone = await bought(fay)
    await report(fay, gone, { opened: true })
    await done(app, ann, `DELETE /lesson/${gone}`)
    expect(await continueOf(fay)).toEqual([])
    const free = await app.publishCourse(ann)
    const [preview = { id: 0 }] = free.lessons
    const mark = (freePreview: string) =>
      done(app, ann, `PATCH /course/${free.id}`, formOf({ freePreview }))
    await mark(`${preview.id}`)
    await report(fay, preview.id, { seconds: 9, length: 90 })
    expect(await continueOf(fay)).toMatchObject([{ kind: 'lesson', id: preview.id, seconds: 9 }])
    await mark('')
    expect(await continueOf(fay)).toEqual([])
  })
  test('has at most eight items', async () => {
    const gus = await app.signUp('gus')
    for (let n = 0; n < 9; n += 1) await report(gus, await bought(gus), { opened: true })
    expect(await continueOf(gus)).toHaveLength(8)
  })
})

describe('what one has, by when it was opened last', () => {
  const ids = async (as: Person, kind: string, query = '') =>
    (await done<{ id: number }[]>(app, as, `GET /${kind}/bought${query}`)).map(({ id }) => id)
  test('of lessons has the last one first, then those never opened by their purchase', async () => {
    const hal = await app.signUp('hal')
    const made: number[] = []
    while (made.length < 4) made.push(await bought(hal))
    const [one = 0, two = 0, three = 0, four = 0] = made
    await report(hal, two, { opened: true, ago: 60_000 })
    await report(hal, one, { seconds: 5, length: 60, ago: 1000 })
    expect(await ids(hal, 'lesson')).toEqual([four, three, two, one])
    expect(await ids(hal, 'lesson', '?sort=opened')).toEqual([one, two, four, three])
    expect(await ids(hal, 'lesson', '?sort=opened&page=2')).toEqual([])
  })
  test('of courses goes by their lessons', async () => {
    const ida = await app.signUp('ida')
    const older = await app.publishCourse(ann)
    const newer = await app.publishCourse(ann)
    for (const { id } of [older, newer]) await buy(ida, id, 'course')
    expect(await ids(ida, 'course')).toEqual([newer.id, older.id])
    await report(ida, older.lessons[1]?.id ?? 0, { opened: true })
    expect(await ids(ida, 'course', '?sort=opened')).toEqual([older.id, newer.id])
  })
})
