/** Whatever is bought and deleted during an erasure, rights and books must match what was paid. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { audit } from '#server/operate/audit/audit.ts'
import { countRuns } from '#server/testing/lane.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000' })
const buyers = await Promise.all(['bob', 'carl'].map((name) => app.signUp(name)))
for (const buyer of buyers) await app.give(buyer, 100_000)

const item = fc.record({
  kind: fc.constantFrom('lesson', 'course'),
  which: fc.nat(8),
  buyer: fc.nat(1),
})
/** What is bought before and during the erasure, and what the owner deletes during it. */
const history = fc.record({
  before: fc.array(item, { maxLength: 4 }),
  during: fc.array(item, { maxLength: 6 }),
  dropped: fc.array(item, { maxLength: 2 }),
})
type Item = typeof item extends fc.Arbitrary<infer Value> ? Value : never

/** Conditions that the audit doesn't check. Each query returns only violations. */
const WRONG = {
  'something of an erased person still lives': `
    select i.id from (
      select id, owner_id, deleted_at from lessons union all select id, owner_id, deleted_at from courses
    ) i join users u on u.id = i.owner_id where u.erased_at is not null and i.deleted_at is null`,
  'something is kept that nobody bought': `
    select k.id from courses k where kept_for_buyers and not exists
      (select from course_purchases p where p.course_id = k.id)
    union all
    select l.id from lessons l where kept_for_buyers and not exists
      (select from lesson_purchases p where p.lesson_id = l.id)
      and not exists (select from course_lessons h join courses k on k.id = h.course_id
        where h.lesson_id = l.id and k.kept_for_buyers)`,
}

let people = 0

test(
  'any purchases around an erasure leave books and rights correct',
  { timeout: 180_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ before, during, dropped }) => {
        const owner = await app.signUp(`owner${(people += 1)}`)
        const courses = [await app.publishCourse(owner)]
        const made = courses[0]?.lessons.map(({ id }) => id) ?? []
        courses.push(await app.publishCourse(owner, { lessons: made }))
        const ids = {
          lesson: [...made, (await app.publishLesson(owner)).id],
          course: courses.map(({ id }) => id),
        }
        const idOf = ({ kind, which }: Item) => ids[kind][which % ids[kind].length] ?? 0
        const buy = async (one: Item) => {
          const path = `/${one.kind}/buy/${idOf(one)}`
          const { status } = await app.call('POST', path, { as: buyers[one.buyer] })
          expect([200, 404, 409]).toContain(status)
        }
        for (const one of before) await buy(one)
        const password = { json: { password: owner.password } }
        const [{ status }] = await Promise.all([
          app.call('POST', '/identity/erase', { as: owner, ...password }),
          ...during.map(buy),
          ...dropped.map(async (one) => {
            const answer = await app.call('DELETE', `/${one.kind}/${idOf(one)}`, { as: owner })
            expect([200, 401, 404, 409]).toContain(answer.status)
          }),
          app.runJobs(),
        ])
        expect(status).toBe(204)
        await app.runJobs()
        const { db } = app.app.database
        expect((await audit({ db, storage: app.app.core.storage })).findings).toEqual([])
        for (const [wrong, query] of Object.entries(WRONG))
          expect((await app.app.database.pool.query(query)).rows, wrong).toEqual([])
        for (const [place, buyer] of buyers.entries())
          for (const kind of ['lesson', 'course'] as const)
            for (const id of ids[kind]) {
              const { rows } = await app.app.database.pool.query(
                kind === 'course'
                  ? 'select from course_purchases where user_id = $1 and course_id = $2'
                  : `select from lesson_purchases where user_id = $1 and lesson_id = $2
                  union all select from course_purchases p join course_lessons h using (course_id)
                  where p.user_id = $1 and h.lesson_id = $2`,
                [buyer.session._id, id],
              )
              const shown = await app.call('GET', `/${kind}/${id}`, { as: buyer })
              expect([place, kind, shown.status]).toEqual([
                place,
                kind,
                rows.length > 0 ? 200 : 404,
              ])
            }
      }),
      { numRuns: countRuns(8), seed: 20_261_122, endOnFailure: true },
    )
  },
)
