/**
 * Whatever happens concurrently to ratings, items and people: the stored sums must equal a recount, and a rating
 * must end with its right.
 */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { eraseItems } from '#server/operate/removal/erased-items.ts'
import type { ItemKind } from '#contract/points.ts'
import type { ItemRatings, Rating } from '#contract/ratings.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { forgetRatings } from '#server/items/ratings/leaving.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { countRuns } from '#server/testing/lane.ts'
import { addPeople, signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { ann, admin } = await signUpAll(app, 'ann', 'admin')
await setRole(app.app.database.db, 'admin', 'administrator')
afterAll(() => app.close())

const rate = (as: Person, kind: ItemKind, id: number, stars: number) =>
  app.call<Rating>('PUT', `/rating/${kind}/${id}`, { as, json: { stars } })
const open = (as: Person, id: number) =>
  app.call('PUT', `/progress/${id}`, { as, json: { opened: true } })
const buy = async (as: Person, kind: ItemKind, id: number) => {
  await app.give(as, 500)
  return app.call('POST', `/${kind}/buy/${id}`, { as })
}
const count = async (kind: ItemKind, id: number) =>
  (await app.call<ItemRatings>('GET', `/rating/${kind}/${id}`)).body.count

/** Returns items whose stored count, sum or rank differs from a recount, including deleted ones. */
async function findWrong() {
  const of = (kind: ItemKind) => sql`
    select ${sql.lit(kind)}::text as kind, i.id, i.ratings, i.rating_stars, i.rating_rank
    from ${sql.raw(`${kind}s`)} i, rating_means known, lateral (
      select count(*) as ratings, coalesce(sum(stars), 0) as stars from ratings r
      where r.${sql.raw(`${kind}_id`)} = i.id and r.deleted_at is null
    ) true_of
    where known.kind = ${sql.lit(kind)} and (i.ratings, i.rating_stars, i.rating_rank)
      <> (true_of.ratings, true_of.stars, rank_of_ratings(true_of.stars::bigint, true_of.ratings, known.mean))`
  const { rows } = await sql`${of('lesson')} union all ${of('course')}`.execute(app.app.database.db)
  return rows
}

/** Returns ratings of people without access to the item. */
async function findUnheld() {
  const { rows } = await sql`
    select r.id from ratings r where r.deleted_at is null and not exists (
      select from lesson_purchases p join lessons l on l.id = p.lesson_id and (l.deleted_at is null or l.kept_for_buyers)
      where p.user_id = r.user_id and p.lesson_id = r.lesson_id
      union all
      select from course_purchases p join courses k on k.id = p.course_id and (k.deleted_at is null or k.kept_for_buyers)
      left join course_lessons held on held.course_id = k.id
      left join course_kept_lessons kept on kept.course_id = k.id
      where p.user_id = r.user_id and (r.course_id = k.id or r.lesson_id in (held.lesson_id, kept.lesson_id))
    )`.execute(app.app.database.db)
  return rows
}

test('a deleted course removes the ratings of its lessons by people without other access', async () => {
  const course = await app.publishCourse(ann)
  const [id = 0] = course.lessons.map((one) => one.id)
  const [single, whole, both] = await addPeople(app, 3)
  if (single === undefined || whole === undefined || both === undefined) throw new RangeError()
  await buy(single, 'lesson', id)
  await buy(both, 'lesson', id)
  await buy(whole, 'course', course.id)
  await buy(both, 'course', course.id)
  for (const person of [single, whole, both]) {
    await open(person, id)
    expect((await rate(person, 'lesson', id, 3)).status).toBe(200)
  }
  expect((await rate(whole, 'course', course.id, 5)).status).toBe(200)
  await done(app, ann, `DELETE /course/${course.id}`)
  await app.runJobs()
  expect(await count('lesson', id)).toBe(2)
  expect([await findWrong(), await findUnheld()]).toEqual([[], []])
})

test('items of an erased author keep the buyers’ ratings, and accept no new ones', async () => {
  const { db } = app.app.database
  const author = await app.signUp('author')
  const { id } = await app.publishLesson(author)
  const [buyer, late] = await addPeople(app, 2)
  if (buyer === undefined || late === undefined) throw new RangeError()
  for (const person of [buyer, late]) {
    await buy(person, 'lesson', id)
    await open(person, id)
  }
  await rate(buyer, 'lesson', id, 4)
  await eraseItems(db, author.session._id, app.clock.now())
  await app.runJobs()
  expect((await rate(late, 'lesson', id, 1)).status).toBe(403)
  const seen = await app.call<ItemRatings>('GET', `/rating/lesson/${id}`, { as: buyer })
  expect([seen.status, seen.body.count]).toEqual([200, 1])
  expect((await app.call('GET', `/rating/lesson/${id}`)).status).toBe(404)
  expect(await findWrong()).toEqual([])
})

const step = fc.record({
  kind: fc.constantFrom(
    'rate',
    'rate',
    'rate',
    'unrate',
    'delete',
    'restore',
    'buy',
    'deleteItem',
    'erase',
  ),
  who: fc.nat(3),
  item: fc.nat(4),
  stars: fc.integer({ min: 1, max: 5 }),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
/** Steps of one group run concurrently. */
const histories = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 6,
})

interface World {
  readonly people: readonly Person[]
  readonly items: readonly { kind: ItemKind; id: number }[]
  readonly given: number[]
}

async function makeWorld(): Promise<World> {
  const course = await app.publishCourse(ann)
  const ids = course.lessons.map(({ id }) => id)
  const people = await addPeople(app, 4)
  const [one, two, three] = people
  if (one === undefined || two === undefined || three === undefined) throw new RangeError()
  const [first = 0, second = 0, third = 0, fourth = 0] = ids
  await buy(one, 'course', course.id)
  await buy(two, 'lesson', first)
  await buy(two, 'course', course.id)
  await buy(three, 'lesson', second)
  for (const person of people) for (const id of ids.slice(0, 4)) await open(person, id)
  const lessons = [first, second, third, fourth].map((id) => ({ kind: 'lesson' as const, id }))
  return { people, items: [{ kind: 'course', id: course.id }, ...lessons], given: [] }
}

async function act({ people, items, given }: World, step: Step): Promise<void> {
  const as = people[step.who] ?? ann
  const { kind, id } = items[step.item] ?? { kind: 'lesson', id: 0 }
  const ids = given.slice(-3)
  const { db } = app.app.database
  switch (step.kind) {
    case 'rate': {
      const { status, body } = await rate(as, kind, id, step.stars)
      expect([200, 403, 404, 409]).toContain(status)
      if (status === 200) given.push(body.id)
      // A lesson that they had not opened yet is opened now.
      if (status === 409) await open(as, id)
      break
    }
    case 'unrate':
      expect([204, 404]).toContain(
        (await app.call('DELETE', `/rating/${kind}/${id}`, { as })).status,
      )
      break
    case 'delete':
    case 'restore':
      if (ids.length > 0)
        expect(
          (await app.call('POST', `/rating/${step.kind}`, { as: admin, json: { ids } })).status,
        ).toBeLessThan(300)
      break
    case 'buy':
      expect([200, 404, 409]).toContain((await buy(as, kind, id)).status)
      break
    case 'deleteItem':
      // Less often than the other steps, so that items to rate remain.
      if (step.stars === 5)
        expect([200, 404, 409]).toContain(
          (await app.call('DELETE', `/${kind}/${id}`, { as: ann })).status,
        )
      break
    case 'erase':
      if (step.stars > 3) await forgetRatings(db, as.session._id)
      break
  }
}

test('after any history counts, sums and ranks equal a recount', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const world = await makeWorld()
      for (const group of history) await Promise.all(group.map((one) => act(world, one)))
      await app.runJobs()
      expect(await findWrong()).toEqual([])
      expect(await findUnheld()).toEqual([])
    }),
    { numRuns: countRuns(12) },
  )
}, 120_000)
