import { afterAll, expect, test } from 'vitest'
import type { SearchAnswer } from '#contract/search.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { signUpAll } from '#server/testing/people.ts'

const lessons = new Map<string, number>()

/** Title, description, tags. */
const written: [string, string, string][] = [
  ['Guitar', 'The first four chords, slowly', 'music'],
  ['Guitars we love', 'What makes a good sound', 'music,wood'],
  ['Evening songs', 'Songs for a guitar and two voices', 'music'],
  ['Crème brûlée', 'A dessert with burnt sugar', 'kitchen'],
  ['Шевица за начало', 'Кръстат бод и традиционни мотиви', 'бродерия'],
  ['Tiling a wall', 'How to lay ceramics evenly', 'house'],
]

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, zoran } = await signUpAll(app, 'ann', 'zoran')
for (const [title, description, tags] of written)
  lessons.set(title, (await app.publishLesson(ann, { title, description, tags })).id)
lessons.set('By him', (await app.publishLesson(zoran, { title: 'By him', tags: 'other' })).id)
await app.publishCourse(ann, {
  title: 'Strings whole',
  description: 'Six steps to the guitar',
  lessons: [...lessons.values()].slice(0, 6),
  freePreview: lessons.get('Tiling a wall') ?? 0,
})
await app.runJobs()
afterAll(() => app.close())

const ask = (query: Record<string, string>, as?: Person) =>
  app.call<SearchAnswer>('GET', `/search?${new URLSearchParams(query).toString()}`, { as })
const titles = async (query: Record<string, string>) =>
  (await ask(query)).body.lessons.map(({ title }) => title)

test('empty queries and signs alone find nothing', async () => {
  for (const q of ['', '   ', '\0', '%_\\', '?!…', '\u200B', "';--"]) {
    const { status, body } = await ask({ q })
    expect(status).toBe(200)
    expect(body.totals).toEqual({ lessons: 0, courses: 0, tags: 0, people: 0 })
  }
})

test('an equal title comes first, then titles that begin with the term, then descriptions', async () => {
  expect(await titles({ q: 'GUITAR' })).toEqual(['Guitar', 'Guitars we love', 'Evening songs'])
  expect(await titles({ q: 'guitars' })).toEqual(['Guitars we love', 'Guitar', 'Evening songs'])
  const { lessons: hits, courses } = (await ask({ q: 'guitar' })).body
  expect(hits.map(({ why }) => why)).toEqual(['title', 'title', 'description'])
  expect(hits[2]?.marked).toEqual({ text: 'Songs for a guitar and two voices', places: [[12, 18]] })
  expect(courses.map(({ title, why }) => [title, why])).toEqual([['Strings whole', 'description']])
})

test('one or two typos are corrected in every script, and the answer says so', async () => {
  expect(await titles({ q: 'ceramcis' })).toEqual(['Tiling a wall'])
  expect(await titles({ q: 'cerramiks' })).toEqual(['Tiling a wall'])
  expect(await titles({ q: 'традицонни' })).toEqual(['Шевица за начало'])
  expect((await ask({ q: 'gutar' })).body.spellings).toContain('guitar')
  expect(await titles({ q: 'xylophone' })).toEqual([])
})

test('longer words are found only if no item has the word, and not for three letters', async () => {
  expect(await titles({ q: 'cera' })).toEqual(['Tiling a wall'])
  expect(await titles({ q: 'cer' })).toEqual([])
  expect(await titles({ q: 'мот' })).toEqual([])
  // Even with another word that no item has.
  expect(await titles({ q: 'cer xylophone' })).toEqual([])
  expect(await titles({ q: 'sound' })).toEqual(['Guitars we love'])
})

test('stop words do not count beside others', async () => {
  expect(await titles({ q: 'how to lay the ceramics' })).toEqual(['Tiling a wall'])
  expect(await titles({ q: 'бод и мотиви' })).toEqual(['Шевица за начало'])
  expect(await titles({ q: 'the' })).toContain('Guitar')
})

test('all words must match; if no item has them all, any is enough', async () => {
  expect(await titles({ q: 'songs guitar' })).toEqual(['Evening songs'])
  expect(await titles({ q: 'ceramics шевица' })).toHaveLength(2)
})

test('a known word beside others is not corrected', async () => {
  const known = (await ask({ q: 'songs ceramics' })).body
  expect([known.lessons.length, known.spellings]).toEqual([2, []])
  const half = (await ask({ q: 'songs ceramcis' })).body
  expect([half.lessons.length, half.spellings]).toEqual([1, []])
})

test('tags are found with their number of lessons', async () => {
  const { tags, lessons: hits } = (await ask({ q: 'kitchen' })).body
  expect(tags).toEqual([{ tag: 'kitchen', items: 1 }])
  expect(hits.map(({ title, why }) => [title, why])).toEqual([['Crème brûlée', 'tag']])
})

test('an author is found by name, and people only by signed-in viewers', async () => {
  const guest = (await ask({ q: 'Zoran' })).body
  expect(guest.lessons.map(({ title, why }) => [title, why])).toEqual([['By him', 'author']])
  expect(guest).not.toHaveProperty('people')
  const { people } = (await ask({ q: 'zor' }, ann)).body
  expect(people?.map(({ userName }) => userName)).toEqual(['zoran'])
})

test('tag, kind and price filter the results', async () => {
  expect(await titles({ q: 'guitar', tag: 'Wood' })).toEqual(['Guitars we love'])
  expect(await titles({ q: 'guitar', kind: 'course' })).toEqual([])
  expect((await ask({ q: 'guitar', kind: 'lesson' })).body.courses).toEqual([])
  expect(await titles({ q: 'ceramics', free: '1' })).toEqual(['Tiling a wall'])
  expect(await titles({ q: 'guitar', free: '1' })).toEqual([])
})

test('an edited lesson is found only by its new words, and a deleted one not at all', async () => {
  const { id } = await app.publishLesson(ann, { title: 'Walrus', tags: 'sea' })
  await app.runJobs()
  expect(await titles({ q: 'walrus' })).toEqual(['Walrus'])
  const { body } = await app.call<{ version: number }>('GET', `/lesson/${id}`, { as: ann })
  await done(
    app,
    ann,
    `PATCH /lesson/${id}`,
    formOf({ id: `${id}`, version: `${body.version}`, title: 'Narwhal' }),
  )
  await app.runJobs()
  expect(await titles({ q: 'walrus' })).toEqual([])
  expect(await titles({ q: 'narwhal' })).toEqual(['Narwhal'])
  await done(app, ann, `DELETE /lesson/${id}`)
  expect(await titles({ q: 'narwhal' })).toEqual([])
})

test('a word of hundreds of items finds a bounded number of those with most likes', async () => {
  const { pool } = app.app.database
  await pool.query(
    `with made as (
      insert into lessons (owner_id, title_folded, likes) select id, 'broad ' || n, n from users, generate_series(1, 700) n
      where username = 'ann' returning id, title_folded
    ), due as (insert into search_due select 'lesson', id from made)
    insert into lesson_contents (lesson_id, title, description, tags, video_id, article, article_minutes)
    select id, title_folded, 'With a cormorant', '{tag}', 'abcdefghijk', '<p>text</p>', 1 from made`,
  )
  await pool.query(`select graphile_worker.add_job('indexWords', '{}'::json)`)
  await app.runJobs()
  const { lessons: hits, totals } = (await ask({ q: 'cormorant' })).body
  expect(hits).toHaveLength(10)
  expect(totals.lessons).toBe(200)
  const second = (await ask({ q: 'cormorant', page: '2' })).body.lessons
  expect(second.some(({ id }) => hits.some((hit) => hit.id === id))).toBe(false)
})

test('openings are searched and marked', async () => {
  const opening = 'Before the first stitch one needs a hoop, and patience with knots.'
  const { id } = await app.publishLesson(ann, { title: 'Needlework', opening })
  await app.runJobs()
  const { body } = await ask({ q: 'hoops' })
  const from = opening.indexOf('hoop')
  expect(body.lessons.map((hit) => [hit.id, hit.why, hit.marked])).toEqual([
    [id, 'opening', { text: opening, places: [[from, from + 4]] }],
  ])
})

test('beside a search by title its results are left out', async () => {
  const { lessons: hits, courses, totals } = (await ask({ q: 'guitar', besides: 'lesson' })).body
  expect(hits.map(({ title }) => title)).toEqual(['Evening songs'])
  expect(courses.map(({ title }) => title)).toEqual(['Strings whole'])
  expect(totals).toMatchObject({ lessons: 1, courses: 1 })
  expect((await ask({ q: 'guitar', besides: 'tag' })).status).toBe(400)
})
