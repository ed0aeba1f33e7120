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

describe('refusals', () => {
  test('progress in a locked lesson is not stored', async () => {
    const { id } = await app.publishLesson(ann)
    expect((await put(bob, id, { seconds: 1, done: true })).status).toBe(403)
    expect(await read(bob, id)).toEqual([])
  })
  test('a lesson that is missing or deleted has none', async () => {
    const { id } = await app.publishLesson(ann)
    await done(app, ann, `DELETE /lesson/${id}`)
    for (const gone of [id, 999_999_999])
      expect((await put(ann, gone, { opened: true })).status).toBe(404)
  })
  test('invalid places, marks and ages are refused at their fields', async () => {
    const id = await bought(bob)
    for (const [field, value] of [
      ['seconds', -1],
      ['seconds', '12'],
      ['seconds', null],
      ['furthest', -0.5],
      ['length', []],
      ['opened', 'yes'],
      ['done', 1],
      ['ago', -1],
      ['ago', 1e15],
    ] as const) {
      const { status, body } = await put(bob, id, { opened: true, [field]: value })
      expect([field, status, Object.keys(body.errors ?? {})]).toEqual([field, 400, [field]])
    }
    expect((await put(bob, id, {})).status).toBe(400)

    expect(await read(bob, id)).toEqual([])
  })
})

test('a request for no lesson, or for more than a hundred, is refused', async () => {
  const many = Array.from({ length: 101 }, (_, n) => `lesson=${n + 1}`).join('&')
  for (const query of ['', many])
    expect((await app.call('GET', `/progress?${query}`, { as: bob })).status).toBe(400)
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
})

test('going back changes the place but not the furthest second', async () => {
  const id = await bought(bob)
  await report(bob, id, { seconds: 600, length: 1200 })
  await report(bob, id, { seconds: 60, length: 1200 })
  expect(await read(bob, id)).toMatchObject([{ seconds: 60, furthest: 600 }])
})

test('a place beyond the end of the video becomes its end', async () => {
  const id = await bought(bob)
  await report(bob, id, { seconds: 5000, furthest: 9000, length: 1200 })
  expect(await read(bob, id)).toMatchObject([{ seconds: 1200, furthest: 1200, done: true }])
  const other = await bought(bob)
  await report(bob, other, { seconds: 1e300 })
  expect(await read(bob, other)).toMatchObject([{ seconds: 86_400, length: 0, done: false }])
})

test('a late report does not undo newer ones', async () => {
  const id = await bought(bob)
  await report(bob, id, { seconds: 700, length: 1200, done: true })
  await report(bob, id, { seconds: 900, length: 1200, done: false, opened: true, ago: 60_000 })
  expect(await read(bob, id)).toMatchObject([
    { seconds: 700, furthest: 900, opened: true, done: true },
  ])
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

test('buyers of its course, its author and readers of a free preview may report progress', async () => {
  const course = await app.publishCourse(ann)
  const [free = { id: 0 }, part = { id: 0 }] = course.lessons
  await done(app, ann, `PATCH /course/${course.id}`, formOf({ freePreview: `${free.id}` }))
  const cleo = await app.signUp('cleo')
  await report(cleo, free.id, { opened: true })
  expect((await put(cleo, part.id, { opened: true })).status).toBe(403)
  await buy(cleo, course.id, 'course')
  await report(cleo, part.id, { opened: true })
  await report(ann, part.id, { opened: true })
})

describe('what one goes on with', () => {
  test('is empty for people who have nothing', async () => {
    const nobody = await app.signUp('nobody')
    expect(await continueOf(nobody)).toEqual([])
  })
  test('has begun items first, the last one on top, then unlocked ones, then finished ones', async () => {
    const dan = await app.signUp('dan')
    const [done, begun, unlocked, last] = [
      await bought(dan),
      await bought(dan),
      await bought(dan),
      await bought(dan),
    ]
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
    const mark = async (id: string) => {
      await done(app, ann, `PATCH /course/${free.id}`, formOf({ freePreview: id }))
    }
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
  const ids = async (as: Person, kind: string, query = '') => {
    const { status, body } = await app.call<{ id: number }[]>('GET', `/${kind}/bought${query}`, {
      as,
    })
    expect(status).toBe(200)
    return body.map(({ id }) => id)
  }
  test('of lessons has the last one first, then those never opened by their purchase', async () => {
    const hal = await app.signUp('hal')
    const [one, two, three, four] = [
      await bought(hal),
      await bought(hal),
      await bought(hal),
      await bought(hal),
    ]
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
