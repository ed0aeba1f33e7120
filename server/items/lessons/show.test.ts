import { afterAll, expect, test, vi } from 'vitest'
import type { OpenLesson } from '#contract/lessons.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { NO_RIGHTS } from '#server/items/shared/access.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { publishLessons } from '#server/testing/learning/items.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp()
const { ann, bob, admin } = await signUpAll(app, 'ann', 'bob', 'admin')
await setRole(app.app.database.db, 'admin', 'administrator')
const lesson = await app.publishLesson(ann, {
  resources: 'https://secret.example/notes',
  article: `<p>Secret ${'word '.repeat(50)}</p>`,
})
afterAll(() => app.close())

const show = (as?: Person) => app.call<OpenLesson>('GET', `/lesson/${lesson.id}`, { as })
const paid = {
  video: lesson.video,
  article: lesson.article,
  resources: 'https://secret.example/notes',
}

test('what is paid for is given to owner and administrator alone, and each may do what is theirs', async () => {
  const editor = { ...NO_RIGHTS, see: true, edit: true, delete: true, comment: true }
  for (const [as, can] of [
    [undefined, NO_RIGHTS],
    [bob, { ...NO_RIGHTS, like: true, buy: true }],
    [ann, editor],
    [admin, { ...editor, like: true }],
  ] as const) {
    const { body } = await show(as)
    expect(body).toMatchObject({ can, inside: { articleMinutes: 1, resource: true } })
    if (can.see) expect(body).toMatchObject({ ...paid, comments: [] })
    else {
      expect(body.comments).toBe(0)
      for (const field of Object.keys(paid)) expect(body).not.toHaveProperty(field)
      expect(JSON.stringify(body)).not.toMatch(/Secret|secret\.example|youtube/)
    }
  }
})

test('a buyer sees everything and edits nothing', async () => {
  await app.earn(bob, 100)
  await done(app, bob, `POST /lesson/buy/${lesson.id}`)
  const { body } = await show(bob)
  expect(body).toMatchObject({
    bought: true,
    video: lesson.video,
    can: { see: true, edit: false, delete: false, buy: false, comment: true },
  })
})

test('a free preview is open to everybody and commented on by buyers only', async () => {
  const { id } = lesson
  const lessons = [id, ...(await publishLessons(app, ann, 5))]
  await app.publishCourse(ann, { lessons, freePreview: id })
  const json = { text: 'So this is how it is done.' }
  await done(app, ann, `POST /comment/create/${id}`, json)
  const { body: guest } = await show()
  expect(guest).toMatchObject({ ...paid, comments: [{ mine: false }] })
  expect(guest.can).toEqual({ ...NO_RIGHTS, see: true })
  expect(await done(app, undefined, `GET /comment/lesson/${id}`)).toEqual(guest.comments)
  const eve = await app.signUp('eve')
  expect((await show(eve)).body.can).toMatchObject({ see: true, buy: true, comment: false })
  expect((await app.call('POST', `/comment/create/${id}`, { as: eve, json })).status).toBe(403)
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
