import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Notice } from '#contract/notices.ts'
import { createFollowerTeller } from '#server/community/notices/following.ts'
import { done } from '#server/testing/http/answers.ts'
import { settleAll } from '#server/testing/learning/notices.ts'
import { signUpAll } from '#server/testing/people.ts'
import { openTestApp } from '#server/testing/setup.ts'

const FOLLOWERS = 10_000

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, bob } = await signUpAll(app, 'ann', 'bob')

const db = () => app.app.database.db
async function published(): Promise<number> {
  const { id } = await app.publishLesson(ann)
  await settleAll(app)
  return id
}
async function toldOf(lessonId: number): Promise<{ rows: number; people: number }> {
  const { rows } = await sql<{ rows: number; people: number }>`
    select count(*) as rows, count(distinct user_id) as people from notices
    where kind = 'published' and item_id = ${lessonId}`.execute(db())
  return rows[0] ?? { rows: 0, people: 0 }
}
const toldBob = async () => {
  await app.runJobs()
  const { body } = await app.call<{ notices: Notice[] }>('GET', '/notice/all', { as: bob })
  return body.notices.map(({ kind, item }) => [kind, item?.id])
}

test('followers are notified of published items, and nobody else is', async () => {
  await published()
  expect(await toldBob()).toEqual([])
  await done(app, bob, `PUT /follow/${ann.session._id}`)
  const id = await published()
  expect(await toldBob()).toEqual([['published', id]])
  const { id: course } = await app.publishCourse(ann)
  await settleAll(app)
  expect(await toldBob()).toContainEqual(['published', course])
})

test('nobody is notified of items deleted meanwhile', async () => {
  const id = await published()
  await done(app, ann, `DELETE /lesson/${id}`)
  await app.runJobs()
  expect(await toldOf(id)).toEqual({ rows: 0, people: 0 })
})

test('ten thousand followers are notified once, even if the job is interrupted', async () => {
  await sql`
    with fans as (
      insert into users (id, username, username_skeleton, username_folded, email, email_folded, password_hash)
      select gen_random_uuid(), n.name, n.name, n.name, n.name || '@people.example', n.name || '@people.example', ''
      from (select 'fan' || place as name from generate_series(1, ${FOLLOWERS}::integer) place) n returning id
    )
    insert into follows (follower_id, author_id, created_at) select id, ${ann.session._id}, now() from fans`.execute(
    db(),
  )
  const { id } = await app.publishLesson(ann)
  const notifyFollowers = createFollowerTeller(app.app.core)
  const payload = { kind: 'lesson', id, at: new Date().toISOString() } as const
  const killed = new AbortController()
  app.app.core.events.subscribe(({ type }) => {
    if (type === 'notices.changed') killed.abort()
  })
  const context = { signal: killed.signal, attempt: 1, maxAttempts: 25 }
  await expect(notifyFollowers(payload, context)).rejects.toThrow()
  const { rows } = await toldOf(id)
  expect(rows).toBeGreaterThan(0)
  expect(rows).toBeLessThan(FOLLOWERS)
  await notifyFollowers(payload, { ...context, signal: new AbortController().signal })
  expect(await toldOf(id)).toEqual({ rows: FOLLOWERS + 1, people: FOLLOWERS + 1 })
})
