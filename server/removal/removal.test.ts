import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Problem } from '#contract/errors.ts'
import type { LessonCard } from '#contract/lessons.schemas.ts'
import type { Ledger } from '#contract/points.schemas.ts'
import { statusesOf } from '#server/testing/answers.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'
import { setUser } from '#server/testing/rows.ts'

let app: TestApp
let ann: Person
let bob: Person
let admin: Person

beforeAll(async () => {
  app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
  ann = await app.signUp('ann')
  bob = await app.signUp('bob')
  admin = await app.signUp('admin')
  await setUser(app, admin, { role: 'administrator' })
})
afterAll(() => app.close())

const remove = (as: Person | undefined, id: number, query = '') =>
  app.call<Problem & { kbPoints: number }>('DELETE', `/lesson/${id}${query}`, { as })
const preview = (as: Person | undefined, id: number) =>
  app.call('GET', `/lesson/removal/${id}`, { as })
const buy = (as: Person, id: number) => app.call('POST', `/lesson/buy/${id}`, { as })
const ledger = async (as: Person) =>
  (await app.call<Ledger>('GET', '/identity/points', { as })).body

describe('refusals', () => {
  test('a missing lesson is 404', async () => {
    expect((await remove(ann, 999_999)).status).toBe(404)
    expect((await preview(ann, 999_999)).status).toBe(404)
  })
  test('a reason has 3 to 200 characters', async () => {
    const { id } = await app.publishLesson(ann)
    for (const query of ['?reason=ab', `?reason=${'r'.repeat(201)}`]) {
      const { status, body } = await remove(admin, id, query)
      expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['reason']])
    }
  })
  test('deleting twice takes back once', async () => {
    const { id, kbPoints } = await app.publishLesson(ann)
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(ann, id)))
    expect(statusesOf(answers)).toEqual([200, 404, 404, 404, 404])
    expect((await ledger(ann)).kbPoints).toBe(kbPoints - 100)
  })
})

test('the dialog tells beforehand what is taken back', async () => {
  const { id, kbPoints } = await app.publishLesson(ann)
  await app.earn(bob, 100)
  await buy(bob, id)
  expect((await preview(ann, id)).body).toEqual({
    buyers: 1,
    refund: 100,
    shares: 10,
    reward: 100,
    courses: [],
    kbPoints: kbPoints - 100,
    debt: 0,
  })
})

test('a deleted lesson is gone for everybody at once', async () => {
  const { id, title } = await app.publishLesson(ann)
  await app.earn(bob, 100)
  await buy(bob, id)
  await remove(ann, id)
  for (const as of [undefined, ann, bob, admin])
    expect((await app.call('GET', `/lesson/${id}`, { as })).status).toBe(404)
  for (const path of [
    '/lesson/all',
    `/lesson/all?page=1&search=${encodeURIComponent(title)}`,
    '/lesson/bought',
    '/lesson/yours',
    '/lesson/popular',
    '/lesson/newest',
  ]) {
    const { body } = await app.call<LessonCard[]>('GET', path, { as: bob })
    expect(body.map((card) => card.id)).not.toContain(id)
  }
  expect((await app.call('PATCH', `/lesson/${id}`, { as: ann, form: new FormData() })).status).toBe(
    404,
  )
  expect((await buy(bob, id)).status).toBe(404)
})

test('reward and prices go back exactly, with their reasons', async () => {
  const before = (await ledger(ann)).kbPoints
  const { id } = await app.publishLesson(ann)
  await app.earn(bob, 100)
  const buyerBefore = (await ledger(bob)).kbPoints
  await buy(bob, id)
  expect((await remove(ann, id)).body).toEqual({ kbPoints: before })
  expect((await ledger(ann)).entries[0]).toMatchObject({
    amount: -100,
    reason: 'rewardWithdrawn',
    item: { id, gone: true },
  })
  expect((await ledger(bob)).kbPoints).toBe(buyerBefore)
  expect((await ledger(bob)).entries[0]).toMatchObject({
    amount: 100,
    reason: 'refunded',
    item: { id, gone: true },
  })
})

test('a reward that is spent becomes debt', async () => {
  const carl = await app.signUp('carl')
  const { id } = await app.publishLesson(carl)
  await buy(carl, (await app.publishLesson(ann)).id)
  expect((await preview(carl, id)).body).toMatchObject({ kbPoints: 0, debt: 100 })
  expect((await remove(carl, id)).body).toEqual({ kbPoints: 0 })
  expect(await ledger(carl)).toMatchObject({ kbPoints: 0, debt: 100 })
  await app.publishLesson(carl)
  expect(await ledger(carl)).toMatchObject({ kbPoints: 0, debt: 0 })
})

test('a lesson without a reward takes nothing back', async () => {
  const dora = await app.signUp('dora')
  const first = await app.publishLesson(dora)
  const second = await app.publishLesson(dora, { video: first.video })
  expect((await preview(dora, second.id)).body).toMatchObject({ reward: 0, kbPoints: 100 })
  expect((await remove(dora, second.id)).body).toEqual({ kbPoints: 100 })
})

test('the owner reads the reason of an administrator', async () => {
  const { id } = await app.publishLesson(ann)
  expect((await remove(admin, id, '?reason=Copied%20from%20a%20book')).status).toBe(200)
  const { entries } = await ledger(ann)
  expect(entries.slice(0, 2)).toMatchObject([
    {
      amount: 0,
      reason: 'deletedByAdministrator',
      note: 'Copied from a book',
      item: { id, gone: true },
    },
    { amount: -100, reason: 'rewardWithdrawn' },
  ])
})

test('who buys while it is deleted pays nothing in the end', async () => {
  const buyers = await Promise.all(['b1', 'b2', 'b3', 'b4', 'b5'].map((name) => app.signUp(name)))
  for (const buyer of buyers) await app.earn(buyer, 200)
  for (let round = 0; round < 4; round++) {
    const { id } = await app.publishLesson(ann)
    const answers = await Promise.all([
      ...buyers.slice(0, 3).map((buyer) => buy(buyer, id)),
      remove(ann, id),
      ...buyers.slice(3).map((buyer) => buy(buyer, id)),
    ])
    expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true)
    for (const buyer of buyers) expect((await ledger(buyer)).kbPoints).toBe(200)
  }
})

test('owners who bought from each other delete at once', async () => {
  const pair = await Promise.all(['p1', 'p2'].map((name) => app.signUp(name)))
  const [one, two] = pair
  if (one === undefined || two === undefined) throw new Error('no pair')
  for (let round = 0; round < 5; round++) {
    const [ofOne, ofTwo] = [await app.publishLesson(one), await app.publishLesson(two)]
    await Promise.all([buy(one, ofTwo.id), buy(two, ofOne.id)])
    const answers = await Promise.all([remove(one, ofOne.id), remove(two, ofTwo.id)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    for (const person of pair) expect(await ledger(person)).toMatchObject({ kbPoints: 0, debt: 0 })
  }
})
