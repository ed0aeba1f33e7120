/** Tests that pages of signed-in people are never stale, and how often they query the database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COURSE_LESSONS } from '#contract/limits.ts'
import type { Person } from '#server/testing/app.ts'
import { statementsOf } from '#server/testing/counting/statements.ts'
import { done } from '#server/testing/http/answers.ts'
import { buy, publishLessons } from '#server/testing/learning/items.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { openTestApp } from '#server/testing/setup.ts'

/** Statements of a page, including that of the session. */
const MOST = 3

const app = await openTestApp({ WELCOME_POINTS: '600' }, await loadSourceRenderer())
const people = await Promise.all(['owner', 'learner', 'buyer'].map((name) => app.signUp(name)))
const [owner, learner, buyer] = people as [Person, Person, Person]
const lessons = await publishLessons(app, owner, COURSE_LESSONS.min)
const [lesson = 0] = lessons
const course = (await app.publishCourse(owner, { lessons })).id
await buy(app, buyer, 'lesson', lesson)
await buy(app, buyer, 'course', course)

async function pageOf(path: string, { cookie }: Person): Promise<string> {
  const answer = await fetch(app.url + path, { headers: { cookie } })
  expect(answer.status).toBe(200)
  return answer.text()
}

/** Returns the statements of a page, without those of background work. */
async function statementsOfPage(path: string, person: Person): Promise<string[]> {
  await app.app.views.flush()
  // A purchase becomes a notice within a second, outside any page.
  await expect
    .poll(async () => (await app.app.database.pool.query('select from events')).rowCount)
    .toBe(0)
  const sent = await statementsOf(async () => {
    expect(await pageOf(path, person)).toContain(person.session.username)
  })
  const texts = sent.map(({ text }) => text)
  return texts.filter((text) => !/lesson_views|site_settings|\bevents\b|\bnodes\b/.test(text))
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
      await pageOf('/', who())
      const texts = await statementsOfPage('/', who())
      expect(texts.length, texts.join('\n=====\n')).toBeLessThanOrEqual(MOST)
    },
  )

  test('shows where the person left off, and has its rows', async () => {
    const html = await pageOf('/', reader)
    expect(html).toContain('12:40')
    expect(html).toContain(`href="/lesson/details/${lesson}"`)
  })
})

test('a new comment and a new price are shown at once', async () => {
  await app.give(buyer, 100)
  const { id } = await app.publishLesson(owner)
  const before = await pageOf('/lesson/all', buyer)
  expect(before).toContain(`href="/lesson/details/${id}"`)
  await buy(app, buyer, 'lesson', id)
  const after = await pageOf('/lesson/all', buyer)
  expect(after.split('ribbon').length).toBe(before.split('ribbon').length + 1)
  const said = { text: 'Somebody says it for the first time.' }
  const comment = await done<{ id: number }>(app, buyer, `POST /comment/create/${id}`, said)
  const page = `/lesson/details/${id}`
  expect(await pageOf(page, owner)).toContain(`id="comment-${comment.id}"`)
  await done(app, buyer, `DELETE /comment/delete/${comment.id}`)
  expect(await pageOf(page, owner)).not.toContain(`id="comment-${comment.id}"`)
})

test.each([
  ['', 'ownLessons'],
  ['?show=courses', 'ownCourses'],
  ['?show=comments', 'comments'],
])('the data of a profile%s contains only the list that is shown', async (query, list) => {
  const text = 'What one needs is flour.'
  await done(app, owner, `POST /comment/create/${lesson}`, { text })
  const html = await pageOf(`/profile/${owner.session._id}${query}`, buyer)
  const data: unknown = JSON.parse(/id="page">(.*?)<\/script>/.exec(html)?.[1] ?? 'null')
  expect(data).toMatchObject({
    loaderData: {
      '/profile/:id': {
        profile: {
          ownLessons: [],
          ownCourses: [],
          comments: [],
          counts: { lessons: expect.any(Number) },
          [list]: expect.arrayContaining([expect.objectContaining({ id: expect.any(Number) })]),
        },
      },
    },
  })
})
