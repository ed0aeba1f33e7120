/** Reports of many people at once, which share statements. */
import pg from 'pg'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import type { LessonProgress } from '#contract/progress.ts'
import { createReporter } from '#server/progress/reporting.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { addPeople, viewerOf } from '#server/testing/people.ts'

const PEOPLE = 60

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const ann = await app.signUp('ann')
const people = await addPeople(app, PEOPLE)
afterAll(() => app.close())

const query = (text: string, values: unknown[] = []) => app.app.database.pool.query(text, values)
const put = async (as: Person, id: number, json: unknown) =>
  (await app.call('PUT', `/progress/${id}`, { as, json })).status
const known = async (as: Person, id: number) => {
  const { body } = await app.call<LessonProgress[]>('GET', `/progress?lesson=${id}`, { as })
  return body[0]
}
/** A lesson that all of them have. */
async function open(): Promise<number> {
  const { id } = await app.publishLesson(ann)
  const sales = people.map(({ session }) => ({ lesson_id: id, user_id: session._id, price: 100 }))
  await app.app.database.db.insertInto('lesson_purchases').values(sales).execute()
  return id
}

test('among many each is refused for itself, and nothing of it is stored', async () => {
  const [one, { id: other }] = [await open(), await app.publishLesson(ann)]
  const statuses = await Promise.all(
    people.map((person, n) =>
      put(person, n % 3 === 0 ? one : n % 3 === 1 ? other : 999_999, { seconds: n + 1 }),
    ),
  )
  expect(statuses).toEqual(people.map((_, n) => (n % 3 === 0 ? 204 : n % 3 === 1 ? 403 : 404)))
  const { rows } = await query('select count(*) from lesson_progress where lesson_id = $1', [other])
  expect(rows).toEqual([{ count: 0 }])
})

test('one that the database refuses does not fail the others', async () => {
  const id = await open()
  await query('alter table lesson_progress add constraint no_seven check (seconds <> 7) not valid')
  try {
    const statuses = await Promise.all(people.map((person, n) => put(person, id, { seconds: n })))
    expect(statuses).toEqual(people.map((_, n) => (n === 7 ? 500 : 204)))
  } finally {
    await query('alter table lesson_progress drop constraint no_seven')
  }
  expect(await known(people[7] as Person, id)).toBeUndefined()
  expect(await known(people[8] as Person, id)).toMatchObject({ seconds: 8 })
})

test('one whose row somebody holds does not hold up the others', async () => {
  const id = await open()
  const [held, ...others] = people as [Person, ...Person[]]
  await put(held, id, { seconds: 1 })
  const waiting = await app.app.database.db.transaction().execute(async (tx) => {
    await sql`select from lesson_progress where user_id = ${held.session._id} and lesson_id = ${id} for update`.execute(
      tx,
    )
    const all = [held, ...others].map((person) => put(person, id, { seconds: 30 }))
    expect(await Promise.all(all.slice(1))).toEqual(others.map(() => 204))
    return { status: all[0] }
  })
  expect(await waiting.status).toBe(204)
  expect(await known(held, id)).toMatchObject({ seconds: 30 })
})

test('what many tell at once is stored by two statements, each as they told it', async () => {
  const id = await open()
  const tell = createReporter(app.app.core)
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await Promise.all(
      people.map((person, n) => tell(viewerOf(person), { lessonId: id, seconds: n, opened: true })),
    )
    const texts = spy.mock.calls.map(([asked]) => JSON.stringify(asked))
    expect(texts.filter((text) => text.includes('insert into lesson_progress'))).toHaveLength(2)
  } finally {
    spy.mockRestore()
  }
  for (const [n, person] of people.entries())
    expect(await known(person, id)).toMatchObject({ seconds: n, furthest: n, opened: true })
})

test('several of one person at once come to the same as one after the other', async () => {
  const id = await open()
  const [eager] = people as [Person]
  const statuses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => put(eager, id, { seconds: 10 * n, ago: 20_000 - n })),
  )
  expect(new Set(statuses)).toEqual(new Set([204]))
  expect(await known(eager, id)).toMatchObject({ furthest: 190 })
})
