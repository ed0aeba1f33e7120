/** What an appeal may restore is stored until 30 days after its decision. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Appeal } from '#contract/appeals.ts'
import type { Comment } from '#contract/comments.ts'
import { MODERATED_DAYS, UNDO_DAYS } from '#contract/limits.ts'
import type { LogEntry } from '#contract/moderation.ts'
import { audit } from '#server/operate/audit/audit.ts'
import { setRole } from '#server/people/accounts/store.ts'
import type { Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { signUpAll } from '#server/testing/people.ts'
import { openTestApp } from '#server/testing/setup.ts'

/** In days. */
const SOME_YEARS = 1000

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob, admin } = await signUpAll(app, 'ann', 'bob', 'admin')
const { db } = app.app.database
await setRole(db, 'admin', 'administrator')

const appealNewest = async (as: Person) => {
  const [entry] = await done<LogEntry[]>(app, admin, 'GET /admin/log')
  const act = `act-${entry?.id ?? 0}`
  return done<Appeal>(app, as, 'POST /appeal/create', { act, text: 'It was lawful' })
}
const decide = (id: number, granted: boolean) =>
  app.call('POST', `/appeal/decide/${id}`, { as: admin, json: { granted, text: 'I read it' } })
/** Runs the jobs that delete what was settled long ago. */
async function clear(days: number): Promise<void> {
  app.clock.time = new Date(Date.now() + days * 24 * 60 * 60 * 1000)
  await sql`select graphile_worker.add_job('clearSettled'), graphile_worker.add_job('continueRemovals')`.execute(
    db,
  )
  await app.runJobs()
  app.clock.time = null
}
const has = async (table: 'restorable_items') =>
  (await sql`select from ${sql.table(table)}`.execute(db)).rows.length > 0

test('comments, lessons and decisions about copies outlive open appeals', async () => {
  const lesson = await app.publishLesson(ann)
  const text = 'Somebody said: all of this is wrong'
  const comment = await done<Comment>(app, ann, `POST /comment/create/${lesson.id}`, { text })
  await done(app, admin, `DELETE /comment/delete/${comment.id}`)
  const appeals = [await appealNewest(ann)]
  const removed = await app.publishLesson(ann)
  await done(app, admin, `DELETE /lesson/${removed.id}?reason=Not%20lawful`)
  appeals.push(await appealNewest(ann))
  const copy = await app.publishLesson(bob, { article: lesson.article })
  const { id } = await done<{ id: number }>(app, ann, `POST /lesson/claim/${copy.id}`)
  const decision = { outcome: 'removed', reason: 'Taken from Ann' }
  await done(app, admin, `POST /admin/flags/${id}/outcome`, decision)
  appeals.push(await appealNewest(bob))
  await clear(SOME_YEARS)
  for (const each of appeals) expect((await decide(each.id, true)).status).toBe(200)
  const shown = await done<Comment[]>(app, ann, `GET /comment/lesson/${lesson.id}`)
  expect(shown.map((each) => each.id)).toEqual([comment.id])
  for (const each of [removed, copy])
    expect((await app.call('GET', `/lesson/${each.id}`)).status).toBe(200)
  expect((await audit(app.app.core)).findings).toEqual([])
})

test('they are deleted 30 days after the appeal was declined', async () => {
  const lesson = await app.publishLesson(ann)
  await done(app, admin, `DELETE /lesson/${lesson.id}?reason=Not%20lawful`)
  await clear(MODERATED_DAYS - 1)
  expect(await has('restorable_items')).toBe(true)
  const { id } = await appealNewest(ann)
  await decide(id, false)
  await sql`update restorable_items set deleted_at = deleted_at - interval '300 days'`.execute(db)
  await clear(UNDO_DAYS - 1)
  expect(await has('restorable_items')).toBe(true)
  await clear(UNDO_DAYS + 1)
  expect(await has('restorable_items')).toBe(false)
})
