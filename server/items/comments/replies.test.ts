import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { Comment, ModeratedComment } from '#contract/comments.ts'
import type { Problem } from '#contract/errors.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob, admin } = await signUpAll(app, 'ann', 'bob', 'admin')
await setRole(app.app.database.db, 'admin', 'administrator')
await app.give(bob, 100)
const lessonId = (await app.publishLesson(ann)).id
await done(app, bob, `POST /lesson/buy/${lessonId}`)
afterEach(() => {
  app.clock.time = null
})
afterAll(() => app.close())

const TEXT = 'This made it clear to me.'
const MINUTE = 60_000
const write = (as: Person, json: object = {}, id = lessonId) =>
  app.call<Comment & Problem>('POST', `/comment/create/${id}`, {
    as,
    json: { text: TEXT, ...json },
  })
const edit = (as: Person, id: number, text: unknown = 'Said in better words.') =>
  app.call<Comment & Problem>('PUT', `/comment/edit/${id}`, { as, json: { text } })
const remove = (as: Person, id: number) => done(app, as, `DELETE /comment/delete/${id}`)
const list = (as: Person, id = lessonId) => done<Comment[]>(app, as, `GET /comment/lesson/${id}`)

describe('an answer is refused', () => {
  const refused = async (replyTo: unknown) => {
    const { status, body } = await write(bob, { replyTo })
    return [status, Object.keys(body.errors ?? {})]
  }
  test('to an answer, to a deleted comment, to one of another lesson, to none', async () => {
    const before = (await list(ann)).length
    const { body: root } = await write(bob)
    const { body: answer } = await write(ann, { replyTo: root.id })
    const { body: gone } = await write(bob)
    await remove(bob, gone.id)
    const elsewhere = (await app.publishLesson(ann)).id
    const { body: foreign } = await write(ann, {}, elsewhere)
    for (const replyTo of [answer.id, gone.id, foreign.id, 999_999, Number.MAX_SAFE_INTEGER])
      expect(await refused(replyTo)).toEqual([400, ['replyTo']])
    expect((await list(ann)).length).toBe(before + 2)
  })
  test('to what is no id', async () => {
    for (const replyTo of ['word', -1, 0, 1.5, '99999999999999999999', [1], {}])
      expect(await refused(replyTo)).toEqual([400, ['replyTo']])
  })
})

describe('an answer', () => {
  test('stands in the flat list, newest first, with what it answers and who wrote it', async () => {
    const { id } = await app.publishLesson(ann)
    const { body: root } = await write(admin, {}, id)
    const { body: other } = await write(admin, {}, id)
    const { status, body: answer } = await write(ann, { replyTo: root.id }, id)
    expect([status, answer.replyTo, answer.byAuthor]).toEqual([200, root.id, true])
    const seen = await list(admin, id)
    expect(seen.map((each) => [each.id, each.replyTo, each.byAuthor, each.replies])).toEqual([
      [answer.id, root.id, true, 0],
      [other.id, null, false, 0],
      [root.id, null, false, 1],
    ])
    const lesson = await done<{ comments: Comment[] }>(app, admin, `GET /lesson/${id}`)
    expect(lesson.comments).toEqual(seen)
    const alone = `GET /comment/lesson/${id}?before=${root.id + 1}&after=${root.id - 1}`
    expect(await done(app, admin, alone)).toEqual([seen[2]])
  })
  test('stays when what it answers is deleted, and leaves with its own deletion', async () => {
    const { id } = await app.publishLesson(ann)
    const { body: root } = await write(admin, {}, id)
    const { body: answer } = await write(ann, { replyTo: root.id }, id)
    const { body: second } = await write(ann, { replyTo: root.id }, id)
    await remove(ann, second.id)
    expect((await list(ann, id)).map(({ replies }) => replies)).toEqual([0, 1])
    await remove(admin, root.id)
    expect((await list(ann, id)).map((each) => [each.id, each.replyTo])).toEqual([
      [answer.id, root.id],
    ])
  })
  test('is one, however often its draft comes, also after what it answers was deleted', async () => {
    const { body: root } = await write(bob)
    const json = { replyTo: root.id, draftId: randomUUID() }
    const answers = await Promise.all(Array.from({ length: 5 }, () => write(ann, json)))
    await remove(bob, root.id)
    const late = await write(ann, json)
    expect(new Set([...answers, late].map(({ body }) => body.id)).size).toBe(1)
    expect(late.status).toBe(200)
  })
})

describe('a comment is not changed', () => {
  test('to a text that no comment may have, and where there is none any more', async () => {
    const { body: comment } = await write(bob)
    const { status, body } = await edit(bob, comment.id, 'a'.repeat(9))
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['text']])
    await remove(bob, comment.id)
    for (const id of [comment.id, 999_999]) expect((await edit(bob, id)).status).toBe(404)
  })
  test('after 15 minutes', async () => {
    const { body: comment } = await write(bob)
    // A session would have to be renewed before it is that old, so the comment is made older instead.
    const created_at = new Date(app.clock.now().getTime() - 15 * MINUTE)
    const { db } = app.app.database
    await db.updateTable('comments').set({ created_at }).where('id', '=', comment.id).execute()
    const { status, body } = await edit(bob, comment.id)
    expect([status, body.title]).toEqual([
      409,
      'You can edit a comment for 15 minutes. That time is over.',
    ])
    expect((await list(bob))[0]).toMatchObject({ id: comment.id, text: TEXT, edited: null })
  })
})

test('its writer changes a comment within 15 minutes, which everybody sees at once', async () => {
  const { body: comment } = await write(bob)
  expect((await list(ann))[0]?.text).toBe(TEXT)
  const start = app.clock.now().getTime()
  const late = new Date(start + 15 * MINUTE - 60_000)
  app.clock.time = late
  const { status, body } = await edit(bob, comment.id, '  Said in\r\nbetter words. ')
  const edited = late.toISOString()
  const changed = { ...comment, text: 'Said in\nbetter words.', edited }
  expect([status, body]).toEqual([200, changed])
  expect((await list(ann))[0]).toEqual({ ...changed, mine: false })
})

test('an edit without a change does not mark the comment', async () => {
  const { body: comment } = await write(bob)
  const { body } = await edit(bob, comment.id, TEXT)
  expect(body).toEqual(comment)
})

test('a changed comment is judged again', async () => {
  const { body: comment } = await write(bob, { text: 'Great, thank you very much!' })
  const read = async () => {
    await app.runJobs()
    const all = await done<ModeratedComment[]>(app, admin, 'GET /comment/all')
    return all.find(({ id }) => id === comment.id)
  }
  expect(await read()).toMatchObject({ prediction: 'POSITIVE' })
  await edit(bob, comment.id, 'You are an idiot, shut up.')
  const found = await done<ModeratedComment[]>(app, admin, 'GET /comment/all?search=shut%20up')
  expect(found.map(({ id, prediction }) => [id, prediction])).toEqual([[comment.id, null]])
  expect(await read()).toMatchObject({ prediction: 'TOXIC', edited: expect.any(String) })
})
