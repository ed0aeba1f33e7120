/**
 * Any history of several people, some of it at once, keeps the books. The model is what the answers said: who
 * was told that they bought, published or deleted; everything else must follow from it.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreatedLesson, Lesson } from '#contract/lessons.schemas.ts'
import type { Ledger } from '#contract/points.schemas.ts'
import { createTestApp, lessonForm, type Person, type TestApp } from '#server/testing/app.ts'
import { countRuns } from '#server/testing/lane.ts'

let app: TestApp
let people: Person[]

beforeAll(async () => {
  app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
  people = await Promise.all(['ann', 'bob', 'carl'].map((name) => app.signUp(name)))
})
afterAll(() => app.close())

interface Step {
  readonly kind: 'create' | 'edit' | 'buy' | 'delete'
  readonly who: number
  /** Place among all lessons that were ever published, from the newest back. */
  readonly which: number
  /** One of few videos, so that rewards are refused and lost; null for a new one. */
  readonly video: number | null
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('create', 'create', 'edit', 'buy', 'buy', 'buy', 'delete'),
  who: fc.nat(2),
  which: fc.nat(4),
  video: fc.option(fc.nat(2), { freq: 2 }),
})
/** Steps of one group run at once. */
const histories = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 8,
})

interface Published {
  readonly id: number
  readonly owner: Person
  readonly buyers: Set<Person>
  deleted: boolean
}

function at<Item>(list: readonly Item[], place: number): Item {
  const item = list[place]
  if (item === undefined) throw new RangeError(`nothing at ${place}`)
  return item
}

async function act(model: Published[], { kind, who, which, video }: Step): Promise<void> {
  const as = at(people, who)
  const link = video === null ? {} : { video: `https://youtu.be/history___${video}` }
  if (kind === 'create') {
    const { status, body } = await app.call<CreatedLesson>('POST', '/lesson/create', {
      as,
      form: await lessonForm(link),
    })
    expect(status).toBe(200)
    model.push({ id: body.id, owner: as, buyers: new Set(), deleted: false })
    return
  }
  const lesson = model.at(-1 - which)
  if (lesson === undefined) return
  const path = `/lesson/${lesson.id}`
  if (kind === 'edit') {
    const form = await lessonForm(link)
    form.delete('image')
    const { status } = await app.call('PUT', path, { as, form })
    expect(as === lesson.owner ? [200, 404] : [403, 404]).toContain(status)
  } else if (kind === 'buy') {
    const { status } = await app.call('POST', `/lesson/buy/${lesson.id}`, { as })
    expect([200, 400, 404, 409]).toContain(status)
    if (status === 200) {
      expect(lesson.buyers.has(as)).toBe(false)
      lesson.buyers.add(as)
    }
  } else {
    const { status } = await app.call('DELETE', path, { as })
    expect([200, 403, 404]).toContain(status)
    if (status === 200) {
      expect(lesson.deleted).toBe(false)
      lesson.deleted = true
    }
  }
}

async function checkBooks(model: readonly Published[]): Promise<void> {
  const { pool } = app.app.database
  const { rows } = await pool.query<{
    id: string
    net: number
    entries: number
    rewards: number
    videos: number
    paid: number
    shares: number
    last: number
  }>(`
    select u.id, b.net,
      (select sum(amount) from point_entries e where e.user_id = u.id) as entries,
      (select net_after from point_entries e where e.user_id = u.id order by e.id desc limit 1) as last,
      (select count(*) from lesson_rewards r where r.user_id = u.id) as rewards,
      (select count(distinct video_id) from lesson_rewards r where r.user_id = u.id) as videos,
      (select coalesce(sum(price), 0)::bigint from lesson_purchases p where p.user_id = u.id) as paid,
      (select coalesce(sum(p.price / 10), 0)::bigint from lesson_purchases p
        join lessons l on l.id = p.lesson_id and l.owner_id = u.id) as shares
    from users u join point_balances b on b.user_id = u.id`)
  for (const person of people) {
    const row = rows.find(({ id }) => id === person.session._id)
    if (row === undefined) throw new Error('a person has no balance')
    expect(row.net).toBe(row.entries ?? 0)
    expect(row.net).toBe(row.last ?? 0)
    expect(row.net).toBe(100 * row.rewards - row.paid + row.shares)
    expect(row.videos).toBe(row.rewards)
    const { body } = await app.call<Ledger>('GET', '/identity/points', { as: person })
    expect([body.kbPoints, body.debt]).toEqual([Math.max(0, row.net), Math.max(0, -row.net)])
  }
  const purchases = await pool.query<{ lesson_id: number; user_id: string }>(
    'select lesson_id, user_id from lesson_purchases',
  )
  const rights = purchases.rows.map((row) => `${row.lesson_id} ${row.user_id}`).toSorted()
  const promised = model
    .filter(({ deleted }) => !deleted)
    .flatMap(({ id, buyers }) => [...buyers].map((buyer) => `${id} ${buyer.session._id}`))
  expect(rights).toEqual(promised.toSorted())
}

async function checkRights({ id, owner, buyers, deleted }: Published): Promise<void> {
  for (const as of people) {
    const { status, body } = await app.call<Lesson>('GET', `/lesson/${id}`, { as })
    if (deleted) expect(status).toBe(404)
    else
      expect([status, body.can.see, body.bought]).toEqual([
        200,
        as === owner || buyers.has(as),
        buyers.has(as),
      ])
  }
}

test('any history keeps books and rights exactly', { timeout: 180_000 }, async () => {
  const model: Published[] = []
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      for (const group of history) {
        await Promise.all(group.map((one) => act(model, one)))
        await checkBooks(model)
      }
      for (const lesson of model.slice(-5)) await checkRights(lesson)
    }),
    // The books go on from history to history, so that a failure can't be made smaller.
    { numRuns: countRuns(12), endOnFailure: true },
  )
})
