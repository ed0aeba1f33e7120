/** Lists are cached for everybody, so these tests show that nobody sees outdated or another viewer's data. */
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import type { CourseCard } from '#contract/courses.ts'
import type { LessonCard, LessonPage } from '#contract/lessons.ts'
import { connect } from '#server/platform/db/connect.ts'
import { BEYOND } from '#server/items/shared/finding.ts'
import { createPageReader } from '#server/items/shared/listing.ts'
import { createLog } from '#server/kernel/log.ts'
import { lessonCards } from '#server/items/lessons/list.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { publishLessons } from '#server/testing/learning/items.ts'
import { signUpAll, viewerOf } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob } = await signUpAll(app, 'ann', 'bob')
const ids = await publishLessons(app, ann, 12)
// The clock stands still, so cached entries don't expire; changes are visible only if writes drop them.
app.clock.time = new Date()
afterAll(() => app.close())

const browse = (query: string, as?: Person) =>
  done<LessonPage>(app, as, `GET /lesson/browse?${query}`)
const total = async (query: string, as?: Person) =>
  Number(
    (await app.call('GET', `/lesson/all?page=1&${query}`, { as })).headers.get('x-total-count'),
  )
const shown = ({ items }: LessonPage, id: number) => items.find((item) => item.id === id)
/** Fills the caches. */
const warm = () =>
  Promise.all(
    ['', 'sort=likes', 'likes=1', 'comments=1', 'page=2', 'search=lesson'].flatMap((query) => [
      browse(query),
      browse(query, bob),
    ]),
  )

test('a published lesson is in every list immediately, and a deleted one in none', async () => {
  await warm()
  const before = await total('')
  const { id } = await app.publishLesson(ann)
  for (const as of [undefined, ann]) {
    expect([await total('', as), (await browse('', as)).total]).toEqual([before + 1, before + 1])
    expect(shown(await browse('', as), id)).toBeDefined()
    expect((await browse('', as)).counts.likes.any).toBe(before + 1)
  }
  await done(app, ann, `DELETE /lesson/${id}`)
  for (const as of [undefined, ann]) {
    expect([await total('', as), (await browse('', as)).total]).toEqual([before, before])
    expect(shown(await browse('', as), id)).toBeUndefined()
  }
})

test('a like changes number, position and band immediately', async () => {
  await warm()
  const [last = 0] = ids
  expect(await total('likes=1')).toBe(0)
  await done(app, bob, `POST /lesson/like/${last}`)
  for (const as of [undefined, ann]) {
    expect(shown(await browse('page=2', as), last)).toMatchObject({ likes: 1 })
    expect((await browse('sort=likes', as)).items[0]).toMatchObject({ id: last, likes: 1 })
    expect(await total('likes=1', as)).toBe(1)
    expect((await browse('likes=1', as)).items.map(({ id }) => id)).toEqual([last])
    expect((await browse(`owner=${ann.session._id}`, as)).counts.likes).toMatchObject({ 1: 1 })
  }
})

test('a comment counts immediately on the cards of its lesson and its course', async () => {
  const course = await app.publishCourse(ann, { lessons: ids.slice(0, 6) })
  const courses = () => done<CourseCard[]>(app, undefined, 'GET /course/all?page=1&sort=comments')
  const [lesson = 0] = ids
  await warm()
  expect((await courses())[0]).toMatchObject({ id: course.id, comments: 0 })
  const json = { text: 'So this is how it is done.' }
  await done(app, ann, `POST /comment/create/${lesson}`, json)
  expect(shown(await browse('comments=1'), lesson)).toMatchObject({ comments: 1 })
  expect((await courses())[0]).toMatchObject({ id: course.id, comments: 1 })
})

test('views are seen as soon as they are written', async () => {
  const [lesson = 0] = ids
  await warm()
  const before = shown(await browse('page=2'), lesson)?.views ?? 0
  await app.call('GET', `/lesson/${lesson}`, { headers: { 'user-agent': 'somebody' } })
  await vi.waitFor(
    async () => expect(shown(await browse('page=2'), lesson)?.views).toBe(before + 1),
    3000,
  )
  const popular = await app.call<LessonCard[]>('GET', '/lesson/popular')
  expect(popular.body[0]).toMatchObject({ id: lesson, views: before + 1 })
})

test('a new name is seen at once', async () => {
  await warm()
  const form = formOf({ username: 'annabel' })
  const { status } = await app.call('PATCH', '/identity/update', { as: ann, form })
  expect(status).toBe(200)
  for (const as of [undefined, bob])
    expect((await browse('', as)).items[0]).toMatchObject({ ownerName: 'annabel' })
})

test('nobody else sees a viewer’s own marks', async () => {
  await app.give(bob, 100)
  const wanted = ids.at(-1) ?? 0
  await warm()
  await done(app, bob, `POST /lesson/buy/${wanted}`)
  expect(shown(await browse('', bob), wanted)).toMatchObject({ bought: true })
  expect(shown(await browse('', ann), wanted)).toMatchObject({ bought: false })
  expect(shown(await browse(''), wanted)).not.toHaveProperty('bought')
  expect((await browse('search=lesson', bob)).items.every((card) => 'liked' in card)).toBe(true)
  expect((await browse('search=lesson')).items.some((card) => 'liked' in card)).toBe(false)
})

test('a short term is found and counted correctly, whether it is common or rare', async () => {
  await app.app.database.pool.query(
    `with made as (
       insert into lessons (owner_id, title_folded, likes)
       select $1, 'zz' || n || case when n % 20 = 0 then 'ww' else '' end, n % 3 from generate_series(1, 300) n
       returning id, title_folded
     )
     insert into lesson_contents (lesson_id, title, description, tags, video_id, article, article_minutes)
     select id, title_folded, 'One of very many', '{many}', 'aaaaaaaaaaa', '<p>Words</p>', 1 from made`,
    [ann.session._id],
  )
  for (const [term, found, liked] of [
    ['z', 300, 200],
    ['zz', 300, 200],
    ['w', 15, 10],
    ['ww', 15, 10],
  ] as const) {
    const page = await browse(`search=${term}&sort=likes&page=2`, bob)
    expect([page.total, page.items[0]?.likes, page.items.length]).toEqual([
      found,
      found === 300 ? 2 : 0,
      found === 300 ? 10 : 5,
    ])
    expect(page.counts.likes).toEqual({ any: found, 1: liked, 2: 0, 3: 0 })
    expect(await total(`search=${term}&likes=1`)).toBe(liked)
  }
})

test('the statement of a page is planned once per connection', async () => {
  const connection = connect(app.connection, createLog('silent'), { size: 1 })
  const { db } = connection
  const read = createPageReader(lessonCards)
  for (let page = 1; page <= 30; page += 1) {
    for (const asked of [null, viewerOf(bob)]) {
      await read(db, { search: '', sort: 'likes' }, asked, { page, found: BEYOND })
      await read(db, { search: '', sort: 'none', likes: 1 }, asked, { page: 1, found: undefined })
    }
  }
  const { rows } = await sql<{ generic: number; custom: number }>`
    select generic_plans as generic, custom_plans as custom from pg_prepared_statements
    where name <> '' and statement not like '%pg_prepared_statements%'`.execute(db)
  await connection.close()
  expect(rows).toHaveLength(4)
  // PostgreSQL plans the first five executions for their values, to compare the costs.
  for (const { generic, custom } of rows) expect([custom, generic >= 25]).toEqual([5, true])
})
