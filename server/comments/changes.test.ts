/** What open pages ask for every few seconds: new comments, changed ones, deleted ones. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Comment, CommentChanges } from '#contract/comments.schemas.ts'
import { setRole } from '#server/accounts/store.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'

let app: TestApp
let ann: Person
let eve: Person
let admin: Person
let lessonId: number
beforeAll(async () => {
  app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', RATE_LIMITS: 'off' })
  ann = await app.signUp('ann')
  eve = await app.signUp('eve')
  admin = await app.signUp('admin')
  await setRole(app.app.database.db, 'admin', 'administrator')
})
beforeEach(async () => {
  lessonId = (await app.publishLesson(ann)).id
})
afterEach(() => {
  app.clock.time = null
})
afterAll(() => app.close())

const write = async (as: Person, text = 'This made it clear to me.', id = lessonId) =>
  (await app.call<Comment>('POST', `/comment/create/${id}`, { as, json: { text } })).body
const edit = (as: Person, id: number, text: string) =>
  app.call('PUT', `/comment/edit/${id}`, { as, json: { text } })
const remove = (as: Person, id: number) => app.call('DELETE', `/comment/delete/${id}`, { as })
const ask = (as: Person | undefined, query = '', id: number | string = lessonId) =>
  app.call<CommentChanges>('GET', `/comment/changes/${id}${query}`, { as })
const changes = async (as: Person, query = '') => (await ask(as, query)).body
const moveOn = (ms: number) => {
  app.clock.time = new Date(app.clock.now().getTime() + ms)
}

describe('it is refused', () => {
  test('for guests and for who has not unlocked the lesson, where there is none, and without an id', async () => {
    const { id } = await write(ann)
    await remove(ann, id)
    expect((await ask(undefined)).status).toBe(401)
    expect((await ask(eve)).status).toBe(403)
    expect((await ask(ann, '', 999_999)).status).toBe(404)
    expect((await ask(ann, '', 'word')).status).toBe(400)
  })
  test('for what is no moment and no id', async () => {
    for (const word of ['word', '-1', '0', '1.5', '99999999999999999999', '2026-01-01']) {
      expect((await ask(ann, `?since=${word}`)).status).toBe(400)
      // After zero is from the beginning.
      expect((await ask(ann, `?after=${word}`)).status).toBe(word === '0' ? 200 : 400)
    }
  })
})

test('a new one, a changed one and a deleted one come in one answer, as the viewer sees them', async () => {
  const kept = await write(ann)
  const changed = await write(ann)
  const gone = await write(admin)
  const { at } = await changes(ann, `?after=${gone.id}`)
  const fresh = await write(admin)
  await edit(ann, changed.id, 'Said in better words.')
  await remove(admin, gone.id)
  const answer = await changes(ann, `?after=${gone.id}&since=${at}`)
  expect(answer.fresh).toEqual([{ ...fresh, mine: false }])
  expect(answer.changed).toMatchObject([
    { id: changed.id, text: 'Said in better words.', mine: true, edited: expect.any(String) },
  ])
  expect(answer.gone).toEqual([gone.id])
  expect((await changes(admin, `?after=${kept.id}`)).changed).toMatchObject([{ mine: false }])
})

test('nothing comes of another lesson, and what was changed and then deleted is gone alone', async () => {
  const own = await write(ann)
  const elsewhere = (await app.publishLesson(ann)).id
  const foreign = await write(ann, undefined, elsewhere)
  await edit(ann, foreign.id, 'Said in better words.')
  await edit(ann, own.id, 'Said in better words.')
  await remove(ann, own.id)
  expect(await changes(ann, `?after=${own.id}`)).toMatchObject({
    fresh: [],
    changed: [],
    gone: [own.id],
  })
})

test('what was told is told again for a while, and then no more; a moment to come is now', async () => {
  const comment = await write(ann)
  await edit(ann, comment.id, 'Said in better words.')
  const first = await changes(ann)
  expect(first.changed).toHaveLength(1)
  expect((await changes(ann, `?since=${first.at}`)).changed).toHaveLength(1)
  moveOn(30_000)
  const later = await changes(ann, `?since=${first.at}`)
  expect((await changes(ann, `?since=${later.at}`)).changed).toEqual([])
  expect((await changes(ann, `?since=${Number.MAX_SAFE_INTEGER}`)).changed).toEqual([])
  moveOn(60_000)
  expect((await changes(ann)).changed).toEqual([])
  expect((await changes(ann, '?since=1')).changed).toHaveLength(1)
})

test('what an administrator brings back is no longer gone', async () => {
  const comment = await write(ann)
  await remove(admin, comment.id)
  expect((await changes(ann)).gone).toEqual([comment.id])
  await app.call('POST', `/comment/restore/${comment.id}`, { as: admin })
  expect((await changes(ann)).gone).toEqual([])
})
