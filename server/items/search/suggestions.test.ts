import { afterAll, expect, test } from 'vitest'
import type { ItemSuggestion, Suggestion } from '#contract/search.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { signUpAll } from '#server/testing/people.ts'

const TITLES = [
  'Урок по рисуване',
  'Моят УРОК',
  'Crème brûlée',
  '100% sure',
  'About painting',
  'Painting',
  'Paint it black',
  'The Spain we knew',
]
/** More than are suggested. */
const many = 12

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob } = await signUpAll(app, 'ann', 'bob')
const lessons: number[] = []
for (const title of TITLES)
  lessons.push((await app.publishLesson(ann, { title, tags: 'art,craft' })).id)
const gone = await app.publishLesson(ann, { title: 'Painting gone' })
await done(app, ann, `DELETE /lesson/${gone.id}`)
for (let n = 1; n <= many; n += 1) await app.publishLesson(ann, { title: `Number ${n}` })
await app.publishLesson(ann, { title: 'Evening', description: 'Songs for a ukulele' })
for (const title of ['Painting whole', 'All of painting'])
  await app.publishCourse(ann, { title, lessons: lessons.slice(0, 6) })
await app.runJobs()
afterAll(() => app.close())

const ask = <Kind = Suggestion>(q: string, kind: string, as?: Person) =>
  done<Kind[]>(app, as, `GET /search/suggest?${new URLSearchParams({ q, kind }).toString()}`)
const items = (q: string, kind = 'lesson') => ask<ItemSuggestion>(q, kind)
const suggest = async (q: string, kind = 'lesson') =>
  (await items(q, kind)).map(({ title }) => title)

test('nothing is suggested for empty terms, signs and the middle of words', async () => {
  for (const q of ['', '   ', '\0', '\u200B', '?!…', 'zzz', 'q', 'ain'])
    expect(await suggest(q)).toEqual([])
  expect((await app.call('GET', '/search/suggest')).body).toEqual([])
})

test('titles that begin with a word as typed come first, then longer words', async () => {
  expect(await suggest('paint')).toEqual(['Paint it black', 'Painting', 'About painting'])
  expect(await suggest('pa')).toEqual(['Paint it black', 'Painting', 'About painting'])
  expect(await suggest('black pai')).toEqual(['Paint it black'])
  expect(await suggest('brulee')).toEqual(['Crème brûlée'])
  expect(await suggest('100%')).toEqual(['100% sure'])
})

test('at most eight are suggested, newest first among equals', async () => {
  const newest = Array.from({ length: 8 }, (_, n) => `Number ${many - n}`)
  expect(await suggest('number')).toEqual(newest)
  expect(await suggest('n')).toHaveLength(8)
})

test('courses are suggested among courses', async () => {
  expect(await suggest('paint', 'course')).toEqual(['Painting whole', 'All of painting'])
  expect(await suggest('урок', 'course')).toEqual([])
})

test('courses, tags and, for signed-in viewers, people have reserved places', async () => {
  const kinds = async (q: string, as?: Person) => (await ask(q, 'all', as)).map(({ kind }) => kind)
  expect(await kinds('paint')).toEqual(['lesson', 'lesson', 'course', 'lesson', 'course'])
  expect(await kinds('craft')).toEqual([...Array<string>(7).fill('lesson'), 'tag'])
  expect(await kinds('ann')).not.toContain('person')
  const found = await ask('ann', 'all', bob)
  expect(found).toHaveLength(8)
  expect(found.at(-1)).toMatchObject({ kind: 'person', userName: 'ann' })
  expect((await ask('craft', 'all')).at(-1)).toEqual({ kind: 'tag', tag: 'craft', items: 8 })
  expect((await ask('craft', 'lesson', bob)).map(({ kind }) => kind)).not.toContain('tag')
})

test('a suggestion has what readers need to choose', async () => {
  const [first] = await ask('whole', 'course')
  expect(first).toMatchObject({ kind: 'course', title: 'Painting whole', price: 500, free: false })
  expect(first).not.toHaveProperty('found')
  expect(first).not.toHaveProperty('bought')
  expect((await ask('whole', 'course', bob))[0]).toMatchObject({ bought: false })
})

test('matches outside the title or by another spelling say so', async () => {
  const [told] = await items('ukul')
  expect(told).toMatchObject({
    title: 'Evening',
    found: {
      why: 'description',
      marked: { text: 'Songs for a ukulele', places: [[12, 19]] },
      spelling: null,
    },
  })
  expect((await items('ukulelle'))[0]?.found?.spelling).toBe('ukulele')
  expect((await items('songs ukulelle'))[0]?.found?.spelling).toBe('songs ukulele')
  expect(await suggest('paniting')).toEqual(expect.arrayContaining(['Painting', 'About painting']))
})
