/** Tests how often a page queries the database; no cache shortens these waits. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COURSE_LESSONS } from '#contract/limits.ts'
import type { Person } from '#server/testing/app.ts'
import { statementsOf } from '#server/testing/counting/statements.ts'
import { done } from '#server/testing/http/answers.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { openTestApp } from '#server/testing/setup.ts'

/** Statements of a page, including that of the session. */
const MOST = 3

const app = await openTestApp({ WELCOME_POINTS: '600' }, await loadSourceRenderer())
const people = await Promise.all(['owner', 'learner', 'buyer'].map((name) => app.signUp(name)))
const [owner, learner, buyer] = people as [Person, Person, Person]
const lessons: number[] = []
while (lessons.length < COURSE_LESSONS.min) lessons.push((await app.publishLesson(owner)).id)
const lesson = lessons[0] ?? 0
const course = (await app.publishCourse(owner, { lessons })).id
await app.call('POST', `/lesson/buy/${lesson}`, { as: buyer })
await app.call('POST', `/course/buy/${course}`, { as: buyer })

/** Returns the statements of a page, without those of background work. */
async function statementsOfPage(path: string, person: Person): Promise<string[]> {
  await app.app.views.flush()
  // A purchase becomes a notice within a second, outside any page.
  await expect
    .poll(async () => (await app.app.database.pool.query('select from events')).rowCount)
    .toBe(0)
  const sent = await statementsOf(async () => {
    const answer = await fetch(app.url + path, { headers: { cookie: person.cookie } })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain(person.session.username)
  })
  const texts = sent.map(({ text }) => text)
  return texts.filter((text) => !/lesson_views|\bevents\b|\bnodes\b/.test(text))
}

const readers: readonly (readonly [string, () => Person])[] = [
  ['its owner', () => owner],
  ['a learner who has not bought it', () => learner],
  ['a buyer', () => buyer],
]

test.each(readers)('a page of an item needs at most three round trips for %s', async (_, who) => {
  for (const path of [`/lesson/details/${lesson}`, `/course/details/${course}/${lesson}`]) {
    const texts = await statementsOfPage(path, who())
    expect(texts.length, texts.join('\n=====\n')).toBeLessThanOrEqual(MOST)
  }
})

describe('the front page', () => {
  let reader: Person
  beforeAll(async () => {
    reader = await app.signUp('reader')
    const { id } = await app.publishLesson(owner)
    await app.call('POST', `/lesson/buy/${id}`, { as: reader })
    await done(app, reader, `PUT /progress/${id}`, { seconds: 760, length: 1200 })
    await done(app, reader, `PUT /follow/${owner.session._id}`)
    // What everybody sees is cached for a second, which doesn't pass here.
    app.clock.time = new Date()
  })
  afterAll(() => {
    app.clock.time = null
  })

  test.each([...readers, ['who goes on with a lesson', () => reader] as const])(
    'needs at most three round trips for %s',
    async (_, who) => {
      await (await fetch(app.url, { headers: { cookie: who().cookie } })).text()
      const texts = await statementsOfPage('/', who())
      expect(texts.length, texts.join('\n=====\n')).toBeLessThanOrEqual(MOST)
    },
  )

  test('shows where the person left off, and has its rows', async () => {
    const answer = await fetch(app.url, { headers: { cookie: reader.cookie } })
    const html = await answer.text()
    expect(html).toContain('12:40')
    expect(html).toContain(`href="/lesson/details/${lesson}"`)
  })
})
