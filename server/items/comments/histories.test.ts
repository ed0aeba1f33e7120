/**
 * Several people write, delete, bulk delete and restore, partly concurrently. Afterwards the numbers of lessons
 * and courses must be right, and an administrator's deletions can be undone once.
 */
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Comment } from '#contract/comments.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { recountNumbers } from '#server/items/shared/recount.ts'
import { countRuns } from '#server/testing/lane.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000' })
const people = await Promise.all(['ann', 'adam', 'eve'].map((name) => app.signUp(name)))
for (const name of ['adam', 'eve']) await setRole(app.app.database.db, name, 'administrator')
const [ann] = people
if (ann === undefined) throw new RangeError('nobody')
const { lessons: seven } = await app.publishCourse(ann)
const lessons = seven.map(({ id }) => id)
lessons.push((await app.publishLesson(ann)).id)
await app.publishCourse(ann, { lessons: lessons.slice(1) })

const step = fc.record({
  kind: fc.constantFrom('write', 'write', 'delete', 'deleteMany', 'restore', 'restore'),
  who: fc.nat(2),
  lesson: fc.nat(6),
  /** Positions among all comments ever written, newest first. */
  which: fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 5 }),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
/** The steps of a group run concurrently. */
const histories = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 8,
})

async function act(written: number[], { kind, who, lesson, which }: Step): Promise<number> {
  const as = people[who]
  const ids = which.map((place) => written.at(-1 - place)).filter((id) => id !== undefined)
  const [id] = ids
  if (kind === 'write') {
    const path = `/comment/create/${lessons[lesson]}`
    const json = { text: 'A word in any history.' }
    const { status, body } = await app.call<Comment>('POST', path, { as, json })
    if (status === 200) written.push(body.id)
    return status
  }
  if (id === undefined) return 204
  if (kind === 'delete') return (await app.call('DELETE', `/comment/delete/${id}`, { as })).status
  if (kind === 'restore') return (await app.call('POST', `/comment/restore/${id}`, { as })).status
  return (await app.call('POST', '/comment/delete', { as, json: { ids } })).status
}

/** Returns the number of lessons and courses with a wrong number of comments. */
const countWrong = async () => {
  const { db } = app.app.database
  return (await recountNumbers(db, 'lesson')) + (await recountNumbers(db, 'course'))
}

/** Each deletion and restoration of somebody else's comment must be logged. */
async function countLog() {
  const { rows } = await sql<{ gone: number; logged: number }>`
    select
      (select count(*) from comments where deleted_by <> user_id) as gone,
      (select coalesce(sum(case action when 'commentDeleted' then 1 else -1 end), 0)::int from moderation_log) as logged`.execute(
    app.app.database.db,
  )
  return rows[0]
}

test('any history keeps the numbers of lessons and courses', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const written: number[] = []
      for (const group of history) {
        const statuses = await Promise.all(group.map((one) => act(written, one)))
        for (const status of statuses) expect([200, 204, 403, 404, 409]).toContain(status)
      }
      expect(await countWrong()).toBe(0)
      const { gone, logged } = (await countLog()) ?? {}
      expect(logged).toBe(gone)
    }),
    { numRuns: countRuns(20) },
  )
})
