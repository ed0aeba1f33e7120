import { afterAll, describe, expect, test } from 'vitest'
import type { Problem } from '#contract/errors.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { setRole } from '#server/accounts/store.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { addPeople, signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob } = await signUpAll(app, 'ann', 'bob')
afterAll(() => app.close())

const like = (as: Person | undefined, id: number | string, method = 'POST') =>
  app.call<Problem & { likes: number }>(method, `/lesson/like/${id}`, { as })
const show = async (as: Person, id: number) =>
  (await app.call<OpenLesson>('GET', `/lesson/${id}`, { as })).body

describe('refusals', () => {
  test('a guest is told to log in, by GET too', async () => {
    const { id } = await app.publishLesson(ann)
    expect((await like(undefined, id)).status).toBe(401)
    expect((await like(undefined, id, 'GET')).status).toBe(401)
    expect((await show(bob, id)).likes).toBe(0)
  })
  test('the cookie alone likes nothing', async () => {
    const { id } = await app.publishLesson(ann)
    const headers = { cookie: bob.cookie }
    expect((await app.call('GET', `/lesson/like/${id}`, { headers })).status).toBe(401)
  })
  test('one does not like what one made', async () => {
    const { id } = await app.publishLesson(ann)
    const { status, body } = await like(ann, id)
    expect([status, body.title]).toEqual([409, "You can't like what you made yourself."])
    expect((await show(ann, id)).likes).toBe(0)
  })
  test('a second like is told and changes nothing', async () => {
    const { id } = await app.publishLesson(ann)
    expect((await like(bob, id)).body).toEqual({ likes: 1 })
    const { status, body } = await like(bob, id)
    expect([status, body.title]).toEqual([409, 'You like this already.'])
    expect((await show(ann, id)).likes).toBe(1)
  })
  test('what is missing or deleted is liked by nobody', async () => {
    const { id } = await app.publishLesson(ann)
    await app.call('DELETE', `/lesson/${id}`, { as: ann })
    for (const gone of [id, 999_999]) {
      const { status, body } = await like(bob, gone)
      expect([status, body.title]).toEqual([404, 'Lesson not found or deleted (sorry)'])
    }
    expect((await app.call('POST', '/course/like/999999', { as: bob })).status).toBe(404)
  })
  test('ids that are words, negative or huge are refused', async () => {
    for (const id of ['word', '-1', '0', '1.5', '99999999999999999999'])
      expect((await like(bob, id)).status).toBe(400)
    expect((await like(bob, Number.MAX_SAFE_INTEGER)).status).toBe(404)
  })
  test('a suspended person likes nothing, by GET neither', async () => {
    const { id } = await app.publishLesson(ann)
    const sue = await app.signUp('sue')
    await app.app.database.db
      .updateTable('users')
      .set({ suspended_at: new Date() })
      .where('username', '=', 'sue')
      .execute()
    expect((await like(sue, id)).status).toBe(403)
    expect((await like(sue, id, 'GET')).status).toBe(403)
  })
})

test('a locked lesson is liked and stays locked', async () => {
  const { id } = await app.publishLesson(ann)
  const { status, body, headers } = await like(bob, id, 'GET')
  expect([status, body, headers.get('cache-control')]).toEqual([200, { likes: 1 }, 'no-store'])
  const seen = await show(bob, id)
  expect(seen).toMatchObject({ liked: true, likes: 1, can: { see: false, like: false, buy: true } })
  expect(seen).not.toHaveProperty('article')
  expect((await show(ann, id)).liked).toBe(false)
})

test('an administrator likes what others made', async () => {
  const { id } = await app.publishLesson(ann)
  const admin = await app.signUp('admin')
  await setRole(app.app.database.db, 'admin', 'administrator')
  expect((await show(admin, id)).can.like).toBe(true)
  expect((await like(admin, id)).body).toEqual({ likes: 1 })
})

test('cards tell their viewer what they like', async () => {
  const { id, title } = await app.publishLesson(ann)
  await like(bob, id)
  const card = async (as?: Person) => {
    const path = `/lesson/all?page=1&search=${encodeURIComponent(title)}`
    const { body } = await app.call<{ id: number; liked?: boolean }[]>('GET', path, { as })
    return body.find((entry) => entry.id === id)
  }
  expect((await card(bob))?.liked).toBe(true)
  expect((await card(ann))?.liked).toBe(false)
  expect(await card()).not.toHaveProperty('liked')
})

test('300 people at once make 300 likes', async () => {
  const { id } = await app.publishLesson(ann)
  const people = await addPeople(app, 300)
  const answers = await Promise.all(people.map((person) => like(person, id)))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect(answers.map(({ body }) => body.likes).toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 300 }, (_, place) => place + 1),
  )
  expect((await show(ann, id)).likes).toBe(300)
})

test('300 likes of one person at once make one', async () => {
  const { id } = await app.publishLesson(ann)
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, n) => like(bob, id, n % 2 === 0 ? 'POST' : 'GET')),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(299)
  expect((await show(ann, id)).likes).toBe(1)
})
