/** Spoken words are found by people who may see the lesson, and reach nobody else. */
import { expect, test } from 'vitest'
import type { SearchAnswer } from '#contract/search.ts'
import { setRole } from '#server/people/accounts/store.ts'
import type { Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { signUpAll } from '#server/testing/people.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp(
  { DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '5000' },
  await loadSourceRenderer(),
)
const { ann, bob, eve, mod } = await signUpAll(app, 'ann', 'bob', 'eve', 'mod')
await setRole(app.app.database.db, 'mod', 'administrator')

const speak = (id: number, text: string, language = 'en') =>
  done(app, ann, `PUT /caption/${id}/${language}`, { text: `00:01.000 --> 00:02.000\n${text}` })
const find = (q: string, as?: Person) =>
  done<SearchAnswer>(app, as, `GET /search?q=${encodeURIComponent(q)}`)
const idsOf = async (q: string, as?: Person) => (await find(q, as)).lessons.map(({ id }) => id)

const course = await app.publishCourse(ann)
const [inCourse = 0] = course.lessons.map(({ id }) => id)
const { id } = await app.publishLesson(ann, { title: 'Quiet' })
await done(app, bob, `POST /lesson/buy/${id}`)
await speak(id, 'The snollygoster met a flibbertigibbet')
await app.runJobs()

test('the author, buyers and administrators find it, in any form of the words and with all of them', async () => {
  for (const as of [ann, bob, mod]) {
    const { lessons } = await find('snollygosters flibbertigibbets', as)
    expect(lessons).toMatchObject([{ id, why: 'spoken', marked: { text: '', places: [] } }])
  }
  expect(await idsOf('snollygoster elsewhere', bob)).toEqual([])
  // Stop words alone are in everything that is said.
  expect(await idsOf('the a', bob)).toEqual([])
})

test('a buyer of a course finds its lessons, in Bulgarian too', async () => {
  await speak(inCourse, 'Квасените краставички шумолят', 'bg')
  expect(await idsOf('краставичка', bob)).toEqual([])
  await done(app, bob, `POST /course/buy/${course.id}`)
  expect(await idsOf('краставичка', bob)).toEqual([inCourse])
})

test('a lesson that the words also describe is there once, as described', async () => {
  const both = await app.publishLesson(ann, { title: 'Brambleberry' })
  await speak(both.id, 'brambleberry jam')
  await app.runJobs()
  expect((await find('brambleberry', ann)).lessons).toMatchObject([{ id: both.id, why: 'title' }])
})

test('of common words everybody still finds the lessons that are theirs', async () => {
  // The index yields at most a thousand, and these come first.
  const { pool } = app.app.database
  const { rows } = await pool.query<{ id: number }>(
    `insert into lessons (owner_id, title_folded, price, created_at)
     select $1, '', 100, now() from generate_series(1, 1100) returning id`,
    [ann.session._id],
  )
  await pool.query(
    `insert into lesson_captions (lesson_id, language, cues, stems, changed_at)
     select id, 'en', '[]', '{flour}', now() from unnest($1::bigint[]) id`,
    [rows.map((row) => row.id)],
  )
  const late = await app.publishLesson(ann, { title: 'Late' })
  await speak(late.id, 'flour')
  expect(await idsOf('flour', bob)).toEqual([])
  await done(app, bob, `POST /lesson/buy/${late.id}`)
  expect(await idsOf('flour', bob)).toEqual([late.id])
  await pool.query('delete from lesson_captions where lesson_id = any($1)', [
    rows.map((row) => row.id),
  ])
  await pool.query('delete from lessons where id = any($1)', [rows.map((row) => row.id)])
})

test('no other person and no guest gets a spoken word, on any path', async () => {
  await speak(id, 'The snollygoster met a flibbertigibbet')
  await app.call('POST', `/caption/${id}/offer`, {
    as: bob,
    json: { language: 'bg', text: '00:01.000 --> 00:02.000\nflibbertigibbet in another language' },
  })
  await app.runJobs()
  for (const as of [eve, undefined]) {
    expect(await idsOf('snollygoster', as)).toEqual([])
    // Neither is it offered as the spelling of another word.
    expect((await find('snollygostar', as)).spellings).toEqual([])
  }
  const paths = [
    `/lesson/${id}`,
    '/lesson/all',
    '/lesson/browse?captions=en',
    `/lesson/also/${id}`,
    '/lesson/newest',
    `/lesson/recommended?lesson=${id}`,
    '/home',
    '/home/tags',
    '/search?q=snollygoster',
    '/search/suggest?q=snollygo&kind=all',
    `/rating/lesson/${id}`,
    `/caption/${id}`,
    `/caption/${id}/offers`,
    `/comment/lesson/${id}`,
    '/identity/export',
    '/notice/all',
    `/course/${course.id}`,
  ].map((path) => `/api${path}`)
  const pages = [
    '/',
    '/lesson/all?captions=en',
    `/lesson/details/${id}`,
    `/lesson/captions/${id}`,
    '/search?q=snollygoster',
    '/feeds/lessons.atom',
    `/feeds/author/${ann.session._id}.atom`,
    '/sitemap.xml',
    '/tag/testing',
    '/feeds/tag/testing.atom',
  ]
  for (const path of [...paths, ...pages])
    for (const as of [eve, undefined]) {
      const headers: Record<string, string> =
        as === undefined ? {} : { authorization: `Bearer ${as.session.accessToken}` }
      const answer = await fetch(app.url + path, { headers })
      expect([path, (await answer.text()).includes('flibbertigibbet')]).toEqual([path, false])
    }
  // The page itself never carries it, so neither do caches and copies of pages.
  const page = await fetch(`${app.url}/lesson/details/${id}`, { headers: { cookie: bob.cookie } })
  const html = await page.text()
  expect([html.includes('data-player'), html.includes('flibbertigibbet')]).toEqual([true, false])
})
