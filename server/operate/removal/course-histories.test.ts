/**
 * Random histories of several people with lessons and courses, partly concurrent, must leave books and rights
 * correct. The order of concurrent steps is unknown, so rights have a lower and an upper bound there, and are
 * exact elsewhere.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Course, CreatedCourse } from '#contract/courses.ts'
import type { Lesson } from '#contract/lessons.ts'
import { audit } from '#server/operate/audit/audit.ts'
import { continueRemovals } from '#server/operate/removal/unfinished.ts'
import { courseForm, lessonForm, type Person } from '#server/testing/app.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000' })
const people = await Promise.all(['ann', 'bob', 'carl'].map((name) => app.signUp(name)))
for (const person of people) await app.give(person, 2000)

const kinds = [
  'publish',
  'copy',
  'change',
  'drop',
  'buy',
  'bind',
  'rebind',
  'unbind',
  'join',
] as const
const frequent = ['publish', 'publish', 'drop', 'bind', 'rebind', 'join', 'join'] as const

interface Step {
  /**
   * Lessons: publish, copy (a video used before), change (the video), drop, buy. Courses: bind, rebind, unbind,
   * join (buy).
   */
  readonly kind: (typeof kinds)[number]
  readonly who: number
  /** Index from the newest backwards. */
  readonly which: number
  /** Start of the choice of a course's lessons, and how many it takes beyond six. */
  readonly from: number
  readonly more: number
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kinds, ...frequent),
  who: fc.nat(2),
  which: fc.nat(3),
  from: fc.nat(5),
  more: fc.nat(2),
})
/** Steps of one group run concurrently. */
const histories = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), {
  minLength: 4,
  maxLength: 10,
})

interface Sale {
  readonly buyer: Person
  /** Lessons accessible through it so far. */
  held: Set<number>
}

interface Bound {
  readonly id: number
  readonly owner: Person
  readonly sales: Sale[]
  /** Every lesson that it contained at some time during this group. */
  readonly passing: Set<number>
  deleted: boolean
}

interface World {
  readonly lessons: { id: number; owner: Person; buyers: Set<Person>; deleted: boolean }[]
  readonly courses: Bound[]
}

async function act(world: World, { kind, who, which, from, more }: Step): Promise<void> {
  const as = people[who]
  if (as === undefined) throw new RangeError(`nobody is ${who}`)
  const own = world.lessons.filter(({ owner, deleted }) => owner === as && !deleted)
  const choice = own
    .slice(from)
    .concat(own.slice(0, from))
    .slice(0, 6 + more)
  // Occasionally chooses other people's items.
  const isOwn = which > 0
  const lesson =
    ((kind === 'drop' || kind === 'change') && isOwn ? own[from] : undefined) ??
    world.lessons.at(-1 - which)
  const ownCourses = world.courses.filter(({ owner, deleted }) => owner === as && !deleted)
  const course =
    (kind !== 'join' && isOwn ? ownCourses.at(-which) : undefined) ?? world.courses.at(-1 - which)
  const isCopy = kind === 'copy' || (kind === 'change' && more > 0)
  const link = isCopy ? { video: `https://youtu.be/courses___${which}` } : {}
  /** Returns null for a refusal, which must be one of these. */
  const send = async <Body>(line: string, refusals: readonly number[], form?: FormData) => {
    const [method = '', path = ''] = line.split(' ')
    const { status, body } = await app.call<Body>(method, path, { as, ...(form && { form }) })
    expect([200, ...refusals]).toContain(status)
    return status === 200 ? body : null
  }
  if (kind === 'publish' || kind === 'copy') {
    const { id } = await app.publishLesson(as, link)
    world.lessons.push({ id, owner: as, buyers: new Set(), deleted: false })
  } else if (kind === 'bind') {
    if (choice.length < 6) return
    const form = await courseForm({ lessons: choice.map(({ id }) => id) })
    // A lesson may be deleted concurrently.
    const made = await send<CreatedCourse>('POST /course/create', [400], form)
    if (made !== null)
      world.courses.push({ id: made.id, owner: as, sales: [], passing: new Set(), deleted: false })
  } else if (kind === 'change' && lesson !== undefined) {
    const form = await lessonForm(link)
    form.delete('image')
    const refusals = as === lesson.owner ? [404] : [403, 404]
    const changed = await send(`PUT /lesson/${lesson.id}`, refusals, form)
    if (changed !== null) expect(as).toBe(lesson.owner)
  } else if (kind === 'drop' && lesson !== undefined) {
    if ((await send(`DELETE /lesson/${lesson.id}`, [403, 404, 409])) !== null) lesson.deleted = true
  } else if (kind === 'buy' && lesson !== undefined) {
    if ((await send(`POST /lesson/buy/${lesson.id}`, [400, 404, 409])) !== null)
      lesson.buyers.add(as)
  } else if (kind === 'rebind' && course !== undefined) {
    const ids = choice.map(({ id }) => id)
    for (const id of ids) course.passing.add(id)
    const form = await courseForm({ lessons: ids })
    form.delete('image')
    await send(`PATCH /course/${course.id}`, [400, 403, 404], form)
  } else if (kind === 'unbind' && course !== undefined) {
    if ((await send(`DELETE /course/${course.id}`, [403, 404])) !== null) course.deleted = true
  } else if (kind === 'join' && course !== undefined) {
    if ((await send(`POST /course/buy/${course.id}`, [400, 404, 409])) === null) return
    expect(course.sales.some(({ buyer }) => buyer === as)).toBe(false)
    course.sales.push({ buyer: as, held: new Set() })
  }
}

/** Conditions that the audit doesn't check. Each query returns only violations. */
const WRONG = {
  'a video was rewarded twice': `
    select user_id from lesson_rewards group by user_id, video_id having count(*) > 1`,
  'an author has of a purchase more or less than a tenth of what it is still worth': `
    select lesson_id from lesson_purchases where share <> price / 10
    union all select course_id from course_purchases p where
      -- each refund rounds down once
      share > (price - refunded) / 10 or share < (price - refunded) / 10 - 6`,
  'a share is more than its part': `
    select e.id from point_entries e join course_purchases p on p.user_id = e.user_id and p.course_id = e.item_id
    where item_kind = 'course' and reason = 'lessonGone' and (amount > p.price / p.lessons or amount <= 0)`,
} as const

async function checkBooks({ lessons }: World): Promise<void> {
  const purchases = await app.app.database.pool.query<{ right: string }>(
    `select lesson_id || ' ' || user_id as right from lesson_purchases`,
  )
  const promised = lessons
    .filter(({ deleted }) => !deleted)
    .flatMap(({ id, buyers }) => [...buyers].map(({ session }) => `${id} ${session._id}`))
  expect(purchases.rows.map(({ right }) => right).toSorted()).toEqual(promised.toSorted())
  for (const [wrong, query] of Object.entries(WRONG)) {
    const { rows } = await app.app.database.pool.query(query)
    expect(rows, wrong).toEqual([])
  }
}

/** A buyer of a course must have access to everything it contained since, except deleted lessons. */
async function checkRights({ lessons, courses }: World, group: readonly Step[]): Promise<void> {
  const living = new Set(lessons.filter(({ deleted }) => !deleted).map(({ id }) => id))
  for (const course of courses.filter(({ deleted }) => !deleted)) {
    const { body } = await app.call<Course>('GET', `/course/${course.id}`, { as: course.owner })
    const now = body.lessons.map(({ id }) => id)
    for (const sale of course.sales) {
      const sure = new Set([...sale.held, ...now].filter((id) => living.has(id)))
      const { rows } = await app.app.database.pool.query<{ id: number }>(
        `select lesson_id as id from course_lessons where course_id = $1
         union select lesson_id from course_kept_lessons k
         join course_purchases p on p.course_id = k.course_id and p.user_id = $2 and p.id <= k.last_purchase
         where k.course_id = $1`,
        [course.id, sale.buyer.session._id],
      )
      const actual = new Set(rows.map(({ id }) => id))
      expect([...sure].filter((id) => !actual.has(id))).toEqual([])
      const possible =
        group.length === 1
          ? sure
          : new Set([...sure, ...course.passing].filter((id) => living.has(id)))
      expect([...actual].filter((id) => !possible.has(id))).toEqual([])
      await checkShares(course.id, sale, lessons)
      sale.held = new Set([...sale.held, ...actual])
    }
    course.passing.clear()
    for (const id of now) course.passing.add(id)
  }
}

/** A buyer must have received a share of each deleted lesson, as long as there was something left to share. */
async function checkShares(
  courseId: number,
  { buyer, held }: Sale,
  lessons: World['lessons'],
): Promise<void> {
  const gone = lessons
    .filter(({ id, deleted }) => deleted && held.has(id))
    .map(({ id }) => String(id))
  const { rows } = await app.app.database.pool.query<{ missing: number }>(
    `select count(*) as missing from unnest($3::text[]) gone (lesson)
     join course_purchases p on p.user_id = $1 and p.course_id = $2 and p.refunded < p.price
     where not exists (
       select from point_entries e where e.user_id = $1 and item_kind = 'course' and e.item_id = $2
         and reason = 'lessonGone' and occurrence = gone.lesson
     )`,
    [buyer.session._id, courseId, gone],
  )
  expect(rows[0]?.missing).toBe(0)
}

/** Compares the pages with the books. */
async function checkPages({ lessons, courses }: World): Promise<void> {
  for (const { id, owner, buyers, deleted } of lessons.slice(-4)) {
    for (const as of people) {
      const { status, body } = await app.call<Lesson>('GET', `/lesson/${id}`, { as })
      expect(status).toBe(deleted ? 404 : 200)
      if (deleted) continue
      const through = courses.some(
        (course) =>
          !course.deleted && course.sales.some(({ buyer, held }) => buyer === as && held.has(id)),
      )
      expect([body.can.see, body.can.buy]).toEqual(
        as === owner ? [true, false] : [buyers.has(as) || through, !buyers.has(as) && !through],
      )
    }
  }
}

test('any history with courses keeps books and rights', { timeout: 180_000 }, async () => {
  const world: World = { lessons: [], courses: [] }
  for (const owner of people)
    for (let count = 0; count < 7; count += 1) {
      const { id } = await app.publishLesson(owner)
      world.lessons.push({ id, owner, buyers: new Set(), deleted: false })
    }
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      for (const group of history) {
        await Promise.all(group.map((one) => act(world, one)))
        await checkBooks(world)
        await checkRights(world, group)
      }
      await checkPages(world)
      expect(await continueRemovals(app.app.core)).toBe(0)
      const { db } = app.app.database
      expect((await audit({ db, storage: app.app.core.storage })).findings).toEqual([])
    }),
    // The state persists across histories, so that a failure can't be shrunk.
    { numRuns: 8, seed: 20_261_121, endOnFailure: true },
  )
  expect(world.courses.filter(({ sales }) => sales.length > 0).length).toBeGreaterThan(3)
})
