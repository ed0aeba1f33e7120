import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Comment, ModeratedComment, Restored, comments } from '#contract/comments.ts'
import type { Course } from '#contract/courses.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { Problem } from '#contract/errors.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import type { LogEntry } from '#contract/moderation.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { sweepComments } from '#server/items/comments/judging.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { signUpAll } from '#server/testing/people.ts'

type Desk = AnswerOf<typeof comments.browse>
const DAY_MS = 24 * 60 * 60 * 1000

let lesson: number

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob, admin } = await signUpAll(app, 'ann', 'bob', 'admin')
await setRole(app.app.database.db, 'admin', 'administrator')
await app.give(bob, 10_000)
afterAll(() => app.close())
beforeEach(async () => {
  lesson = (await app.publishLesson(ann)).id
})

const write = async (as: Person, lessonId: number, text = 'This made it clear to me.') =>
  (await done<Comment>(app, as, `POST /comment/create/${lessonId}`, { text })).id
const all = (query = '') =>
  app.call<ModeratedComment[]>('GET', `/comment/all${query}`, { as: admin })
const browse = (query = '') => done<Desk>(app, admin, `GET /comment/browse${query}`)
const found = async (query = '') => (await browse(query)).comments.map(({ id }) => id)
const removeMany = (ids: readonly unknown[]) =>
  app.call<Problem>('POST', '/comment/delete', { as: admin, json: { ids } })
const restore = (id: number) =>
  app.call<ModeratedComment & Problem>('POST', `/comment/restore/${id}`, { as: admin })
const judge = (id: number) =>
  app.call<ModeratedComment & Problem>('POST', `/comment/judge/${id}`, { as: admin })
const withdraw = (as: Person, id: number) => done(app, as, `DELETE /comment/delete/${id}`)
const countOf = async (id: number) =>
  (await done<OpenLesson>(app, ann, `GET /lesson/${id}`)).commentCount
const sumOf = async (id: number) => (await done<Course>(app, ann, `GET /course/${id}`)).commentCount
const logOf = async (action: string, subjectId: number) => {
  const lines = await done<LogEntry[]>(app, admin, 'GET /admin/log')
  return lines.filter((line) => line.action === action && line.subjectId === `${subjectId}`)
}
/** Stores an opinion like the job does. */
const opine = (id: number, prediction: string | null, language: string | null = 'en') =>
  app.app.database.db
    .updateTable('comments')
    .set({ prediction, language })
    .where('id', '=', id)
    .execute()

test('labels and languages filter, and the chips count', async () => {
  const word = 'rhubarbing'
  const ids: number[] = []
  for (const [label, language] of [
    ['TOXIC', 'en'],
    ['TOXIC', 'bg'],
    ['POSITIVE', 'bg'],
    ['UNKNOWN', null],
    [null, null],
  ] as const) {
    const id = await write(ann, lesson, `Some ${word} again`)
    await opine(id, label, language)
    ids.unshift(id)
  }
  const [none, unknown, positive, toxicBg, toxicEn] = ids
  const search = `search=${word}`
  expect(await found(`?${search}`)).toEqual(ids)
  expect(await found(`?${search}&label=TOXIC`)).toEqual([toxicBg, toxicEn])
  expect(await found(`?${search}&label=NONE`)).toEqual([none])
  expect(await found(`?${search}&label=UNKNOWN`)).toEqual([unknown])
  expect(await found(`?${search}&language=bg`)).toEqual([positive, toxicBg])
  expect(await found(`?${search}&language=bg&label=TOXIC`)).toEqual([toxicBg])
  expect(await found(`?${search}&language=bg&label=NONE`)).toEqual([])
  const counts = { POSITIVE: 1, NEUTRAL: 0, NEGATIVE: 0, TOXIC: 2, UNKNOWN: 1, NONE: 1 }
  expect((await browse(`?${search}&label=TOXIC`)).labels).toEqual({ ALL: 5, ...counts })
  const bulgarian = { ...counts, ALL: 2, TOXIC: 1, UNKNOWN: 0, NONE: 0 }
  expect((await browse(`?${search}&language=bg`)).labels).toEqual(bulgarian)
  // Also without a search, among all comments of the other tests.
  expect((await found('?label=TOXIC')).slice(0, 2)).toEqual([toxicBg, toxicEn])
  expect(await browse('?language=bg')).toMatchObject({ labels: bulgarian, total: 2 })
})

test('a search finds parts of texts and exact names', async () => {
  const zoe = await app.signUp('Zoë')
  await app.give(zoe, 100)
  await done(app, zoe, `POST /lesson/buy/${lesson}`)
  const own = await write(zoe, lesson, 'Един чуден УРОК по китара')
  const about = await write(ann, lesson, 'Thank you, Zoë! 100% of it, c++ too')
  const search = (text: string) => found(`?${new URLSearchParams({ search: text }).toString()}`)
  expect(await search('чуден урок')).toEqual([own])
  expect(await search('Китара')).toEqual([own])
  expect(await search('100%')).toEqual([about])
  expect(await search('c++')).toEqual([about])
  expect(await search('%%%')).toEqual([])
  // One contains the term, and one is written by her.
  expect(await search('zoë')).toEqual([about, own])
  expect(await search('zoë!')).toEqual([about])
  expect(await search('\0 ')).toEqual(await found())
})

test('pages of fifty, the newest thousand without a page', async () => {
  await app.app.database.pool.query(
    `insert into comments (lesson_id, user_id, text, text_folded)
     select $1, $2, 'Quixotic number ' || n, 'quixotic number ' || n from generate_series(1, 1010) n`,
    [lesson, ann.session._id],
  )
  const whole = await all('?search=quixotic')
  expect([whole.body.length, whole.headers.get('x-total-count')]).toEqual([1000, '1010'])
  const first = await all('?search=quixotic&page=1')
  expect(first.body).toEqual(whole.body.slice(0, 50))
  expect((await all('?search=quixotic&page=21')).body).toHaveLength(10)
  const beyond = await all('?search=quixotic&page=22')
  expect([beyond.body, beyond.headers.get('x-total-count')]).toEqual([[], '1010'])
  const last = await browse('?search=quixotic&page=999')
  expect(last).toMatchObject({ page: 21, pages: 21, total: 1010, more: false })
  expect((await all()).body).toHaveLength(1000)
  expect((await all('?page=2')).body[0]?.id).toBe((await all()).body[50]?.id)
})

test('five comments are deleted and restored with exact numbers', async () => {
  const course = await app.publishCourse(ann)
  const [one = 0, two = 0] = course.lessons.map(({ id }) => id)
  await done(app, bob, `POST /course/buy/${course.id}`)
  const ids = [
    await write(bob, one, 'The first of five words'),
    await write(bob, two),
    await write(bob, one),
    await write(ann, one),
    await write(admin, two),
  ]
  const [first = 0, , , , own = 0] = ids
  expect([await countOf(one), await countOf(two), await sumOf(course.id)]).toEqual([3, 2, 5])
  expect((await removeMany([...ids, 999_999_999, first])).status).toBe(204)
  expect([await countOf(one), await countOf(two), await sumOf(course.id)]).toEqual([0, 0, 0])
  expect(await logOf('commentDeleted', first)).toMatchObject([
    {
      actor: { userName: 'admin' },
      subject: 'The first of five words',
      person: { userName: 'bob' },
    },
  ])
  // Deleting one's own comment is not logged, and nobody else can see it.
  expect(await logOf('commentDeleted', own)).toEqual([])
  const gone = await browse('?deleted=on')
  expect(gone.comments.map(({ id }) => id)).toEqual(ids.slice(0, 4).toReversed())
  expect(gone.comments.at(-1)?.deleted?.userName).toBe('admin')
  for (const id of ids) {
    const { status, body } = await restore(id)
    expect([status, body.id, body.deleted]).toEqual([200, id, null])
  }
  expect(await found('?deleted=on')).toEqual([])
  expect([await countOf(one), await countOf(two), await sumOf(course.id)]).toEqual([3, 2, 5])
  expect(await logOf('commentRestored', first)).toHaveLength(1)
  expect(await logOf('commentRestored', own)).toEqual([])
  const list = await app.call<Comment[]>('GET', `/comment/lesson/${one}`, { as: bob })
  expect(list.body.map(({ id }) => id)).toEqual([ids[3], ids[2], ids[0]])
})

test('one call restores many, and names each that it can’t', async () => {
  const course = await app.publishCourse(ann)
  const [one = 0, two = 0] = course.lessons.map(({ id }) => id)
  await done(app, bob, `POST /course/buy/${course.id}`)
  const [first, second, withdrawn, there] = [
    await write(bob, one),
    await write(bob, two),
    await write(bob, one),
    await write(ann, two),
  ]
  await removeMany([first])
  await withdraw(admin, second)
  await withdraw(bob, withdrawn)
  expect(await logOf('commentDeleted', second)).toHaveLength(1)
  const ids = [there, first, 999_999_999, second, withdrawn, first]
  const restoreMany = () =>
    app.call<Restored>('POST', '/comment/restore', { as: admin, json: { ids } })
  const { status, body } = await restoreMany()
  expect(status).toBe(200)
  expect(body).toEqual({
    restored: [first, second],
    refused: [
      { id: there, why: 'commentNotUndoable' },
      { id: 999_999_999, why: 'commentNotFound' },
      { id: withdrawn, why: 'commentNotUndoable' },
    ],
  })
  expect([await countOf(one), await countOf(two), await sumOf(course.id)]).toEqual([1, 2, 3])
  expect(await logOf('commentRestored', second)).toHaveLength(1)
  expect((await restoreMany()).body.restored).toEqual([])
  expect(await sumOf(course.id)).toBe(3)
})

describe('what is not brought back', () => {
  test('is a comment that was deleted more than 30 days ago', async () => {
    const [early, late] = [await write(ann, lesson), await write(ann, lesson)]
    const now = Date.now()
    for (const [id, days] of [
      [early, 30],
      [late, 29.99],
    ] as const) {
      app.clock.time = new Date(now - days * DAY_MS)
      await removeMany([id])
    }
    app.clock.time = new Date(now + 1)
    expect(await found('?deleted=on')).toContain(late)
    expect(await found('?deleted=on')).not.toContain(early)
    expect((await restore(early)).status).toBe(409)
    expect((await restore(late)).status).toBe(200)
    app.clock.time = null
  })
  test('is a comment whose lesson was deleted, before or after', async () => {
    const [before, after] = [await write(ann, lesson), await write(ann, lesson)]
    await removeMany([before])
    await done(app, ann, `DELETE /lesson/${lesson}`)
    expect(await found()).not.toContain(after)
    await app.runJobs()
    expect((await browse()).comments.map(({ lessonId }) => lessonId)).not.toContain(lesson)
    expect(await found('?deleted=on')).not.toContain(before)
    expect((await restore(before)).status).toBe(404)
    expect((await restore(after)).status).toBe(404)
    // Its writer can still export it.
    const body = await done<{ comments: { id: number }[] }>(app, ann, 'GET /identity/export')
    expect(body.comments.map(({ id }) => id)).toContain(after)
    expect(body.comments.map(({ id }) => id)).not.toContain(before)
  })
})

describe('the opinion', () => {
  test('is formed after the comment was written', async () => {
    const id = await write(ann, lesson, 'Wonderful, I learned a great deal. Thank you!')
    expect((await browse()).comments[0]).toMatchObject({
      id,
      prediction: null,
      model: null,
      why: [],
    })
    await app.runJobs()
    const [judged] = (await browse()).comments
    expect(judged).toMatchObject({ id, prediction: 'POSITIVE', language: 'en', suspended: false })
    expect(judged?.model).not.toBeNull()
    expect(judged?.confidence).toBeGreaterThan(0)
    const open = await app.call<Comment[]>('GET', `/comment/lesson/${lesson}`, { as: ann })
    expect(open.body[0]).not.toHaveProperty('prediction')
  })
  test('is not formed of comments that were deleted meanwhile', async () => {
    const id = await write(ann, lesson)
    await removeMany([id])
    await app.runJobs()
    expect((await judge(id)).status).toBe(404)
    expect((await judge(999_999)).status).toBe(404)
    const [gone] = (await browse('?deleted=on')).comments
    expect(gone).toMatchObject({ id, prediction: null })
  })
  test('is formed again when an administrator asks', async () => {
    const id = await write(ann, lesson, 'Прекрасен урок, благодаря много!')
    await opine(id, 'TOXIC')
    const { status, body } = await judge(id)
    expect([status, body.id, body.prediction, body.language]).toEqual([200, id, 'POSITIVE', 'bg'])
  })
  test('is added by the sweep to comments whose job was lost', async () => {
    const { db, pool } = app.app.database
    const { rows } = await pool.query<{ id: number }>(
      `insert into comments (lesson_id, user_id, text, text_folded, created_at)
       values ($1, $2, 'Ancient ÉCLAIR of a comment', 'ancient eclair of a comment', '2024-01-01') returning id`,
      [lesson, ann.session._id],
    )
    await sweepComments({ db, clock: app.clock })
    await app.runJobs()
    const [swept] = (await browse('?search=eclair')).comments
    expect([swept?.id, swept?.prediction === null]).toEqual([rows[0]?.id, false])
  })
})

test('of too many matches the newest ten thousand are shown', async () => {
  // A term of two letters is always searched by a scan.
  const { rows } = await app.app.database.pool.query<{ id: number }>(
    `insert into comments (lesson_id, user_id, text, text_folded, prediction)
    select $1, $2, 'Xq number ' || n, 'xq number ' || n, case when n % 501 = 0 then 'TOXIC' else 'NEUTRAL' end
    from generate_series(1, 10020) n returning id`,
    [lesson, ann.session._id],
  )
  const ids = rows.map(({ id }) => id).toSorted((one, other) => other - one)
  const last = await browse('?search=xq&page=999')
  expect([last.total, last.more, last.page, last.pages]).toEqual([10_000, true, 200, 200])
  expect(last.comments.map(({ id }) => id)).toEqual(ids.slice(9950, 10_000))
  expect(last.labels.ALL).toBe(null)
  const toxic = await browse('?search=xq&label=TOXIC')
  expect([toxic.total, toxic.more, toxic.labels.TOXIC]).toEqual([20, false, 20])
  // Without a search each chip is counted separately, even if another exceeds the maximum.
  const { labels } = await browse()
  expect([labels.ALL, labels.NEUTRAL, (labels.TOXIC ?? 0) >= 20]).toEqual([null, null, true])
  await app.app.database.pool.query('delete from comments where id = any($1)', [ids.slice(0, 21)])
  const fewer = await browse('?search=xq')
  expect([fewer.total, fewer.more, fewer.labels.ALL]).toEqual([9999, false, 9999])
  expect(fewer.comments[0]?.id).toBe(ids[21])
})
