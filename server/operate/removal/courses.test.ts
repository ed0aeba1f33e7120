import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Course, CreatedCourse } from '#contract/courses.ts'
import type { Lesson } from '#contract/lessons.ts'
import { statusesOf } from '#server/testing/http/answers.ts'
import { courseForm, type Person } from '#server/testing/app.ts'
import { removalsOf } from '#server/testing/learning/removals.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000' })
const { lesson, course, ledger, pointsOf, rich } = removalsOf(app)
const ann = await app.signUp('ann')
const bob = await rich('bob', 20_000)

const show = async (as: Person | undefined, id: number) =>
  (await app.call<Course>('GET', `/course/${id}`, { as })).body
const maySee = async (as: Person | undefined, id: number) =>
  (await app.call<Lesson>('GET', `/lesson/${id}`, { as })).body.can.see

const idsOf = ({ lessons }: CreatedCourse) => lessons.map(({ id }) => id)
const firstOf = (made: CreatedCourse) => idsOf(made)[0] ?? 0

async function edit(
  id: number,
  change: Parameters<typeof courseForm>[0],
  as: Person = ann,
): Promise<void> {
  const form = await courseForm(change)
  form.delete('image')
  if (change?.lessons === undefined) form.delete('lessons')
  const { status, body } = await app.call('PATCH', `/course/${id}`, { as, form })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

describe('refusals', () => {
  test("a course's last lesson can't be deleted", async () => {
    const made = await app.publishCourse(ann, { title: 'Knots' })
    const [last = 0, ...others] = idsOf(made)
    for (const id of others) expect((await lesson.remove(ann, id)).status).toBe(200)
    const before = await pointsOf(ann)
    for (const { status, body } of [
      await lesson.remove(ann, last),
      await lesson.preview(ann, last),
    ])
      expect([status, body.title]).toEqual([
        409,
        'This is the last lesson of the course “Knots”. Delete the course first, or give it other lessons.',
      ])
    expect(await pointsOf(ann)).toBe(before)
    expect((await course.remove(ann, made.id)).status).toBe(200)
    expect((await lesson.remove(ann, last)).status).toBe(200)
  })
  test('of the last two lessons deleted concurrently, one stays', async () => {
    const made = await app.publishCourse(ann)
    const ids = idsOf(made)
    for (const id of ids.slice(2)) await lesson.remove(ann, id)
    const answers = await Promise.all(ids.slice(0, 2).map((id) => lesson.remove(ann, id)))
    expect(statusesOf(answers)).toEqual([200, 409])
    expect((await show(ann, made.id)).lessons).toHaveLength(1)
  })
})

describe('a deleted course', () => {
  test('leaves its lessons to their owner, and available for the next course', async () => {
    const made = await app.publishCourse(ann)
    await course.buy(bob, made.id)
    await edit(made.id, { freePreview: firstOf(made) })
    expect(await maySee(undefined, firstOf(made))).toBe(true)
    await course.remove(ann, made.id)
    for (const id of idsOf(made)) {
      expect(await maySee(bob, id)).toBe(false)
      expect(await maySee(undefined, id)).toBe(false)
      expect(await maySee(ann, id)).toBe(true)
    }
    expect((await app.publishCourse(ann, { lessons: idsOf(made) })).rewarded).toBe(true)
  })
})

describe('a deleted lesson', () => {
  test('is previewed with its courses', async () => {
    const made = await app.publishCourse(ann)
    const other = await app.publishCourse(ann, { lessons: idsOf(made) })
    const id = firstOf(made)
    const carl = await rich('carl', 600)
    await lesson.buy(carl, id)
    await course.buy(carl, made.id)
    await course.buy(bob, made.id)
    const left = other.kbPoints + 10 + 2 * 50 - 28 - 600
    expect((await lesson.preview(ann, id)).body).toEqual({
      buyers: 2,
      refund: 100 + 2 * 83,
      // 10 for the lesson and 9 for each course. Of the remaining 417 points, 41 of 50 belong to the author.
      shares: 28,
      reward: 100,
      courses: [
        { id: made.id, title: made.title, reward: 500 },
        { id: other.id, title: other.title, reward: 0 },
      ],
      kbPoints: left,
      debt: 0,
    })
    const before = [await pointsOf(carl), await pointsOf(bob)]
    expect((await lesson.remove(ann, id)).body).toEqual({ kbPoints: left })
    expect([await pointsOf(carl), await pointsOf(bob)]).toEqual([
      (before[0] ?? 0) + 183,
      (before[1] ?? 0) + 83,
    ])
  })
  test('is removed from the courses, their preview and their sums', async () => {
    const made = await app.publishCourse(ann)
    const [id = 0, second = 0] = idsOf(made)
    await edit(made.id, { freePreview: id })
    for (const commented of [id, id, second]) {
      const json = { text: 'A thought about this lesson' }
      const { status } = await app.call('POST', `/comment/create/${commented}`, { as: ann, json })
      expect(status).toBe(200)
    }
    expect((await show(undefined, made.id)).commentCount).toBe(3)
    await lesson.remove(ann, id)
    const left = await show(undefined, made.id)
    expect(left).toMatchObject({ commentCount: 1, freePreview: null })
    expect(left.lessons.map((one) => one.id)).toEqual(idsOf(made).slice(1))
  })
  test('refunds its share to buyers of the course, with its title', async () => {
    const made = await app.publishCourse(ann)
    const [id = 0] = idsOf(made)
    const { title } = made.lessons[0] ?? { title: '' }
    await course.buy(bob, made.id)
    const before = await pointsOf(bob)
    await lesson.remove(ann, id)
    expect(await pointsOf(bob)).toBe(before + 83)
    expect((await ledger(bob)).entries[0]).toMatchObject({
      amount: 83,
      reason: 'lessonGone',
      lessonTitle: title,
      item: { kind: 'course', id: made.id, title: made.title, gone: false },
    })
    expect((await show(bob, made.id)).bought).toBe(true)
  })
  test('refunds the share of each course, including those that changed meanwhile', async () => {
    const { db, pool } = app.app.database
    const { id } = await app.publishLesson(ann)
    const gus = await rich('gus', 3 * 500)
    const others: number[] = []
    while (others.length < 5) others.push((await app.publishLesson(ann)).id)
    const made = []
    for (const title of ['Knots', 'Ropes', 'Sails'])
      made.push(await app.publishCourse(ann, { title, lessons: [id, ...others] }))
    for (const one of made) await course.buy(gus, one.id)
    // Two courses contain the lesson, and buyers of the third still have access to it.
    await edit(made[1]?.id ?? 0, { lessons: [...others, (await app.publishLesson(ann)).id] })

    const liker = await pool.connect()
    let removed: ReturnType<typeof lesson.remove>
    try {
      await liker.query('begin')
      await liker.query('update courses set likes = likes where id = any($1)', [
        made.map((one) => one.id),
      ])
      removed = lesson.remove(ann, id)
      await expect
        .poll(
          async () =>
            (
              await sql`
                select from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
            ).rows,
          { timeout: 10_000 },
        )
        .not.toHaveLength(0)
      await liker.query('commit')
    } finally {
      liker.release(true)
    }
    expect((await removed).status).toBe(200)
    const shares = (await ledger(gus)).entries.filter(({ reason }) => reason === 'lessonGone')
    expect(new Set(shares.map(({ item }) => item?.id))).toEqual(new Set(made.map((one) => one.id)))
    expect(await pointsOf(gus)).toBe(3 * 83)
  })
  test('refunds the share only to those who still had access to it', async () => {
    const made = await app.publishCourse(ann)
    const [id = 0, ...others] = idsOf(made)
    const early = await rich('early', 500)
    const late = await rich('late', 500)
    await course.buy(early, made.id)
    await edit(made.id, { lessons: [...others, (await app.publishLesson(ann)).id] })
    await course.buy(late, made.id)
    expect([await maySee(early, id), await maySee(late, id)]).toEqual([true, false])
    expect((await lesson.preview(ann, id)).body).toMatchObject({
      buyers: 1,
      refund: 83,
      courses: [],
    })
    await lesson.remove(ann, id)
    expect([await pointsOf(early), await pointsOf(late)]).toEqual([83, 0])
  })
  test('and then the course refund the price in total, no point more', async () => {
    const made = await app.publishCourse(ann)
    const dora = await rich('dora', 500)
    await course.buy(dora, made.id)
    const [first = 0, second = 0, third = 0] = idsOf(made)
    for (const id of [first, second, third]) await lesson.remove(ann, id)
    expect(await pointsOf(dora)).toBe(3 * 83)
    expect((await course.preview(ann, made.id)).body).toMatchObject({ buyers: 1, refund: 251 })
    await course.remove(ann, made.id)
    expect(await pointsOf(dora)).toBe(500)
  })
  test('refunds no more than was paid, however many lessons followed', async () => {
    const made = await app.publishCourse(ann)
    const eve = await rich('eve', 500)
    await course.buy(eve, made.id)
    const extra = [await app.publishLesson(ann), await app.publishLesson(ann)].map(({ id }) => id)
    const ids = [...idsOf(made), ...extra]
    await edit(made.id, { lessons: ids })
    for (const id of ids.slice(1)) await lesson.remove(ann, id)
    expect(await pointsOf(eve)).toBe(500)
    expect(
      (await ledger(eve)).entries.filter(({ reason }) => reason === 'lessonGone'),
    ).toHaveLength(7)
    await course.remove(ann, made.id)
    expect(await pointsOf(eve)).toBe(500)
  })
  test('two concurrent deletions take back the reward of the course once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const lessons: number[] = []
      while (lessons.length < 7) lessons.push((await app.publishLesson(ann)).id)
      const made = await app.publishCourse(ann, { lessons })
      expect(made.rewarded).toBe(true)
      await Promise.all(lessons.slice(0, 2).map((id) => lesson.remove(ann, id)))
      expect(await pointsOf(ann)).toBe(made.kbPoints - 200 - 500)
    }
  })
  test('and a concurrent purchase of the course are consistent', async () => {
    for (let round = 0; round < 3; round += 1) {
      const made = await app.publishCourse(ann)
      const buyers = await Promise.all(
        Array.from({ length: 4 }, (_, place) => rich(`fay${round}${place}`, 500)),
      )
      await Promise.all([
        ...buyers.slice(0, 2).map((buyer) => course.buy(buyer, made.id)),
        lesson.remove(ann, firstOf(made)),
        ...buyers.slice(2).map((buyer) => course.buy(buyer, made.id)),
      ])
      const sales = await app.app.database.db
        .selectFrom('course_purchases')
        .select(['user_id', 'lessons', 'refunded'])
        .where('course_id', '=', made.id)
        .execute()
      expect(sales).toHaveLength(4)
      for (const buyer of buyers) {
        const sale = sales.find(({ user_id }) => user_id === buyer.session._id)
        // Bought before: six lessons, one refunded. Bought after: five.
        expect([sale?.lessons, sale?.refunded]).toEqual(
          (await pointsOf(buyer)) === 83 ? [6, 83] : [5, 0],
        )
      }
    }
  })
})
