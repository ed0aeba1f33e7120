import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { LessonCard, LessonPage } from '#contract/lessons.ts'
import { done, statusesOf } from '#server/testing/http/answers.ts'
import { openTestApp } from '#server/testing/setup.ts'

/** One more than is counted exactly. */
const MANY = 10_001

const app = await openTestApp()
const ann = await app.signUp('ann')
await app.app.database.pool.query(
  `with made as (
    insert into lessons (owner_id, title_folded, likes, views) select $1, 'title ' || n, n % 7, n % 13 from generate_series(1, $2::integer) n returning id, title_folded
  )
  insert into lesson_contents (lesson_id, title, description, tags, video_id, article, article_minutes)
  select id, title_folded, 'A description', '{tag}', 'abcdefghijk', '<p>text</p>', 1 from made`,
  [ann.session._id, MANY],
)
await app.app.database.pool.query(
  `with made as (
    insert into courses (owner_id, title_folded) select $1, 'title ' || n from generate_series(1, $2::integer) n returning id, title_folded
  )
  insert into course_contents (course_id, title, description)
  select id, title_folded, 'A description' from made`,
  [ann.session._id, MANY],
)

const all = (query = '') => app.call<LessonCard[]>('GET', `/lesson/all${query}`)

test('one reader may load two long lists at once, and more are refused', async () => {
  const answers = await Promise.all([all(), all(), all(), all()])
  expect(statusesOf(answers)).toEqual([200, 200, 429, 429])
  expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('5')
  expect((await all()).status).toBe(200)
})

test('long lists of courses count towards the same limit', async () => {
  const answers = await Promise.all([all(), all(), app.call('GET', '/course/all')])
  expect(statusesOf(answers)).toEqual([200, 200, 429])
  const { status, body } = await app.call<unknown[]>('GET', '/course/all')
  expect([status, body.length]).toEqual([200, MANY])
})

test('short lists are not limited', async () => {
  const queries = ['', '', '?search=title%20100', '?search=title%20200']
  expect(statusesOf(await Promise.all(queries.map(all)))).toEqual([200, 200, 200, 200])
})

test('a reader who disconnects frees their place', async () => {
  for (let visit = 0; visit < 4; visit++) {
    const leave = new AbortController()
    // The server notices a disconnected reader a moment later.
    await expect
      .poll(async () => (await fetch(`${app.url}/api/lesson/all`, { signal: leave.signal })).status)
      .toBe(200)
    leave.abort()
  }
})

test('the whole list has every lesson once, in order of every sort', async () => {
  for (const sort of ['none', 'likes', 'views'] as const) {
    const { body } = await all(`?sort=${sort}`)
    expect(new Set(body.map(({ id }) => id)).size).toBe(MANY)
    const rank = (card: LessonCard) => (sort === 'none' ? 0 : card[sort])
    const inOrder = body.every((card, place) => {
      const before = body[place - 1]
      return (
        before === undefined ||
        rank(before) > rank(card) ||
        (rank(before) === rank(card) && before.id > card.id)
      )
    })
    expect(inOrder).toBe(true)
  }
})

test('totals above ten thousand are capped, and pages end at a thousand', async () => {
  const browse = (page: number) =>
    done<LessonPage>(app, undefined, `GET /lesson/browse?page=${page}`)
  const last = await browse(1000)
  expect(last).toMatchObject({ total: 10_000, more: true, pages: 1000, page: 1000, beyond: false })
  expect(last.items).toHaveLength(10)
  expect(await browse(1001)).toMatchObject({ page: 1000, beyond: true })
  const { body, headers } = await all('?page=1001')
  expect([body, headers.get('x-total-count')]).toEqual([[], '10000'])
})

test('chips with too many matches of a term have no number', async () => {
  const { counts } = await done<LessonPage>(app, undefined, 'GET /lesson/browse?search=title')
  expect(counts.likes).toEqual({ any: null, 1: null, 2: 0, 3: 0 })
})

test('responses to slow readers count until they disconnect', { timeout: 90_000 }, async () => {
  const { pool } = app.app.database
  // Makes the whole list short enough that it doesn't count as a long response.
  const some = 'select id from lessons order by id limit 1500'
  await pool.query(`delete from lesson_contents where lesson_id in (${some})`)
  await pool.query(`delete from lessons where id in (${some})`)
  const readers: Socket[] = Array.from({ length: 9 }, () => {
    const reader = connect(Number(new URL(app.url).port), '127.0.0.1')
    reader.on('error', () => undefined).pause()
    // The socket buffers take nearly 4 MB without a reader: the first response, but not the following ones.
    reader.write('GET /api/lesson/all HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3))
    return reader
  })
  const tagged = async () => (await all()).headers.has('etag')
  await expect.poll(tagged, { timeout: 40_000 }).toBe(false)
  for (const reader of readers) reader.destroy()
  await expect.poll(tagged, { timeout: 40_000 }).toBe(true)
})
