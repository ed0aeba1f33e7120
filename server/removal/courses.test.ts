import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Course, CourseCard, CreatedCourse } from '#contract/courses.schemas.ts'
import type { Problem } from '#contract/errors.ts'
import type { Lesson } from '#contract/lessons.schemas.ts'
import type { Ledger } from '#contract/points.schemas.ts'
import { courseForm, createTestApp, type Person, type TestApp } from '#server/testing/app.ts'

let app: TestApp
let ann: Person
let bob: Person
let admin: Person

beforeAll(async () => {
  app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
  ann = await app.signUp('ann')
  bob = await rich('bob', 10_000)
  admin = await app.signUp('admin')
  await app.app.database.db
    .updateTable('users')
    .set({ role: 'administrator' })
    .where('username', '=', 'admin')
    .execute()
})
afterAll(() => app.close())

async function rich(name: string, points: number): Promise<Person> {
  const person = await app.signUp(name)
  await app.give(person, points)
  return person
}

const course = {
  remove: (as: Person | undefined, id: number, query = '') =>
    app.call<Problem & { kbPoints: number }>('DELETE', `/course/${id}${query}`, { as }),
  preview: (as: Person | undefined, id: number) =>
    app.call<Problem>('GET', `/course/removal/${id}`, { as }),
  buy: (as: Person, id: number) => app.call('POST', `/course/buy/${id}`, { as }),
}
const ledger = async (as: Person) =>
  (await app.call<Ledger>('GET', '/identity/points', { as })).body
const pointsOf = async (as: Person) => (await ledger(as)).kbPoints
const show = async (as: Person | undefined, id: number) =>
  (await app.call<Course>('GET', `/course/${id}`, { as })).body
const maySee = async (as: Person | undefined, id: number) =>
  (await app.call<Lesson>('GET', `/lesson/${id}`, { as })).body.can.see

const idsOf = ({ lessons }: CreatedCourse) => lessons.map(({ id }) => id)
const firstOf = (made: CreatedCourse) => idsOf(made)[0] ?? 0

async function edit(
  id: number,
  change: Parameters<typeof courseForm>[0],
  as: Person = ann,
): Promise<void> {
  const form = await courseForm(change)
  form.delete('image')
  if (change?.lessons === undefined) form.delete('lessons')
  const { status, body } = await app.call('PATCH', `/course/${id}`, { as, form })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

describe('refusals', () => {
  test('a guest is told to log in', async () => {
    expect((await course.remove(undefined, 1)).status).toBe(401)
    expect((await course.preview(undefined, 1)).status).toBe(401)
  })
  test('nobody deletes what others made, nor sees their points', async () => {
    const { id } = await app.publishCourse(ann)
    expect((await course.remove(bob, id)).status).toBe(403)
    expect((await course.preview(bob, id)).status).toBe(403)
    expect((await show(undefined, id)).id).toBe(id)
  })
  test('a missing course is 404', async () => {
    const { status, body } = await course.remove(ann, 999_999)
    expect([status, body.title]).toEqual([404, 'Course not found or deleted (sorry)'])
    expect((await course.preview(ann, 999_999)).status).toBe(404)
  })
  test('a reason has 3 to 200 characters', async () => {
    const { id } = await app.publishCourse(ann)
    for (const query of ['?reason=ab', `?reason=${'r'.repeat(201)}`]) {
      const { status, body } = await course.remove(admin, id, query)
      expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['reason']])
    }
  })
})

describe('a deleted course', () => {
  test('is told of beforehand', async () => {
    const made = await app.publishCourse(ann)
    await course.buy(bob, made.id)
    expect((await course.preview(ann, made.id)).body).toEqual({
      buyers: 1,
      refund: 500,
      shares: 50,
      reward: 500,
      kbPoints: made.kbPoints - 500,
      debt: 0,
    })
  })
  test('is gone for everybody at once, its lessons stay', async () => {
    const made = await app.publishCourse(ann)
    await course.buy(bob, made.id)
    await edit(made.id, { freePreview: firstOf(made) })
    expect(await maySee(undefined, firstOf(made))).toBe(true)
    await course.remove(ann, made.id)
    for (const as of [undefined, ann, bob, admin])
      expect((await app.call('GET', `/course/${made.id}`, { as })).status).toBe(404)
    for (const path of ['/course/all', '/course/bought', '/course/yours', '/course/highest']) {
      const { body } = await app.call<CourseCard[]>('GET', path, { as: bob })
      expect(body.map((card) => card.id)).not.toContain(made.id)
    }
    for (const id of idsOf(made)) {
      expect(await maySee(bob, id)).toBe(false)
      expect(await maySee(undefined, id)).toBe(false)
      expect(await maySee(ann, id)).toBe(true)
    }
    expect((await course.buy(bob, made.id)).status).toBe(404)
  })
  test('gives price and reward back, with their reasons', async () => {
    const made = await app.publishCourse(ann)
    const before = await pointsOf(bob)
    await course.buy(bob, made.id)
    expect((await course.remove(ann, made.id)).body).toEqual({ kbPoints: made.kbPoints - 500 })
    const item = { kind: 'course', id: made.id, title: made.title, gone: true }
    expect((await ledger(ann)).entries[0]).toMatchObject({
      amount: -500,
      reason: 'rewardWithdrawn',
      item,
    })
    expect(await pointsOf(bob)).toBe(before)
    expect((await ledger(bob)).entries[0]).toMatchObject({ amount: 500, reason: 'refunded', item })
    // Its lessons count for the next course.
    expect((await app.publishCourse(ann, { lessons: idsOf(made) })).rewarded).toBe(true)
  })
  test('is deleted once', async () => {
    const made = await app.publishCourse(ann)
    const before = await pointsOf(bob)
    await course.buy(bob, made.id)
    const answers = await Promise.all(Array.from({ length: 5 }, () => course.remove(ann, made.id)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 404, 404, 404, 404,
    ])
    expect(await pointsOf(ann)).toBe(made.kbPoints - 500)
    expect(await pointsOf(bob)).toBe(before)
  })
  test("tells the owner an administrator's reason", async () => {
    const { id } = await app.publishCourse(ann)
    expect((await course.remove(admin, id, '?reason=Copied%20from%20a%20book')).status).toBe(200)
    expect((await ledger(ann)).entries[0]).toMatchObject({
      amount: 0,
      reason: 'deletedByAdministrator',
      note: 'Copied from a book',
      item: { kind: 'course', id, gone: true },
    })
  })
  test('costs nobody who buys it meanwhile', async () => {
    const buyers = await Promise.all(['c1', 'c2', 'c3', 'c4'].map((name) => rich(name, 500)))
    for (let round = 0; round < 3; round += 1) {
      const { id } = await app.publishCourse(ann)
      const answers = await Promise.all([
        ...buyers.slice(0, 2).map((buyer) => course.buy(buyer, id)),
        course.remove(ann, id),
        ...buyers.slice(2).map((buyer) => course.buy(buyer, id)),
      ])
      expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true)
      for (const buyer of buyers) expect(await pointsOf(buyer)).toBe(500)
    }
  })
})
