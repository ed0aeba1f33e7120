/** Open pages poll for new, changed and deleted comments every few seconds. */
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { Comment, CommentChanges } from '#contract/comments.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { signUpAll } from '#server/testing/people.ts'

let lessonId: number
const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', RATE_LIMITS: 'off' })
const { ann, admin } = await signUpAll(app, 'ann', 'admin')
await setRole(app.app.database.db, 'admin', 'administrator')
beforeEach(async () => {
  lessonId = (await app.publishLesson(ann)).id
})
afterEach(() => {
  app.clock.time = null
})
afterAll(() => app.close())

const write = (as: Person, id = lessonId) =>
  done<Comment>(app, as, `POST /comment/create/${id}`, { text: 'This made it clear to me.' })
const edit = (as: Person, id: number) =>
  done(app, as, `PUT /comment/edit/${id}`, { text: 'Said in better words.' })
const remove = (as: Person, id: number) => done(app, as, `DELETE /comment/delete/${id}`)
const changes = (as: Person, query = '') =>
  done<CommentChanges>(app, as, `GET /comment/changes/${lessonId}${query}`)
const moveOn = (ms: number) => {
  app.clock.time = new Date(app.clock.now().getTime() + ms)
}

test('changes of a missing lesson are refused', async () => {
  expect((await app.call('GET', '/comment/changes/999999', { as: ann })).status).toBe(404)
})

test('new, changed and deleted comments come in one response, as the viewer sees them', async () => {
  const kept = await write(ann)
  const changed = await write(ann)
  const gone = await write(admin)
  const { at } = await changes(ann, `?after=${gone.id}`)
  const fresh = await write(admin)
  await edit(ann, changed.id)
  await remove(admin, gone.id)
  const answer = await changes(ann, `?after=${gone.id}&since=${at}`)
  expect(answer.fresh).toEqual([{ ...fresh, mine: false }])
  expect(answer.changed).toMatchObject([
    { id: changed.id, text: 'Said in better words.', mine: true, edited: expect.any(String) },
  ])
  expect(answer.gone).toEqual([gone.id])
  expect((await changes(admin, `?after=${kept.id}`)).changed).toMatchObject([{ mine: false }])
})

test('other lessons are left out, and a changed and then deleted comment is only deleted', async () => {
  const own = await write(ann)
  const elsewhere = (await app.publishLesson(ann)).id
  const foreign = await write(ann, elsewhere)
  await edit(ann, foreign.id)
  await edit(ann, own.id)
  await remove(ann, own.id)
  expect(await changes(ann, `?after=${own.id}`)).toMatchObject({
    fresh: [],
    changed: [],
    gone: [own.id],
  })
})

test('changes are repeated for a while, and a time in the future means now', async () => {
  const comment = await write(ann)
  await edit(ann, comment.id)
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

test('a restored comment is no longer listed as deleted', async () => {
  const comment = await write(ann)
  await remove(admin, comment.id)
  expect((await changes(ann)).gone).toEqual([comment.id])
  await done(app, admin, `POST /comment/restore/${comment.id}`)
  expect((await changes(ann)).gone).toEqual([])
})
