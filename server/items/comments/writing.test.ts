import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import type { Comment } from '#contract/comments.ts'
import type { Course } from '#contract/courses.ts'
import type { Problem } from '#contract/errors.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { publishLessons } from '#server/testing/learning/items.ts'

const PEOPLE = 12
const TEXT = 'This made it clear to me.'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const ann = await app.signUp('ann')
const people: Person[] = []
for (let n = 0; n < PEOPLE; n += 1) people.push(await app.signUp(`person${n}`))
afterAll(() => app.close())

const write = (as: Person, id: number, text = TEXT) =>
  app.call<Comment & Problem>('POST', `/comment/create/${id}`, { as, json: { text } })
const countOf = async (id: number) =>
  (await done<{ commentCount: number }>(app, undefined, `GET /lesson/${id}`)).commentCount

/** Gives the lessons to everybody. */
async function open(lessons: readonly number[]) {
  const sales = people.flatMap((person) =>
    lessons.map((lesson_id) => ({ lesson_id, user_id: person.session._id, price: 100 })),
  )
  await app.app.database.db.insertInto('lesson_purchases').values(sales).execute()
}

test('concurrent comments of many people are all stored and counted', async () => {
  const course = await app.publishCourse(ann)
  const lessons = course.lessons.map(({ id }) => id)
  await open(lessons)
  const texts = people.map((_, n) => `What person ${n} has to say.`)
  const answers = await Promise.all(
    people.map((person, n) => write(person, lessons[n % 3] ?? 0, texts[n])),
  )
  expect(answers.map(({ status, body }) => [status, body.userName, body.text, body.mine])).toEqual(
    people.map((person, n) => [200, person.session.username, texts[n], true]),
  )
  for (const id of lessons.slice(0, 3)) expect(await countOf(id)).toBe(PEOPLE / 3)
  const { commentCount } = await done<Course>(app, ann, `GET /course/${course.id}`)
  expect(commentCount).toBe(PEOPLE)
})

test('each of many concurrent comments is refused separately', async () => {
  const [one = 0, other = 0] = await publishLessons(app, ann, 2)
  await open([one])
  const answers = await Promise.all(
    people.map((person, n) => write(person, n % 3 === 0 ? one : n % 3 === 1 ? other : 999_999)),
  )
  expect(answers.map(({ status }) => status)).toEqual(
    people.map((_, n) => (n % 3 === 0 ? 200 : n % 3 === 1 ? 403 : 404)),
  )
  expect([await countOf(one), await countOf(other)]).toEqual([PEOPLE / 3, 0])
})

test('a locked lesson does not delay comments on others', async () => {
  const { db } = app.app.database
  const [held = 0, free = 0] = await publishLessons(app, ann, 2)
  await open([held, free])
  const answered: number[] = []
  const all = await db.transaction().execute(async (tx) => {
    await sql`select from lessons where id = ${held} for update`.execute(tx)
    const answers = people.map(async (person, n) => {
      const answer = await write(person, n % 2 === 0 ? held : free)
      answered.push(n)
      return answer.status
    })
    await vi.waitUntil(() => answered.length === PEOPLE / 2, { timeout: 2500 })
    return answers
  })
  expect(answered.every((n) => n % 2 === 1)).toBe(true)
  expect(await Promise.all(all)).toEqual(people.map(() => 200))
  expect([await countOf(held), await countOf(free)]).toEqual([PEOPLE / 2, PEOPLE / 2])
})

test('all of them are judged', async () => {
  const { id } = await app.publishLesson(ann)
  await open([id])
  const answers = await Promise.all(people.map((person) => write(person, id, 'Great, thank you!')))
  await app.runJobs()
  const ids = answers.map(({ body }) => body.id)
  const rows = await app.app.database.db
    .selectFrom('comments')
    .select(['prediction', 'language', 'why', 'judged_at'])
    .where('id', 'in', ids)
    .execute()
  expect(rows).toHaveLength(PEOPLE)
  for (const row of rows)
    expect([row.prediction, row.language, row.why?.length, row.judged_at]).toEqual([
      'POSITIVE',
      'en',
      expect.any(Number),
      expect.any(Date),
    ])
})
