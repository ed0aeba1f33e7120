import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { CreatedCourse } from '#contract/courses.ts'
import type { EntryReason, ItemKind } from '#contract/points.ts'
import { continueRemovals } from '#server/operate/removal/unfinished.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000' })
const ann = await app.signUp('ann')

const goOn = () => continueRemovals(app.app.core)
const firstOf = ({ lessons }: CreatedCourse) => lessons[0]?.id ?? 0

async function remove(kind: ItemKind, id: number): Promise<void> {
  expect((await app.call('DELETE', `/${kind}/${id}`, { as: ann })).status).toBe(200)
}

/** Inserts buyers with balances and purchases. */
async function sellTo(count: number, kind: ItemKind, id: number): Promise<void> {
  const sales =
    kind === 'lesson'
      ? 'insert into lesson_purchases (user_id, lesson_id, price) select id, $3, 100 from buyer'
      : 'insert into course_purchases (user_id, course_id, price, lessons) select id, $3, 500, 6 from buyer'
  await app.app.database.pool.query(
    `with buyer as (
      insert into users (id, username, username_skeleton, username_folded, email, email_folded, password_hash)
      select gen_random_uuid(), $1 || n, $1 || n, $1 || n, $1 || n || '@x.example', $1 || n || '@x.example', 'x'
      from generate_series(1, $2::integer) n returning id
    ), balance as (insert into point_balances (user_id, net) select id, 0 from buyer)
    ${sales}`,
    [randomUUID().slice(0, 8), count, id],
  )
}

async function paidFor(kind: ItemKind, id: number, reason: EntryReason) {
  const { rows } = await app.app.database.pool.query<{ sum: number; people: number }>(
    `select coalesce(sum(amount), 0)::bigint as sum, count(distinct user_id) as people
     from point_entries where item_kind = $1 and item_id = $2 and reason = $3`,
    [kind, id, reason],
  )
  return rows[0]
}

test.each([
  ['lesson', 100],
  ['course', 500],
] as const)(
  'the remaining buyers of a %s are refunded later, once, whoever continues',
  async (kind, price) => {
    const { id } = kind === 'lesson' ? await app.publishLesson(ann) : await app.publishCourse(ann)
    await app.runJobs()
    await sellTo(1500, kind, id)
    await remove(kind, id)
    expect((await app.call('GET', `/${kind}/${id}`)).status).toBe(404)
    expect(await paidFor(kind, id, 'refunded')).toEqual({ sum: 1000 * price, people: 1000 })
    const { rows: due } = await app.app.database.pool.query(
      `select from graphile_worker.jobs where task_identifier = 'continueRemovals' and run_at <= now()`,
    )
    expect(due).toHaveLength(1)
    await Promise.all([goOn(), goOn()])
    expect(await paidFor(kind, id, 'refunded')).toEqual({ sum: 1500 * price, people: 1500 })
    expect(await goOn()).toBe(0)
  },
)

test('exactly a thousand buyers are refunded immediately', async () => {
  const { id } = await app.publishLesson(ann)
  await sellTo(1000, 'lesson', id)
  await remove('lesson', id)
  expect(await paidFor('lesson', id, 'refunded')).toEqual({ sum: 100_000, people: 1000 })
  await goOn()
  expect(await paidFor('lesson', id, 'refunded')).toEqual({ sum: 100_000, people: 1000 })
})

test('shares of two lessons are paid later, once, whoever continues', async () => {
  const made = await app.publishCourse(ann)
  const ids = made.lessons.map(({ id }) => id)
  const other = await app.publishCourse(ann, { lessons: ids })
  await sellTo(1500, 'course', made.id)
  await sellTo(5, 'course', other.id)
  const [first = 0, second = 0] = ids
  await sellTo(300, 'lesson', first)
  await remove('lesson', first)
  // A thousand in total, buyers of the lesson first.
  expect(await paidFor('lesson', first, 'refunded')).toEqual({ sum: 30_000, people: 300 })
  expect(await paidFor('course', made.id, 'lessonGone')).toEqual({ sum: 700 * 83, people: 700 })
  // The second lesson is deleted before the first is settled.
  await remove('lesson', second)
  await Promise.all([goOn(), goOn()])
  expect(await paidFor('course', made.id, 'lessonGone')).toEqual({
    sum: 2 * 1500 * 83,
    people: 1500,
  })
  expect(await paidFor('course', other.id, 'lessonGone')).toEqual({ sum: 2 * 5 * 83, people: 5 })
  expect(await goOn()).toBe(0)
})

test('buyers during pending shares get none', async () => {
  const made = await app.publishCourse(ann)
  await sellTo(1001, 'course', made.id)
  await remove('lesson', firstOf(made))
  await sellTo(5, 'course', made.id)
  await goOn()
  expect(await paidFor('course', made.id, 'lessonGone')).toEqual({ sum: 1001 * 83, people: 1001 })
})

test('a course deleted during pending shares refunds the price to everybody', async () => {
  const made = await app.publishCourse(ann)
  await sellTo(1500, 'course', made.id)
  await remove('lesson', firstOf(made))
  await Promise.all([remove('course', made.id), goOn()])
  await goOn()
  expect(await goOn()).toBe(0)
  const { rows } = await app.app.database.pool.query<{ paid: number; people: number }>(
    `select paid, count(*) as people from (
      select sum(amount) as paid from point_entries
      where item_kind = 'course' and item_id = $1 and reason in ('lessonGone', 'refunded')
      group by user_id
    ) person group by paid`,
    [made.id],
  )
  expect(rows).toEqual([{ paid: 500, people: 1500 }])
})
