/**
 * The ledger balances with the authors' shares after random histories of purchases, deletions, erasures and
 * suspensions, partly concurrent. Each history has its own people and items, so that fast-check can shrink
 * failures; `HISTORIES=10000` sets their number.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MOST_AUTHOR_SHARE } from '#contract/limits.ts'
import { audit } from '#server/operate/audit/audit.ts'
import { Refusal } from '#server/kernel/errors.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { buy } from '#server/items/purchases/purchases.ts'
import { removeCourse } from '#server/operate/removal/course-removal.ts'
import { eraseItems } from '#server/operate/removal/erased-items.ts'
import { removeLesson } from '#server/operate/removal/removal.ts'
import { continueRemovals } from '#server/operate/removal/unfinished.ts'
import { countRuns } from '#server/testing/lane.ts'
import { openTestApp } from '#server/testing/setup.ts'

const AT_ONCE = 8
const HISTORIES = Number(process.env['HISTORIES'] ?? AT_ONCE * countRuns(20))
const PEOPLE = 5
const START = 3000

const app = await openTestApp()
// Registers all kinds of jobs like a starting worker, so that adding the first job of a kind waits for nobody.
await app.runJobs()

const step = fc.record({
  kind: fc.constantFrom(
    'buyLesson',
    'buyLesson',
    'buyLesson',
    'buyLesson',
    'buyCourse',
    'buyCourse',
    'dropLesson',
    'dropCourse',
    'erase',
    'suspend',
    'goOn',
  ),
  who: fc.nat(PEOPLE - 1),
  which: fc.nat(9),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
const history = fc.record({
  percent: fc.constantFrom(0, 1, 10, 33, 50),
  lessonPrice: fc.constantFrom(0, 1, 9, 100, 333, 1900),
  coursePrice: fc.constantFrom(0, 7, 500, 1999),
  /** The steps of a group run concurrently. */
  groups: fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 }),
})
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never

interface World {
  readonly people: readonly Viewer[]
  readonly lessons: readonly number[]
  readonly courses: readonly number[]
}

const query = <Row extends Record<string, unknown>>(text: string, values: readonly unknown[]) =>
  app.app.database.pool.query<Row>(text, [...values])

/** Creates five people with points. The first two have a course of six lessons and another lesson each. */
async function makeWorld({ lessonPrice, coursePrice }: History): Promise<World> {
  const ids = Array.from({ length: PEOPLE }, () => randomUUID())
  const { rows } = await query<{ lessons: number[]; courses: number[] }>(
    `with person as (
      insert into users (id, username, username_folded, username_skeleton, email, email_folded, password_hash)
      select id, name, name, name, id || '@x.example', id || '@x.example', 'x'
      from unnest($1::uuid[]) id, substr(replace(id::text, '-', ''), 1, 20) name
    ), balance as (
      insert into point_balances (user_id, net) select id, $2 from unnest($1::uuid[]) id
    ), welcome as (
      insert into point_entries (user_id, amount, reason, net_after) select id, $2, 'welcome', $2 from unnest($1::uuid[]) id
    ), lesson as (
      insert into lessons (owner_id, title_folded, price)
      select id, 'one', $3 from unnest($1::uuid[]) with ordinality given (id, place), generate_series(1, 7)
      where place <= 2 returning id, owner_id
    ), content as (
      insert into lesson_contents (lesson_id, title, description, tags, video_id, article, article_minutes)
      select id, 'Lesson one', 'What one needs', array['one'], 'abcdefghijk', 'How it is done', 1 from lesson
    ), course as (
      insert into courses (owner_id, title_folded, price, lesson_count)
      select distinct owner_id, 'two', $4::integer, 6 from lesson returning id, owner_id
    ), course_content as (
      insert into course_contents (course_id, title, description) select id, 'Course two', 'What one needs' from course
    ), held as (
      insert into course_lessons (course_id, lesson_id, position)
      select k.id, l.id, l.place from course k join (
        select id, owner_id, row_number() over (partition by owner_id order by id) as place from lesson
      ) l on l.owner_id = k.owner_id where l.place <= 6
    )
    select array(select id::float8 from lesson order by id) as lessons, array(select id::float8 from course) as courses`,
    [ids, START, lessonPrice, coursePrice],
  )
  const people = ids.map((id): Viewer => ({
    id,
    username: id,
    role: 'user',
    suspended: false,
    sessionId: id,
    wroteLately: false,
  }))
  return { people, lessons: rows[0]?.lessons ?? [], courses: rows[0]?.courses ?? [] }
}

async function act(world: World, percent: number, { kind, who, which }: Step): Promise<void> {
  const { core } = app.app
  const needs = { ...core, config: { AUTHOR_SHARE: percent } }
  const viewer = world.people[who]
  const lesson = world.lessons[which % world.lessons.length]
  const course = world.courses[which % world.courses.length]
  if (viewer === undefined || lesson === undefined || course === undefined) throw new Error('empty')
  switch (kind) {
    case 'buyLesson':
      await buy(needs, 'lesson', viewer, lesson)
      return
    case 'buyCourse':
      await buy(needs, 'course', viewer, course)
      return
    case 'dropLesson':
      await removeLesson(core, viewer, { id: lesson, reason: undefined })
      return
    case 'dropCourse':
      await removeCourse(core, viewer, { id: course, reason: undefined })
      return
    case 'erase':
      await query('update users set erased_at = now() where id = $1', [viewer.id])
      await eraseItems(core.db, viewer.id, core.clock.now())
      return
    case 'suspend':
      await query('update users set suspended_at = now() where id = $1', [viewer.id])
      return
    case 'goOn':
      await continueRemovals(core)
  }
}

/** Invariants of these people and items; each query returns violations. */
const WRONG = {
  'a balance is not the sum of its lines': `
    select user_id from point_balances b where user_id = any($1) and net <>
      (select sum(amount) from point_entries e where e.user_id = b.user_id)`,
  'a line does not carry the balance after it': `
    select id from (
      select id, net_after, sum(amount) over (partition by user_id order by id) as due
      from point_entries where user_id = any($1)
    ) e where net_after <> due`,
  'somebody has more or less than what they paid and what they got': `
    select b.user_id from point_balances b where b.user_id = any($1) and net <> ${START}
      - (select coalesce(sum(price), 0) from lesson_purchases p where p.user_id = b.user_id)
      - (select coalesce(sum(price - refunded), 0) from course_purchases p where p.user_id = b.user_id)
      + (select coalesce(sum(share), 0) from lesson_purchases p
        join lessons l on l.id = p.lesson_id and l.owner_id = b.user_id)
      + (select coalesce(sum(share), 0) from course_purchases p
        join courses k on k.id = p.course_id and k.owner_id = b.user_id)`,
  'a share is more than half of what the purchase is worth': `
    select user_id from lesson_purchases where user_id = any($1) and share > price / 2
    union all
    select user_id from course_purchases where user_id = any($1) and share > (price - refunded) / 2`,
  'an item brought more than it may, or another sum than was counted': `
    select i.id from (
      select 'lesson' as kind, l.id, (select coalesce(sum(share), 0) from lesson_purchases p where p.lesson_id = l.id) as brought
      from lessons l where l.owner_id = any($1)
      union all
      select 'course', k.id, (select coalesce(sum(share), 0) from course_purchases p where p.course_id = k.id)
      from courses k where k.owner_id = any($1)
    ) i left join author_shares s on s.item_kind = i.kind and s.item_id = i.id
    where i.brought > ${MOST_AUTHOR_SHARE} or i.brought <> coalesce(s.paid, 0)`,
}

async function live(given: History): Promise<void> {
  const world = await makeWorld(given)
  for (const group of given.groups) {
    const done = await Promise.allSettled(group.map((each) => act(world, given.percent, each)))
    for (const each of done)
      if (each.status === 'rejected' && !(each.reason instanceof Refusal)) throw each.reason
    for (const [wrong, text] of Object.entries(WRONG)) {
      const { rows } = await query(text, [world.people.map(({ id }) => id)])
      expect(rows, wrong).toEqual([])
    }
  }
}

test('any history keeps the books with shares', { timeout: 3_600_000 }, async () => {
  const together = fc.array(history, { minLength: AT_ONCE, maxLength: AT_ONCE })
  await fc.assert(
    fc.asyncProperty(together, async (histories) => {
      await Promise.all(histories.map(live))
    }),
    { numRuns: Math.ceil(HISTORIES / AT_ONCE) },
  )
  const { db } = app.app.database
  const { findings } = await audit({ db, storage: app.app.core.storage }, { isLive: true })
  const ofBooks = ['balanceNotSum', 'boughtOnDebt', 'purchaseNotPaid', 'shareNotPaid']
  expect(findings.filter(({ rule }) => ofBooks.includes(rule))).toEqual([])
})
