import { afterAll, expect, test } from 'vitest'
import type { Suggestion } from '#contract/search.ts'
import { createTestApp } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'

/** With their likes, in the order of publication. */
const titles: [string, number][] = [
  ['Урок по рисуване', 1],
  ['Моят УРОК', 9],
  ['Crème brûlée', 0],
  ['100% sure', 0],
  ['100 percent', 5],
  ['About painting', 50],
  ['Painting', 2],
  ['Paint it black', 7],
  ['Pa', 0],
]
/** More than are suggested. */
const many = 12

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const ann = await app.signUp('ann')
const lessons: number[] = []
afterAll(() => app.close())

async function setLikes(table: 'lessons' | 'courses', id: number, likes: number): Promise<void> {
  await app.app.database.db.updateTable(table).set({ likes }).where('id', '=', id).execute()
}

const ask = (q: string, kind?: string) =>
  app.call<Suggestion[]>(
    'GET',
    `/search/suggest?${new URLSearchParams({ q, ...(kind !== undefined && { kind }) }).toString()}`,
  )
const suggest = async (q: string, kind?: string) =>
  (await ask(q, kind)).body.map(({ title }) => title)

for (const [title, likes] of titles) {
  const { id } = await app.publishLesson(ann, { title: title.padEnd(3, '.') })
  await setLikes('lessons', id, likes)
  lessons.push(id)
}
const gone = await app.publishLesson(ann, { title: 'Painting gone' })
await done(app, ann, `DELETE /lesson/${gone.id}`)
for (let n = 1; n <= many; n += 1) await app.publishLesson(ann, { title: `Number ${n}` })
for (const [title, likes] of [
  ['Painting whole', 0],
  ['All of painting', 3],
] as const) {
  const { id } = await app.publishCourse(ann, { title, lessons: lessons.slice(0, 6) })
  await setLikes('courses', id, likes)
}

test('nothing is suggested for nothing', async () => {
  for (const q of ['', '   ', '\0', '\u200B']) expect(await suggest(q)).toEqual([])
  expect((await app.call('GET', '/search/suggest')).body).toEqual([])
  expect(await suggest('zzz')).toEqual([])
  expect(await suggest('q')).toEqual([])
})

test('titles that begin so come first, most liked first', async () => {
  expect(await suggest('paint')).toEqual(['Paint it black', 'Painting', 'About painting'])
  expect(await suggest('pa')).toEqual(['Paint it black', 'Painting', 'Pa.', 'About painting'])
  expect((await suggest('p')).slice(0, 3)).toEqual(['Paint it black', 'Painting', 'Pa.'])
})

test('wildcards are letters like others', async () => {
  expect(await suggest('100%')).toEqual(['100% sure'])
  expect(await suggest('%')).toEqual(['100% sure'])
  expect(await suggest('_')).toEqual([])
  expect(await suggest('\\')).toEqual([])
})

test('eight are suggested at most, the newest of equals', async () => {
  const newest = Array.from({ length: 8 }, (_, n) => `Number ${many - n}`)
  expect(await suggest('number')).toEqual(newest)
  expect(await suggest('n')).toHaveLength(8)
})

test('courses are suggested among courses', async () => {
  expect(await suggest('paint', 'course')).toEqual(['Painting whole', 'All of painting'])
  expect(await suggest('ai', 'course')).toEqual(['All of painting', 'Painting whole'])
  expect(await suggest('урок', 'course')).toEqual([])
})

test('of more than a thousand finds the most liked come', async () => {
  const { pool } = app.app.database
  await pool.query(
    `with made as (
      insert into lessons (owner_id, title_folded, likes) select id, 'wide ' || n, n from users, generate_series(1, 1200) n returning id, title_folded
    )
    insert into lesson_contents (lesson_id, title, description, tags, video_id, article, article_minutes)
    select id, title_folded, 'A description', '{tag}', 'abcdefghijk', '<p>text</p>', 1 from made`,
  )
  const most = Array.from({ length: 8 }, (_, n) => `wide ${1200 - n}`)
  for (const q of ['w', 'wi', 'wide', 'de ', 'e', 'ide']) expect(await suggest(q)).toEqual(most)
})

test('a suggestion says what one chooses by', async () => {
  const [first] = (await ask('whole', 'course')).body
  expect(first).toMatchObject({ kind: 'course', title: 'Painting whole', price: 500, free: false })
  expect(first?.thumbnail).toMatch(/^\//)
  expect(first).not.toHaveProperty('found')
  expect(first).not.toHaveProperty('bought')
  const bob = await app.signUp('bob')
  const url = '/search/suggest?kind=course&q=whole'
  expect((await app.call<Suggestion[]>('GET', url, { as: bob })).body[0]?.bought).toBe(false)
})

test('of both kinds lessons come first, and courses have their place', async () => {
  const kinds = (await ask('ai', 'all')).body.map(({ kind }) => kind)
  expect(kinds).toEqual(['lesson', 'lesson', 'lesson', 'course', 'course'])
  expect(await suggest('wide', 'all')).toHaveLength(8)
})

test('where no title contains it, the words of descriptions and other spellings are suggested', async () => {
  const cat = await app.signUp('cat')
  await app.publishLesson(cat, { title: 'Evening', description: 'Songs for a ukulele' })
  await app.runJobs()
  const [told] = (await ask('ukulele')).body
  expect(told).toMatchObject({
    title: 'Evening',
    found: {
      why: 'description',
      marked: { text: 'Songs for a ukulele', places: [[12, 19]] },
      spelling: null,
    },
  })
  const [meant] = (await ask('ukulelle')).body
  expect(meant?.found?.spelling).toBe('ukulele')
  expect((await ask('songs ukulelle')).body[0]?.found?.spelling).toBe('songs ukulele')
  expect(await suggest('ukulelle', 'course')).toEqual([])
  expect(await suggest('paniting')).toEqual(expect.arrayContaining(['Painting', 'About painting']))
})

test('signs, letters of other scripts and mixed ones are answered', async () => {
  for (const q of ['?!…', '%_\\', '👩‍🏫', 'ukуlеle жq', 'كتاب', '\u202Eabc', '\uD800'])
    expect((await ask(q)).status).toBe(200)
  expect(await suggest('?!…')).toEqual([])
})
