/** Tests that pages of signed-in people are never stale. */
import { expect, test } from 'vitest'
import type { Person } from '#server/testing/app.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000' }, await loadSourceRenderer())
const owner = await app.signUp('owner')
const buyer = await app.signUp('buyer')
const people = { owner, buyer }
await app.give(buyer, 1000)
await app.publishCourse(owner)
const { id } = await app.publishLesson(owner)
const text = 'What one needs is flour.'
await app.call('POST', `/comment/create/${id}`, { as: owner, json: { text } })
// People see comments only on lessons that they have unlocked.
await app.call('POST', `/lesson/buy/${id}`, { as: buyer })

async function pageOf(path: string, as: Person): Promise<string> {
  const answer = await fetch(app.url + path, { headers: { cookie: as.cookie } })
  return answer.text()
}

test('a new comment and a new price are shown at once', async () => {
  const { owner, buyer } = people
  const { id } = await app.publishLesson(owner)
  const before = await pageOf('/lesson/all', buyer)
  expect(before).toContain(`href="/lesson/details/${id}"`)
  await app.call('POST', `/lesson/buy/${id}`, { as: buyer })
  const after = await pageOf('/lesson/all', buyer)
  expect(after.split('ribbon').length).toBe(before.split('ribbon').length + 1)
  const { body } = await app.call<{ id: number }>('POST', `/comment/create/${id}`, {
    as: buyer,
    json: { text: 'Somebody says it for the first time.' },
  })
  const lesson = `/lesson/details/${id}`
  expect(await pageOf(lesson, owner)).toContain(`id="comment-${body.id}"`)
  await app.call('DELETE', `/comment/delete/${body.id}`, { as: buyer })
  expect(await pageOf(lesson, owner)).not.toContain(`id="comment-${body.id}"`)
})

test.each([
  ['', 'ownLessons'],
  ['?show=courses', 'ownCourses'],
  ['?show=comments', 'comments'],
])('the data of a profile%s contains only the list that is shown', async (query, list) => {
  const address = `/profile/${people.owner.session._id}`
  const html = await pageOf(address + query, people.buyer)
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
