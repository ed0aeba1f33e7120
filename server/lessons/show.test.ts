import { afterAll, describe, expect, test, vi } from 'vitest'
import type { Problem } from '#contract/errors.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { setRole } from '#server/accounts/store.ts'
import { NO_RIGHTS } from '#server/items/access.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp()
const { ann, bob, admin } = await signUpAll(app, 'ann', 'bob', 'admin')
await setRole(app.app.database.db, 'admin', 'administrator')
const lesson = await app.publishLesson(ann, {
  resources: 'https://secret.example/notes',
  article: `<p>Secret ${'word '.repeat(50)}</p>`,
})
afterAll(() => app.close())

const show = (as?: Person, headers: Record<string, string> = {}) =>
  app.call<OpenLesson>('GET', `/lesson/${lesson.id}`, { as, headers })
const PAID = ['video', 'article', 'resources']

describe('refusals', () => {
  test('a missing lesson is a problem in the words of the spec', async () => {
    const { status, body } = await app.call<Problem>('GET', '/lesson/999999')
    expect([status, body.title]).toEqual([404, 'Lesson not found or deleted (sorry)'])
  })
  test('what is no id is 400', async () => {
    expect((await app.call('GET', '/lesson/1.5')).status).toBe(400)
    expect((await app.call('GET', '/lesson/99999999999999999999')).status).toBe(400)
  })
  test('a guest gets nothing that is paid for', async () => {
    const { body } = await show()
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(PAID))
    for (const field of PAID) expect(body).not.toHaveProperty(field)
    expect(JSON.stringify(body)).not.toMatch(/Secret|secret\.example|youtube/)
    expect(body).toMatchObject({
      comments: 0,
      can: { see: false, buy: false },
      inside: { articleMinutes: 1, resource: true },
    })
  })
  test('a stranger gets nothing that is paid for but may buy and like', async () => {
    const { body } = await show(bob)
    for (const field of PAID) expect(body).not.toHaveProperty(field)
    expect(body.can).toEqual({ ...NO_RIGHTS, like: true, buy: true })
  })
})

test('owner and administrator see everything', async () => {
  for (const person of [ann, admin]) {
    const { body } = await show(person)
    expect(body).toMatchObject({
      video: lesson.video,
      article: lesson.article,
      resources: 'https://secret.example/notes',
      comments: [],
      can: { see: true, edit: true, delete: true, buy: false },
    })
  }
})

test('a buyer sees everything and edits nothing', async () => {
  await app.earn(bob, 100)
  await app.call('POST', `/lesson/buy/${lesson.id}`, { as: bob })
  const { body } = await show(bob)
  expect(body).toMatchObject({
    bought: true,
    video: lesson.video,
    can: { see: true, edit: false, delete: false, buy: false, comment: true },
  })
})

test('each visit of others counts, the owner, HEAD and prefetch do not', async () => {
  const { id } = await app.publishLesson(ann)
  const visit = (
    agent: string,
    headers: Record<string, string> = {},
    as?: Person,
    method = 'GET',
  ) =>
    app.call<OpenLesson>(method, `/lesson/${id}`, {
      as,
      headers: { 'user-agent': agent, ...headers },
    })
  await visit('owner', {}, ann)
  await visit('head', {}, undefined, 'HEAD')
  await visit('prefetch', { 'sec-purpose': 'prefetch' })
  await visit('one')
  await visit('one')
  await visit('two')
  await visit('three', {}, bob)
  await visit('four', {}, bob)
  await vi.waitFor(async () => expect((await visit('owner', {}, ann)).body.views).toBe(3), 5000)
})
