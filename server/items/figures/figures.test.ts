import { expect, test } from 'vitest'
import type { Figures, ItemFigures } from '#contract/figures.ts'
import { utcDay } from '#server/kernel/clock.ts'
import { countCurves } from '#server/items/figures/curves.ts'
import { addDays, countDays, countFigures } from '#server/items/figures/counting.ts'
import type { Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { addPeople, signUpAll } from '#server/testing/people.ts'
import { addLessons, setUser } from '#server/testing/rows.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp()
const today = utcDay(new Date())
const noonOf = (day: string) => new Date(`${day}T12:00:00Z`)
app.clock.time = noonOf(today)
const { ann } = await signUpAll(app, 'ann')
const readers = await addPeople(app, 7)
const [bob, eve, ...crowd] = readers
const { db, pool } = app.app.database
await setUser(app, ann, { created_at: noonOf(addDays(today, -20)) })

const question = {
  text: 'Which one?',
  answers: [
    { text: 'This one', right: true },
    { text: 'That one', right: false },
  ],
  explanation: 'Because it holds',
}
const knots = (await app.publishLesson(ann, { title: 'Knots', checks: JSON.stringify([question]) }))
  .id
const [other = 0] = await addLessons(app, ann, 1, 'Other')
await app.runJobs()
for (const person of readers) await app.give(person, 200)

/** Counts at three o'clock in the morning of this many days later. */
const countAfter = (days: number) =>
  countFigures(
    { db, clock: { now: () => new Date(`${addDays(today, days)}T03:00:00Z`) } },
    { signal: new AbortController().signal },
  )
const read = (query = '') => done<Figures>(app, ann, `GET /author/figures${query}`)
const readItem = (id: number) => done<ItemFigures>(app, ann, `GET /author/figures/lesson/${id}`)
const watch = (person: Person | undefined, furthest: number) =>
  done(app, person, `PUT /progress/${knots}`, { seconds: furthest, furthest, length: 600 })

await countAfter(0)
const before = await read()
for (const person of [bob, eve]) await done(app, person, `POST /lesson/buy/${knots}`)
for (const person of [bob, eve, ann]) await done(app, person, `GET /lesson/${knots}`)
await done(app, bob, `GET /lesson/${other}`)
await app.app.views.flush()
await done(app, bob, `POST /lesson/like/${knots}`)
await done(app, bob, `PUT /progress/${knots}`, { opened: true, done: true })
await done(app, bob, `PUT /rating/lesson/${knots}`, { stars: 4 })
const says = `POST /comment/create/${knots}`
await done(app, bob, says, { text: 'Well explained' })
await done(app, ann, says, { text: 'Thank you for that' })
for (const seconds of [30, 90]) await watch(eve, seconds)
await countAfter(1)

test('nobody else reads the figures of an item, administrators apart', async () => {
  const status = async (as: Person | undefined, path: string) =>
    (await app.call('GET', `/author/figures${path}`, { as })).status
  expect(await status(undefined, '')).toBe(401)
  expect(await status(bob, `/lesson/${knots}`)).toBe(403)
  expect(await status(ann, '/lesson/999999')).toBe(404)
  expect(await status(ann, '?days=8')).toBe(400)
  expect((await done<Figures>(app, bob, 'GET /author/figures')).items).toEqual([])
})

test('before anything happened, the items are there with nothing', () => {
  expect(before).toMatchObject({ to: addDays(today, -1), viewsSince: null, count: 2, rows: [] })
  expect(before.items.map(({ id, unlocks }) => [id, unlocks])).toEqual([
    [other, 0],
    [knots, 0],
  ])
})

test("a day has what others did, and the author's points", async () => {
  const { to, viewsSince, total, rows, items, best } = await read('?days=7')
  expect([to, viewsSince]).toEqual([today, today])
  const acts = { unlocks: 2, converted: 2, done: 1, likes: 1, comments: 1, ratings: 1, stars: 4 }
  expect(total).toEqual({ views: 3, ...acts, earned: 120, returned: 0 })
  expect(rows).toEqual([{ day: today, ...total }])
  expect(items).toMatchObject([
    { id: knots, views: 2, ...acts, watched: null, passed: null },
    { id: other, views: 1, unlocks: 0, earned: 0 },
  ])
  expect(best.map(({ id, unlocks }) => [id, unlocks])).toEqual([[knots, 2]])
})

test('a day can be counted again, also when its views are gone', async () => {
  const figures = await read()
  const again = async () => {
    await countDays(db, today, addDays(today, 1))
    return read()
  }
  expect(await again()).toEqual(figures)
  await pool.query('delete from lesson_views')
  expect(await again()).toEqual(figures)
  await pool.query('delete from lesson_likes')
  expect((await again()).total).toEqual({ ...figures.total, likes: 0 })
  await pool.query('delete from figure_days')
  await countAfter(1)
  expect((await read()).total).toEqual({ ...figures.total, likes: 0 })
})

test('what was done stays on the day on which it was done first', async () => {
  app.clock.time = new Date(`${addDays(today, 1)}T09:00:00Z`)
  await watch(bob, 590)
  app.clock.time = noonOf(today)
  await countAfter(2)
  const { rows } = await read()
  expect(rows.map(({ day, done }) => [day, done])).toEqual([[today, 1]])
})

test('a curve and the figures of a self-check need five people or attempts', async () => {
  expect(await readItem(knots)).toMatchObject({ curve: null, check: null, allViews: 2 })
  for (const person of crowd.slice(0, 3)) {
    await done(app, person, `POST /lesson/buy/${knots}`)
    await watch(person, 301)
  }
  for (const [place, person] of [bob, eve, ...crowd.slice(0, 3)].entries())
    await done(app, person, `POST /check/${knots}`, { answers: [[place === 0 ? 1 : 0]] })
  await countDays(db, today, addDays(today, 1))
  await countCurves(db)
  const { curve, check } = await readItem(knots)
  expect(curve).toEqual({ viewers: 5, length: 600, reached: [5, 4, 4, 4, 4, 1, 1, 1, 1, 1] })
  expect(check).toEqual({
    attempts: 5,
    passed: 4,
    questions: [{ text: 'Which one?', right: 4 }],
  })
  const { items, stops } = await read()
  expect(items[0]).toMatchObject({ watched: 0.2, passed: 0.8 })
  expect(stops).toMatchObject([{ id: knots, stopped: 3, viewers: 5, from: 300, to: 360 }])
})

test('a term is shown when five people searched it on one day without a result', async () => {
  const search = (as: Person | undefined, q: string) =>
    done(app, as, `GET /search?q=${encodeURIComponent(q)}`)
  for (const person of crowd) await search(person, 'Zither  ТЮНИНГ')
  for (const person of crowd) await search(person, 'knots')
  for (const person of crowd) await search(person, 'zither@people.example')
  for (const person of crowd) await search(person, '+359 (888) 12-34-56')
  for (const person of crowd.slice(1)) await search(person, 'Theremin')
  await search(undefined, 'Theremin')
  for (const _ of crowd) await search(bob, 'kalimba')
  const stored = await pool.query('select distinct term from search_misses')
  expect(stored.rows).toHaveLength(3)
  await countDays(db, today, addDays(today, 1))
  expect((await read()).missed).toEqual([{ term: 'zither тюнинг', people: 5 }])
  expect((await pool.query('select from search_misses')).rowCount).toBe(0)
})

test('a long range adds whole months to the days around them', async () => {
  const past = ['2025-12-31', '2026-01-01', '2026-01-31', '2026-02-01'].map((day) =>
    addDays(today, -Math.round((Date.parse('2026-02-10') - Date.parse(day)) / 86_400_000)),
  )
  await pool.query(
    `insert into item_days select $1, day, 'lesson', $2, 10, 1, 1, 0, 0, 0, 0, 0, 0, 0 from unnest($3::date[]) day`,
    [ann.session._id, other, past],
  )
  for (const day of past) await countDays(db, day, addDays(day, 1))
  const { items, total } = await read('?days=90')
  expect(items.find(({ id }) => id === other)?.views).toBe(41)
  expect(total.views).toBe(43)
  expect((await readItem(other)).total.views).toBeLessThan(41)
})

test('the file has a line for each item and day, and no title that a spreadsheet would run', async () => {
  await pool.query(`update lesson_contents set title = '=1+"1"' where lesson_id = $1`, [other])
  const file = async (name: string, headers: Record<string, string>) => {
    const response = await fetch(`${app.url}/files/figures/${name}`, { headers })
    return response.ok ? response.text() : response.status
  }
  const headers = { authorization: `Bearer ${ann.session.accessToken}` }
  expect(await file('7.csv', {})).toBe(401)
  expect(await file('8.csv', headers)).toBe(404)
  const lines = String(await file('7.csv', headers)).split('\r\n')
  expect(lines[0]).toBe(
    'day,kind,id,title,views,unlocks,done,likes,comments,ratings,stars,earned,returned',
  )
  expect(lines).toContain(`${today},lesson,${other},"'=1+""1""",1,0,0,0,0,0,0,0,0`)
})

test('days are stored for two years, and terms for one', async () => {
  const [kept, gone] = [addDays(today, -729), addDays(today, -800)]
  await pool.query(
    `insert into item_days select $1, day, 'lesson', $2, 10, 1, 1, 0, 0, 0, 0, 0, 0, 0 from unnest($3::date[]) day`,
    [ann.session._id, other, [kept, gone]],
  )
  for (const day of [kept, gone]) await countDays(db, day, addDays(day, 1))
  await pool.query(
    `insert into missed_terms select $1::date - ago, 'harp', 5 from unnest('{364,366}'::int[]) ago`,
    [today],
  )
  await pool.query('delete from figure_days where day = $1', [today])
  await countAfter(1)
  const stored = async (table: string, column: string) =>
    (await pool.query(`select from ${table} where ${column} < $1::date - 363`, [today])).rowCount
  expect(await stored('item_days', 'day')).toBe(1)
  expect(await stored('author_days', 'day')).toBe(1)
  expect(await stored('item_months', 'month')).toBe(1)
  expect(await stored('missed_terms', 'day')).toBe(1)
})

test('an erased author leaves no figures', async () => {
  await done(app, ann, 'POST /identity/erase', { password: ann.password })
  await app.runJobs()
  for (const table of ['item_days', 'item_months', 'author_days', 'lesson_curves'])
    expect((await pool.query(`select from ${table}`)).rowCount).toBe(0)
})
