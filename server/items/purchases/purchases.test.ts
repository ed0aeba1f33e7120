import { afterAll, describe, expect, test } from 'vitest'
import type { CreatedCourse } from '#contract/courses.ts'
import type { Problem } from '#contract/errors.ts'
import type { Lesson } from '#contract/lessons.ts'
import type { ItemKind, Ledger } from '#contract/points.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { lockCourse, updateCourse } from '#server/items/courses/store.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { edit } from '#server/testing/learning/items.ts'
import { whileHolding } from '#server/testing/learning/waiting.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const ann = await app.signUp('ann')
afterAll(() => app.close())

const buyItem = (as: Person, kind: ItemKind, id: number, method = 'POST') =>
  app.call<Problem & { kbPoints: number }>(method, `/${kind}/buy/${id}`, { as })
const buy = (as: Person, id: number) => buyItem(as, 'course', id)
const buyLesson = (as: Person, id: number) => buyItem(as, 'lesson', id)
const ledger = (as: Person) => done<Ledger>(app, as, 'GET /identity/points')
const showLesson = (as: Person, id: number) => done<Lesson>(app, as, `GET /lesson/${id}`)
const firstOf = ({ lessons }: CreatedCourse): number => lessons[0]?.id ?? 0
const replaceLessons = (id: number, lessons: readonly number[]) =>
  edit(app, ann, ['course', id], { lessons })

let people = 0
async function rich(points: number): Promise<Person> {
  people += 1
  const person = await app.signUp(`rich${people}`)
  await app.give(person, points)
  return person
}

test('the cookie alone buys nothing', async () => {
  const bob = await rich(100)
  const { id } = await app.publishLesson(ann)
  const headers = { cookie: bob.cookie }
  expect((await app.call('GET', `/lesson/buy/${id}`, { headers })).status).toBe(401)
  expect((await ledger(bob)).kbPoints).toBe(100)
})

describe.each([
  { kind: 'lesson', price: 100, share: 10, words: 'Lesson not found or deleted (sorry)' },
  { kind: 'course', price: 500, share: 50, words: 'Course not found or deleted (sorry)' },
] as const)('a $kind', ({ kind, price, share, words }) => {
  const publish = () => (kind === 'lesson' ? app.publishLesson(ann) : app.publishCourse(ann))

  test('is not bought with one point too few, nor by its author or an administrator', async () => {
    const { id, kbPoints } = await publish()
    const almost = await rich(price - 1)
    const { status, body } = await buyItem(almost, kind, id)
    expect([status, body.title]).toEqual([400, "You don't have enough KBPoints"])
    expect(await ledger(almost)).toMatchObject({ kbPoints: price - 1, debt: 0 })
    const admin = await rich(price)
    await setRole(app.app.database.db, admin.session.username, 'administrator')
    for (const person of [ann, admin]) expect((await buyItem(person, kind, id)).status).toBe(409)
    expect((await ledger(ann)).kbPoints).toBe(kbPoints)
    expect((await ledger(admin)).kbPoints).toBe(price)
  })

  test('that is missing or deleted costs nothing', async () => {
    const { id } = await publish()
    await done(app, ann, `DELETE /${kind}/${id}`)
    const person = await rich(price)
    for (const gone of [id, 999_999]) {
      const { status, body } = await buyItem(person, kind, gone)
      expect([status, body.title]).toEqual([404, words])
    }
    expect((await ledger(person)).kbPoints).toBe(price)
  })

  test('that is bought already is refused and not charged again, even without points', async () => {
    const { id } = await publish()
    for (const left of [price, 0]) {
      const person = await rich(price + left)
      expect((await buyItem(person, kind, id)).body.kbPoints).toBe(left)
      const { status, body } = await buyItem(person, kind, id)
      expect([status, body.title]).toEqual([409, 'This is already yours.'])
      expect((await ledger(person)).kbPoints).toBe(left)
    }
  })

  test('opens by its purchase, which appears in both ledgers', async () => {
    const { id, title } = await publish()
    const before = (await ledger(ann)).kbPoints
    const person = await rich(price)
    const { status, body, headers } = await buyItem(person, kind, id, 'GET')
    expect([status, body, headers.get('cache-control')]).toEqual([200, { kbPoints: 0 }, 'no-store'])
    const shown = await done(app, person, `GET /${kind}/${id}`)
    expect(shown).toMatchObject({ bought: true, can: { see: true, buy: false } })
    expect((await ledger(person)).entries[0]).toMatchObject({
      amount: -price,
      reason: 'bought',
      balance: 0,
      item: { kind, id, title, gone: false },
    })
    expect((await ledger(ann)).kbPoints, 'with the share').toBe(before + share)
  })
})

test('a bought course opens its lessons, which its buyer can’t buy again, even after they left it', async () => {
  const own = await app.publishCourse(ann)
  const [early, late] = [await rich(600), await rich(600)]
  await buy(early, own.id)
  for (const { id } of own.lessons) {
    const lesson = await showLesson(early, id)
    expect([lesson.can.see, lesson.can.buy, lesson.bought]).toEqual([true, false, false])
  }
  const { status, body } = await buyLesson(early, firstOf(own))
  expect([status, body.title]).toEqual([409, 'This is already yours.'])
  expect((await ledger(early)).kbPoints).toBe(100)
  const others = own.lessons.slice(1).map(({ id }) => id)
  await replaceLessons(own.id, [...others, (await app.publishLesson(ann)).id])
  await buy(late, own.id)
  expect((await buyLesson(early, firstOf(own))).status).toBe(409)
  expect((await buyLesson(late, firstOf(own))).status).toBe(200)
})

test('the purchase keeps the price and the number of lessons', async () => {
  const own = await app.publishCourse(ann)
  const extra = [await app.publishLesson(ann), await app.publishLesson(ann)]
  await replaceLessons(
    own.id,
    [...own.lessons, ...extra].map(({ id }) => id),
  )
  const { pool } = app.app.database
  await pool.query('update courses set price = 321 where id = $1', [own.id])
  const finn = await rich(400)
  expect((await buy(finn, own.id)).body.kbPoints).toBe(79)
  const sale = await app.app.database.db
    .selectFrom('course_purchases')
    .select(['price', 'lessons', 'refunded'])
    .where('course_id', '=', own.id)
    .execute()
  expect(sale).toEqual([{ price: 321, lessons: 8, refunded: 0 }])
})

test('a purchase during an edit gets the edited course', async () => {
  const own = await app.publishCourse(ann)
  const extra = [await app.publishLesson(ann), await app.publishLesson(ann)]
  const early = await rich(500)
  const late = await rich(500)
  await buy(early, own.id)
  const [left = 0, ...kept] = own.lessons.map(({ id }) => id)
  const { db } = app.app.database
  const sale = await whileHolding(
    db,
    async (tx) => {
      const locked = await lockCourse(tx, own.id)
      if (locked === null) throw new Error('no course')
      const lessons = [...kept, ...extra.map(({ id }) => id)]
      const change = { lessons, pictureId: undefined, editedAt: new Date() }
      await updateCourse(tx, own.id, { ...locked, ...change })
    },
    () => buy(late, own.id),
  )
  expect(sale.status).toBe(200)
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
