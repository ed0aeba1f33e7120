import { afterAll, describe, expect, test } from 'vitest'
import type { Problem } from '#contract/errors.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import type { Ledger } from '#contract/points.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, poor } = await signUpAll(app, 'ann', 'poor')
afterAll(() => app.close())

const buy = (as: Person | undefined, id: number, method = 'POST') =>
  app.call<Problem & { kbPoints: number }>(method, `/lesson/buy/${id}`, { as })
const ledger = async (as: Person) =>
  (await app.call<Ledger>('GET', '/identity/points', { as })).body
async function rich(name: string, points: number): Promise<Person> {
  const person = await app.signUp(name)
  await app.earn(person, points)
  return person
}

describe('refusals', () => {
  test('a guest is told to log in, by GET too', async () => {
    const { id } = await app.publishLesson(ann)
    expect((await buy(undefined, id)).status).toBe(401)
    expect((await buy(undefined, id, 'GET')).status).toBe(401)
  })
  test('the cookie alone buys nothing', async () => {
    const bob = await rich('bob', 100)
    const { id } = await app.publishLesson(ann)
    expect(
      (await app.call('GET', `/lesson/buy/${id}`, { headers: { cookie: bob.cookie } })).status,
    ).toBe(401)
    expect((await ledger(bob)).kbPoints).toBe(100)
  })
  test('too few points are said in the words of the spec', async () => {
    const { id } = await app.publishLesson(ann)
    const { status, body } = await buy(poor, id)
    expect([status, body.title]).toEqual([400, "You don't have enough KBPoints"])
  })
  test('one point too few is too few', async () => {
    const almost = await rich('almost', 100)
    await app.app.database.db
      .updateTable('point_balances')
      .set({ net: 99 })
      .where('user_id', '=', almost.session._id)
      .execute()
    expect((await buy(almost, (await app.publishLesson(ann)).id)).status).toBe(400)
  })
  test('what one made is not bought', async () => {
    const { id, kbPoints } = await app.publishLesson(ann)
    expect((await buy(ann, id)).status).toBe(409)
    expect((await ledger(ann)).kbPoints).toBe(kbPoints)
  })
  test('an administrator needs no purchase', async () => {
    const admin = await rich('admin', 100)
    await app.app.database.db
      .updateTable('users')
      .set({ role: 'administrator' })
      .where('username', '=', 'admin')
      .execute()
    expect((await buy(admin, (await app.publishLesson(ann)).id)).status).toBe(409)
    expect((await ledger(admin)).kbPoints).toBe(100)
  })
  test('what is bought is not charged again', async () => {
    const carl = await rich('carl', 300)
    const { id } = await app.publishLesson(ann)
    expect((await buy(carl, id)).body.kbPoints).toBe(200)
    const { status, body } = await buy(carl, id)
    expect([status, body.title]).toEqual([409, 'This is already yours.'])
    expect((await ledger(carl)).kbPoints).toBe(200)
  })
  test('what is bought is said so, even without points', async () => {
    const dora = await rich('dora', 100)
    const { id } = await app.publishLesson(ann)
    await buy(dora, id)
    expect((await buy(dora, id)).status).toBe(409)
  })
  test('a missing lesson costs nothing', async () => {
    const { status, body } = await buy(poor, 999_999)
    expect([status, body.title]).toEqual([404, 'Lesson not found or deleted (sorry)'])
  })
})

test('a purchase opens the lesson and stands in the ledger', async () => {
  const eve = await rich('eve', 100)
  const lesson = await app.publishLesson(ann)
  const sellerBefore = (await ledger(ann)).kbPoints
  const { status, body, headers } = await buy(eve, lesson.id, 'GET')
  expect([status, body, headers.get('cache-control')]).toEqual([200, { kbPoints: 0 }, 'no-store'])
  expect(
    (await app.call<OpenLesson>('GET', `/lesson/${lesson.id}`, { as: eve })).body,
  ).toMatchObject({ bought: true, article: lesson.article })
  expect((await ledger(eve)).entries[0]).toMatchObject({
    amount: -100,
    reason: 'bought',
    balance: 0,
    item: { kind: 'lesson', id: lesson.id },
  })
  expect((await ledger(ann)).kbPoints, 'with the share').toBe(sellerBefore + 10)
})

test('of 200 purchases at once with the points for one, one is made', async () => {
  const fay = await rich('fay', 100)
  const lessons = await Promise.all(Array.from({ length: 4 }, () => app.publishLesson(ann)))
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      buy(fay, lessons[n % 4]?.id ?? 0, n % 2 === 0 ? 'POST' : 'GET'),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.every(({ status }) => [200, 400, 409].includes(status))).toBe(true)
  const { kbPoints, debt, entries } = await ledger(fay)
  expect([kbPoints, debt, entries.filter(({ reason }) => reason === 'bought').length]).toEqual([
    0, 0, 1,
  ])
})

test('a double click on one lesson charges once', async () => {
  const gus = await rich('gus', 1000)
  const { id } = await app.publishLesson(ann)
  const answers = await Promise.all(Array.from({ length: 20 }, () => buy(gus, id)))
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200,
    ...Array<number>(19).fill(409),
  ])
  expect((await ledger(gus)).kbPoints).toBe(900)
})
