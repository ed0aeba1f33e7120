import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'

let app: TestApp
let owner: Person
let reader: Person
beforeAll(async () => {
  app = await createTestApp()
  owner = await app.signUp('owner')
  reader = await app.signUp('reader')
})
afterAll(() => app.close())

type Archive = Record<string, Record<string, unknown>[]> & { person: Record<string, unknown> }
const take = (as: Person) => app.call<Archive>('GET', '/identity/export', { as })

it('comes as a file', async () => {
  const { status, headers } = await take(reader)
  expect(status).toBe(200)
  expect(headers.get('content-disposition')).toBe('attachment; filename="knowledge-bazaar.json"')
  expect(headers.get('cache-control')).toBe('no-store')
})

it('holds what is one’s own, and no secrets', async () => {
  const { id } = await app.publishLesson(owner, { title: 'Of the owner' })
  const own = await app.publishLesson(reader, { title: 'Of the reader' })
  await app.call('POST', `/lesson/buy/${id}`, { as: reader })
  await app.call('POST', `/lesson/like/${id}`, { as: reader })
  const text = 'Bought, read and liked.'
  await app.call('POST', `/comment/create/${id}`, { as: reader, json: { text } })
  const letter = { text: 'Thank you', receiverUsername: 'owner' }
  await app.call('POST', '/message/create', { as: reader, json: letter })
  const report = { kind: 'lesson', id, text: 'The link is broken' }
  await app.call('POST', '/flag', { as: reader, json: report })
  const { body } = await take(reader)
  const { _id, username, email } = reader.session
  expect(body.person).toMatchObject({ id: _id, username, email, formerNames: [] })
  expect(body).toMatchObject({
    lessons: [{ id: own.id, title: 'Of the reader', article: expect.stringContaining('<p>') }],
    courses: [],
    comments: [{ lesson: id, text }],
    likedLessons: [{ id }],
    boughtLessons: [{ id, price: 100 }],
    messages: [{ receiver: owner.session._id, text: 'Thank you' }],
    reports: [{ kind: 'lesson', subject: `${id}`, text: 'The link is broken' }],
    bugReports: [],
    points: [{ amount: 100 }, { amount: -100, item: id }],
  })
  expect(body['lessons']?.[0]?.['video']).toMatch(/^https:\/\/www\.youtube\.com\/embed\//)
  expect(JSON.stringify(body)).not.toMatch(/w1x0|argon2|password/i)
})

it('holds everything of who did much', async () => {
  await app.app.database.pool.query(
    `insert into point_entries (user_id, amount, reason, occurrence, net_after)
    select $1, 0, 'edited', n::text, 0 from generate_series(1, 250) n`,
    [owner.session._id],
  )
  const { body } = await take(owner)
  const ids = body['points']?.map(({ id }) => id) ?? []
  // Includes the reward for the lesson and the share of its sale.
  expect(new Set(ids).size).toBe(252)
})
