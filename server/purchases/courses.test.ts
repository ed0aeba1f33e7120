import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { Course, CreatedCourse } from '#contract/courses.ts'
import type { Problem } from '#contract/errors.ts'
import type { Lesson } from '#contract/lessons.ts'
import type { Ledger } from '#contract/points.ts'
import { lockCourse, updateCourse } from '#server/courses/store.ts'
import type { Tx } from '#server/db/connect.ts'
import { courseForm, createTestApp, type Person } from '#server/testing/app.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, poor } = await signUpAll(app, 'ann', 'poor')
const course = await app.publishCourse(ann)
afterAll(() => app.close())

const buy = (as: Person | undefined, id: number, method = 'POST') =>
  app.call<Problem & { kbPoints: number }>(method, `/course/buy/${id}`, { as })
const buyLesson = (as: Person, id: number) =>
  app.call<Problem & { kbPoints: number }>('POST', `/lesson/buy/${id}`, { as })
const ledger = async (as: Person) =>
  (await app.call<Ledger>('GET', '/identity/points', { as })).body
const showLesson = async (as: Person | undefined, id: number) =>
  (await app.call<Lesson>('GET', `/lesson/${id}`, { as })).body

async function rich(name: string, points: number): Promise<Person> {
  const person = await app.signUp(name)
  await app.give(person, points)
  return person
}

const firstOf = ({ lessons }: CreatedCourse): number => lessons[0]?.id ?? 0

async function replaceLessons(id: number, lessons: readonly number[]): Promise<void> {
  const form = await courseForm({ lessons })
  form.delete('image')
  const { status } = await app.call('PATCH', `/course/${id}`, { as: ann, form })
  expect(status).toBe(200)
}

describe('refusals', () => {
  test('a guest is told to log in, by GET too', async () => {
    expect((await buy(undefined, course.id)).status).toBe(401)
    expect((await buy(undefined, course.id, 'GET')).status).toBe(401)
  })
  test('one point too few is too few', async () => {
    const almost = await rich('almost', 499)
    const { status, body } = await buy(almost, course.id)
    expect([status, body.title]).toEqual([400, "You don't have enough KBPoints"])
    expect(await ledger(almost)).toMatchObject({ kbPoints: 499, debt: 0 })
  })
  test('what one made is not bought', async () => {
    const { status, body } = await buy(ann, course.id)
    expect([status, body.kbPoints]).toEqual([409, undefined])
  })
  test('an administrator needs no purchase', async () => {
    const admin = await rich('admin', 500)
    await app.app.database.db
      .updateTable('users')
      .set({ role: 'administrator' })
      .where('username', '=', 'admin')
      .execute()
    expect((await buy(admin, course.id)).status).toBe(409)
    expect((await ledger(admin)).kbPoints).toBe(500)
  })
  test('what is bought is not charged again', async () => {
    const carl = await rich('carl', 1000)
    expect((await buy(carl, course.id)).body.kbPoints).toBe(500)
    const { status, body } = await buy(carl, course.id)
    expect([status, body.title]).toEqual([409, 'This is already yours.'])
    expect((await ledger(carl)).kbPoints).toBe(500)
  })
  test('a missing course costs nothing, a deleted one neither', async () => {
    const { status, body } = await buy(poor, 999_999)
    expect([status, body.title]).toEqual([404, 'Course not found or deleted (sorry)'])
    const gone = await app.publishCourse(ann)
    const dan = await rich('dan', 500)
    await app.call('DELETE', `/course/${gone.id}`, { as: ann })
    expect((await buy(dan, gone.id)).status).toBe(404)
    expect((await ledger(dan)).kbPoints).toBe(500)
  })
  test('a lesson of a bought course is not sold', async () => {
    const dora = await rich('dora', 700)
    await buy(dora, course.id)
    const { status, body } = await buyLesson(dora, firstOf(course))
    expect([status, body.title]).toEqual([409, 'This is already yours.'])
    expect((await ledger(dora)).kbPoints).toBe(200)
  })
  test('nor is one that left the course since', async () => {
    const own = await app.publishCourse(ann)
    const early = await rich('early', 600)
    await buy(early, own.id)
    const others = own.lessons.slice(1).map(({ id }) => id)
    await replaceLessons(own.id, [...others, (await app.publishLesson(ann)).id])
    const late = await rich('late', 600)
    await buy(late, own.id)
    expect((await buyLesson(early, firstOf(own))).status).toBe(409)
    expect((await buyLesson(late, firstOf(own))).status).toBe(200)
  })
})

test('a purchase opens the lessons and stands in the ledger', async () => {
  const eve = await rich('eve', 500)
  const sellerBefore = (await ledger(ann)).kbPoints
  const { status, body, headers } = await buy(eve, course.id, 'GET')
  expect([status, body, headers.get('cache-control')]).toEqual([200, { kbPoints: 0 }, 'no-store'])
  for (const { id } of course.lessons) {
    const lesson = await showLesson(eve, id)
    expect([lesson.can.see, lesson.can.buy, lesson.bought]).toEqual([true, false, false])
  }
  const shown = await app.call<Course>('GET', `/course/${course.id}`, { as: eve })
  expect(shown.body).toMatchObject({ bought: true, can: { see: true, buy: false } })
  expect((await ledger(eve)).entries[0]).toMatchObject({
    amount: -500,
    reason: 'bought',
    balance: 0,
    item: { kind: 'course', id: course.id, title: course.title, gone: false },
  })
  expect((await ledger(ann)).kbPoints, 'with the share').toBe(sellerBefore + 50)
})

test('the purchase keeps the price and the number of lessons', async () => {
  const own = await app.publishCourse(ann)
  const extra = [await app.publishLesson(ann), await app.publishLesson(ann)]
  await replaceLessons(
    own.id,
    [...own.lessons, ...extra].map(({ id }) => id),
  )
  await app.app.database.db
    .updateTable('courses')
    .set({ price: 321 })
    .where('id', '=', own.id)
    .execute()
  const finn = await rich('finn', 400)
  expect((await buy(finn, own.id)).body.kbPoints).toBe(79)
  const sale = await app.app.database.db
    .selectFrom('course_purchases')
    .select(['price', 'lessons', 'refunded'])
    .where('course_id', '=', own.id)
    .execute()
  expect(sale).toEqual([{ price: 321, lessons: 8, refunded: 0 }])
})

test('of 200 purchases at once with the points for one, one is made', async () => {
  const fay = await rich('fay', 500)
  const courses = [course, await app.publishCourse(ann), await app.publishCourse(ann)]
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      buy(fay, courses[n % 3]?.id ?? 0, n % 2 === 0 ? 'POST' : 'GET'),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.every(({ status }) => [200, 400, 409].includes(status))).toBe(true)
  const { kbPoints, debt, entries } = await ledger(fay)
  expect([kbPoints, debt, entries.filter(({ reason }) => reason === 'bought').length]).toEqual([
    0, 0, 1,
  ])
})

test('a double click on one course charges once', async () => {
  const gus = await rich('gus', 5000)
  const answers = await Promise.all(Array.from({ length: 200 }, () => buy(gus, course.id)))
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200,
    ...Array<number>(199).fill(409),
  ])
  expect((await ledger(gus)).kbPoints).toBe(4500)
})

test('a course and its lessons at once never overdraw', async () => {
  const people = await Promise.all(
    Array.from({ length: 5 }, (_, place) => rich(`hal${place}`, 600)),
  )
  for (const person of people) {
    const answers = await Promise.all([
      ...course.lessons.slice(0, 3).map(({ id }) => buyLesson(person, id)),
      buy(person, course.id),
      ...course.lessons.slice(3).map(({ id }) => buyLesson(person, id)),
    ])
    expect(answers.every(({ status }) => [200, 400, 409].includes(status))).toBe(true)
    const { kbPoints, debt, entries } = await ledger(person)
    const spent = entries.filter(({ reason }) => reason === 'bought')
    expect(debt).toBe(0)
    expect(kbPoints).toBe(600 + spent.reduce((sum, { amount }) => sum + amount, 0))
  }
})

test('who buys while it is edited holds what is there after it', async () => {
  const own = await app.publishCourse(ann)
  const extra = [await app.publishLesson(ann), await app.publishLesson(ann)]
  const early = await rich('ida', 500)
  const late = await rich('ivo', 500)
  await buy(early, own.id)
  const [left = 0, ...kept] = own.lessons.map(({ id }) => id)
  const { db } = app.app.database
  const sale = await db.transaction().execute(async (tx) => {
    const locked = await lockCourse(tx, own.id)
    if (locked === null) throw new Error('no course')
    const waiting = buy(late, own.id)
    await someoneWaits(tx)
    const lessons = [...kept, ...extra.map(({ id }) => id)]
    await updateCourse(tx, own.id, {
      ...locked,
      lessons,
      pictureId: undefined,
      editedAt: new Date(),
    })
    return { waiting }
  })
  expect((await sale.waiting).status).toBe(200)
  const sales = await db
    .selectFrom('course_purchases')
    .select(['user_id', 'lessons'])
    .where('course_id', '=', own.id)
    .orderBy('id')
    .execute()
  expect(sales).toEqual([
    { user_id: early.session._id, lessons: 6 },
    { user_id: late.session._id, lessons: 7 },
  ])
  expect((await showLesson(early, left)).can.see).toBe(true)
  expect((await showLesson(late, left)).can.see).toBe(false)
})

/** Resolves when another connection waits for a lock that this transaction holds. */
async function someoneWaits(tx: Tx): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*) as waiting from pg_stat_activity
      where datname = current_database() and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(
      tx,
    )
    if ((rows[0]?.waiting ?? 0) > 0) return
    await setTimeout(10)
  }
  throw new Error('nobody waits')
}
