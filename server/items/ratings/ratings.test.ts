import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Problem } from '#contract/errors.ts'
import type { Notice } from '#contract/notices.ts'
import type { ItemKind } from '#contract/points.ts'
import type { Lesson, LessonCard } from '#contract/lessons.ts'
import type { ItemRatings, Rating } from '#contract/ratings.ts'
import { recountNumbers } from '#server/items/shared/recount.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { edit } from '#server/testing/learning/items.ts'
import { settleAll } from '#server/testing/learning/notices.ts'
import { addPeople, signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '5000' })
const { ann, bob, eve } = await signUpAll(app, 'ann', 'bob', 'eve')
const lesson = (await app.publishLesson(ann)).id
afterAll(() => app.close())

const WORDS = 'Clear from the first word to the last.'

const buy = (as: Person, kind: ItemKind, id: number) => done(app, as, `POST /${kind}/buy/${id}`)
const open = (as: Person, id: number) => done(app, as, `PUT /progress/${id}`, { opened: true })
async function unlock(as: Person, id: number) {
  await buy(as, 'lesson', id)
  await open(as, id)
}
const rate = (as: Person, kind: ItemKind, id: number, json: unknown) =>
  app.call<Rating & Problem>('PUT', `/rating/${kind}/${id}`, { as, json })
const rated = (as: Person, kind: ItemKind, id: number, stars: number, text?: string) =>
  done<Rating>(app, as, `PUT /rating/${kind}/${id}`, { stars, text })
const unrate = (as: Person, kind: ItemKind, id: number) =>
  app.call<Problem>('DELETE', `/rating/${kind}/${id}`, { as })
const list = (kind: ItemKind, id: number, as?: Person, query = '') =>
  done<ItemRatings>(app, as, `GET /rating/${kind}/${id}${query}`)
const card = async (id: number) =>
  (await done<LessonCard[]>(app, undefined, 'GET /lesson/all')).find((one) => one.id === id)
/** Lists may be cached for one second. */
const passASecond = () => {
  app.clock.time = new Date(app.clock.now().getTime() + 1001)
}

await unlock(bob, lesson)

describe('refused', () => {
  test('is an item that was not opened yet, or a course without an opened lesson', async () => {
    const { id } = await app.publishLesson(ann)
    await buy(bob, 'lesson', id)
    expect((await rate(bob, 'lesson', id, { stars: 4 })).status).toBe(409)
    await open(bob, id)
    await rated(bob, 'lesson', id, 4)
    const course = await app.publishCourse(ann)
    await buy(bob, 'course', course.id)
    expect((await rate(bob, 'course', course.id, { stars: 4 })).status).toBe(409)
    await open(bob, course.lessons[2]?.id ?? 0)
    await rated(bob, 'course', course.id, 4)
  })
  test('is a free preview that was not unlocked', async () => {
    const { lessons, id } = await app.publishCourse(ann)
    const freePreview = lessons[0]?.id ?? 0
    await edit(app, ann, ['course', id], { freePreview })
    await open(eve, freePreview)
    expect((await rate(eve, 'lesson', freePreview, { stars: 5 })).status).toBe(403)
  })
  test('is a missing item', async () => {
    expect((await rate(bob, 'lesson', 999_999, { stars: 5 })).status).toBe(404)
    expect((await rate(bob, 'course', 999_999, { stars: 5 })).status).toBe(404)
    expect((await unrate(bob, 'lesson', lesson)).status).toBe(404)
    expect((await app.call('GET', '/rating/lesson/999999')).status).toBe(404)
  })
})

test('a person has one rating per item, which they can change, withdraw and give again', async () => {
  const first = await rated(bob, 'lesson', lesson, 5, ` ${WORDS}\r\n`)
  expect(first).toMatchObject({ stars: 5, text: WORDS, userName: 'bob', user: bob.session._id })
  const second = await rated(bob, 'lesson', lesson, 3)
  expect(second.id).toBe(first.id)
  expect(second).not.toHaveProperty('text')
  expect(await list('lesson', lesson, bob)).toMatchObject({
    average: null,
    count: 1,
    spread: [0, 0, 1, 0, 0],
    entries: [{ id: first.id, stars: 3 }],
    own: { id: first.id, stars: 3 },
  })
  expect((await list('lesson', lesson)).own).toBeNull()
  expect((await unrate(bob, 'lesson', lesson)).status).toBe(204)
  expect(await list('lesson', lesson, bob)).toMatchObject({ count: 0, entries: [], own: null })
  const third = await rated(bob, 'lesson', lesson, 4)
  expect(third.id).not.toBe(first.id)
  expect((await list('lesson', lesson)).count).toBe(1)
})

test('buyers of a course can rate its lessons too', async () => {
  const course = await app.publishCourse(ann)
  const id = course.lessons[1]?.id ?? 0
  await buy(eve, 'course', course.id)
  await open(eve, id)
  await rated(eve, 'lesson', id, 5)
  await rated(eve, 'course', course.id, 2)
  expect(await list('course', course.id)).toMatchObject({ count: 1, spread: [0, 1, 0, 0, 0] })
})

test('from three ratings on the average is shown, to one decimal, on cards and details', async () => {
  const { id } = await app.publishLesson(ann)
  const people = await addPeople(app, 3)
  for (const [place, person] of people.entries()) {
    await app.give(person, 100)
    await unlock(person, id)
    await rated(person, 'lesson', id, place === 0 ? 4 : 5)
    if (place === 1) expect(await card(id)).toMatchObject({ rating: null, ratings: 2 })
  }
  passASecond()
  expect(await card(id)).toMatchObject({ rating: 4.7, ratings: 3 })
  const body = await done<Lesson>(app, undefined, `GET /lesson/${id}`)
  expect(body).toMatchObject({ rating: 4.7, ratings: 3, can: { rate: false } })
  expect(await list('lesson', id)).toMatchObject({ average: 4.7, count: 3 })
  expect(JSON.stringify(body)).not.toContain('rating_rank')
})

describe('an answer', () => {
  let id: number
  const answer = (text: string, which = id) =>
    app.call<Rating & Problem>('PUT', `/rating/${which}/answer`, { as: ann, json: { text } })
  const unanswer = (as = ann) => app.call<Problem>('DELETE', `/rating/${id}/answer`, { as })
  beforeAll(async () => {
    id = (await rated(bob, 'lesson', lesson, 4)).id
  })

  test('is refused without a rating, and removed only where there is one', async () => {
    expect((await answer('Thank you', 999_999)).status).toBe(404)
    expect((await unanswer()).status).toBe(404)
  })
  test('exists once, and can be changed and deleted', async () => {
    expect((await answer('Thank you')).body).toMatchObject({
      id,
      answer: { text: 'Thank you' },
    })
    expect((await answer('Thank you, Bob')).status).toBe(200)
    expect((await list('lesson', lesson)).entries[0]?.answer?.text).toBe('Thank you, Bob')
    // Changing the stars keeps the text.
    await rated(bob, 'lesson', lesson, 5)
    expect((await list('lesson', lesson)).entries[0]?.answer?.text).toBe('Thank you, Bob')
    expect((await unanswer(bob)).status).toBe(403)
    expect((await unanswer()).status).toBe(204)
    expect((await list('lesson', lesson)).entries[0]).not.toHaveProperty('answer')
  })
})

test('the author is notified of a rating, and its writer of the first answer', async () => {
  const [author, reader] = (await addPeople(app, 2)) as [Person, Person]
  await app.give(reader, 100)
  const { id } = await app.publishLesson(author)
  await unlock(reader, id)
  const noticesOf = async (as: Person) => {
    await settleAll(app)
    const { notices } = await done<{ notices: Notice[] }>(app, as, 'GET /notice/all')
    return notices
      .filter(({ kind }) => kind === 'rated' || kind === 'answered')
      .map(({ kind, count, item, actor }) => [kind, count, item?.id, actor?.id])
  }
  const rating = await rated(reader, 'lesson', id, 4)
  await rated(reader, 'lesson', id, 5)
  expect(await noticesOf(author)).toEqual([['rated', 1, id, reader.session._id]])
  for (const text of ['Thank you', 'Thank you very much'])
    await done(app, author, `PUT /rating/${rating.id}/answer`, { text })
  expect(await noticesOf(reader)).toEqual([['answered', 1, id, author.session._id]])
  expect(await noticesOf(author)).toHaveLength(1)
})

test('texts get an opinion, and changed texts another one', async () => {
  await rated(bob, 'lesson', lesson, 5, 'A wonderful lesson, I loved every minute of it.')
  await app.runJobs()
  const opinions = async () => {
    const { rows } = await sql<{ prediction: string | null }>`
      select prediction from ratings where lesson_id = ${lesson} and deleted_at is null`.execute(
      app.app.database.db,
    )
    return rows.map(({ prediction }) => prediction)
  }
  expect(await opinions()).toEqual(['POSITIVE'])
  // Changing only the stars keeps the opinion of the text.
  await rated(bob, 'lesson', lesson, 4, 'A wonderful lesson, I loved every minute of it.')
  expect(await opinions()).toEqual(['POSITIVE'])
  await rated(bob, 'lesson', lesson, 1, 'Terrible and boring, a waste of my whole evening.')
  expect(await opinions()).toEqual([null])
  await app.runJobs()
  expect(await opinions()).toEqual(['NEGATIVE'])
})

test('300 concurrent ratings of one lesson are all counted', async () => {
  const { id } = await app.publishLesson(ann)
  const people = await addPeople(app, 300)
  const { db } = app.app.database
  const ids = people.map(({ session }) => session._id)
  await sql`
    insert into lesson_purchases (user_id, lesson_id, price) select unnest(${ids}::uuid[]), ${id}, 0`.execute(
    db,
  )
  await sql`
    insert into lesson_progress (user_id, lesson_id, seconds, length, placed_at, furthest, finished, opened, marked_at, seen_at)
    select unnest(${ids}::uuid[]), ${id}, 0, 0, now(), 0, false, true, now(), now()`.execute(db)
  const answers = await Promise.all(
    people.map((person, place) => rate(person, 'lesson', id, { stars: (place % 5) + 1 })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const { average, count, spread, entries } = await list('lesson', id)
  expect({ average, count, spread }).toEqual({
    average: 3,
    count: 300,
    spread: [60, 60, 60, 60, 60],
  })
  expect(entries).toHaveLength(50)
  expect((await list('lesson', id, undefined, '?page=6')).entries).toHaveLength(50)
  expect((await list('lesson', id, undefined, '?page=7')).entries).toHaveLength(0)
  // Half of them change their rating concurrently, and some withdraw it.
  await Promise.all(
    people.map((person, place) =>
      place % 3 === 0
        ? unrate(person, 'lesson', id)
        : rate(person, 'lesson', id, { stars: (place % 4) + 1 }),
    ),
  )
  expect(await recountNumbers(db, 'lesson')).toBe(0)
}, 60_000)

test('lists use a mean with a prior: a single five is not above forty good ones', async () => {
  const ids = [await app.publishLesson(ann), await app.publishLesson(ann)].map(({ id }) => id)
  const [one = 0, many = 0] = ids
  const give = async (id: number, count: number, stars: number) => {
    const people = await addPeople(app, count)
    for (const person of people) {
      await app.give(person, 100)
      await unlock(person, id)
      await rated(person, 'lesson', id, stars)
    }
  }
  await give(one, 1, 5)
  await give(many, 12, 4)
  passASecond()
  const cards = await done<LessonCard[]>(app, undefined, 'GET /lesson/all?sort=rating&page=1')
  expect(cards.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual([many, one])
  await done(app, undefined, 'GET /course/all?sort=rating')
})
