import { describe, expect, it } from 'vitest'
import {
  followCourseEdit,
  grantCourseReward,
  judgeCourseReward,
  withdrawCourseReward,
} from '#server/people/points/course-rewards.ts'
import { balanceOf } from '#server/people/points/ledger.ts'
import {
  followLessonEdit,
  grantLessonReward,
  withdrawLessonReward,
} from '#server/people/points/rewards.ts'
import { connectTestDatabase } from '#server/testing/database.ts'
import { addAuthor } from '#server/testing/rows.ts'
import { closeAtEnd } from '#server/testing/setup.ts'

const AT = new Date('2026-11-21T12:00:00Z')
const { db } = closeAtEnd(await connectTestDatabase())

const createAuthor = () => addAuthor(db, 0, AT)

interface Given {
  readonly userId: string
  readonly lessonId: number
  readonly title: string
  readonly videoId: string
  readonly articleText: string
  readonly at: Date
}

async function publishLesson(userId: string, videoId?: string): Promise<Given> {
  const { id } = await db
    .insertInto('lessons')
    .values({ owner_id: userId, title_folded: 'lesson' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const words = Array.from({ length: 20 }, (_, place) => `word${id * 100 + place}`)
  const lesson = {
    userId,
    lessonId: id,
    title: `Lesson ${id}`,
    videoId: videoId ?? String(id).padStart(11, '_'),
    articleText: words.join(' '),
    at: AT,
  }
  const rules = { day: '2026-11-21', limit: 1000 }
  await db.transaction().execute((tx) => grantLessonReward(tx, { ...lesson, ...rules }))
  return lesson
}

async function publishLessons(userId: string, count: number): Promise<[Given, Given, ...Given[]]> {
  const lessons: [Given, Given, ...Given[]] = [
    await publishLesson(userId),
    await publishLesson(userId),
  ]
  while (lessons.length < count) lessons.push(await publishLesson(userId))
  return lessons
}

const idsOf = (lessons: readonly Given[]) => lessons.map(({ lessonId }) => lessonId)

async function publishCourse(userId: string, lessons: readonly Given[]) {
  const { id } = await db
    .insertInto('courses')
    .values({ owner_id: userId, title_folded: 'course' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const title = `Course ${id}`
  await db
    .insertInto('course_contents')
    .values({ course_id: id, title, description: 'A course of a test' })
    .execute()
  await replaceLessons(id, lessons)
  const course = { userId, courseId: id, title, lessonIds: idsOf(lessons), at: AT }
  const answer = await db.transaction().execute((tx) => grantCourseReward(tx, course))
  return { course, answer }
}

async function replaceLessons(courseId: number, lessons: readonly Given[]): Promise<void> {
  await db.deleteFrom('course_lessons').where('course_id', '=', courseId).execute()
  await db
    .insertInto('course_lessons')
    .values(
      idsOf(lessons).map((lesson_id, place) => ({
        course_id: courseId,
        lesson_id,
        position: place + 1,
      })),
    )
    .execute()
}

async function editCourse(
  course: { userId: string; courseId: number; title: string; at: Date },
  lessons: readonly Given[],
) {
  await replaceLessons(course.courseId, lessons)
  return db
    .transaction()
    .execute((tx) => followCourseEdit(tx, { ...course, lessonIds: idsOf(lessons) }))
}

const withdrawLesson = (lesson: Given) =>
  db.transaction().execute((tx) => withdrawLessonReward(tx, lesson, 'removal'))
const judge = (userId: string, lessons: readonly Given[]) =>
  judgeCourseReward(db, { userId, lessonIds: idsOf(lessons) })

const WITHHELD = { rewarded: false, rewardReason: 'lessonsDontCount' }

describe('the reward of a course', () => {
  it('is withheld for five rewarded lessons of six', async () => {
    const author = await createAuthor()
    const five = await publishLessons(author, 5)
    const same = await publishLesson(author, five[0].videoId)
    const { answer, course } = await publishCourse(author, [...five, same])
    expect(answer).toEqual({ ...WITHHELD, kbPoints: 500 })
    const entry = await db
      .selectFrom('point_entries')
      .select(['amount', 'reason', 'note', 'item_title'])
      .where('user_id', '=', author)
      .where('item_kind', '=', 'course')
      .executeTakeFirst()
    expect(entry).toEqual({
      amount: 0,
      reason: 'rewardWithheld',
      note: 'lessonsDontCount',
      item_title: course.title,
    })
  })

  it('is withheld when a lesson counts elsewhere', async () => {
    const author = await createAuthor()
    const lessons = await publishLessons(author, 11)
    const { answer } = await publishCourse(author, lessons.slice(0, 6))
    expect(answer).toEqual({ rewarded: true, rewardReason: null, kbPoints: 1600 })
    expect(await judge(author, lessons.slice(5))).toEqual(WITHHELD)
    const second = await publishCourse(author, lessons.slice(5))
    expect(second.answer).toEqual({ ...WITHHELD, kbPoints: 1600 })
  })

  it("is withheld for another person's lessons", async () => {
    const [author, other] = [await createAuthor(), await createAuthor()]
    expect(await judge(other, await publishLessons(author, 6))).toEqual(WITHHELD)
  })

  it('comes once for two courses made at once', async () => {
    const author = await createAuthor()
    const lessons = await publishLessons(author, 6)
    const courses = await Promise.all([
      publishCourse(author, lessons),
      publishCourse(author, lessons),
      publishCourse(author, lessons),
    ])
    expect(courses.filter(({ answer }) => answer.rewarded)).toHaveLength(1)
    expect(await balanceOf(db, author)).toEqual({ kbPoints: 1100, debt: 0 })
  })

  it('goes with the lesson that leaves five', async () => {
    const author = await createAuthor()
    const lessons = await publishLessons(author, 7)
    await publishCourse(author, lessons)
    const [first, second] = lessons
    expect(await withdrawLesson(first)).toMatchObject({ amount: 100, kbPoints: 1100 })
    expect(await withdrawLesson(second)).toMatchObject({ amount: 100, kbPoints: 500 })
    expect((await judge(author, lessons)).rewarded).toBe(false)
  })

  it('goes once when two lessons go at once', async () => {
    const author = await createAuthor()
    for (let round = 0; round < 5; round += 1) {
      const before = (await balanceOf(db, author)).kbPoints
      const lessons = await publishLessons(author, 7)
      const { course } = await publishCourse(author, lessons)
      await Promise.all(lessons.slice(0, 2).map(withdrawLesson))
      expect((await balanceOf(db, author)).kbPoints).toBe(before + 500)
      const held = await db
        .selectFrom('course_rewards')
        .select('course_id')
        .where('course_id', '=', course.courseId)
        .execute()
      expect(held).toEqual([])
    }
  })

  it('stays while another of its lessons can count', async () => {
    const author = await createAuthor()
    const lessons = await publishLessons(author, 7)
    const { course } = await publishCourse(author, lessons.slice(0, 6))
    await replaceLessons(course.courseId, lessons)
    const [first] = lessons
    expect(await withdrawLesson(first)).toMatchObject({ kbPoints: 1100 })
    expect(await judge(author, lessons)).toEqual(WITHHELD)
  })

  it('goes when an edit makes a lesson equal another', async () => {
    const author = await createAuthor()
    const lessons = await publishLessons(author, 6)
    await publishCourse(author, lessons)
    const [first, second] = lessons
    const answer = await db
      .transaction()
      .execute((tx) => followLessonEdit(tx, { ...first, videoId: second.videoId }))
    expect(answer).toEqual({ kbPoints: 500, withdrawn: true })
  })

  it('follows an edit, and does not come again', async () => {
    const author = await createAuthor()
    const lessons = await publishLessons(author, 12)
    const { course } = await publishCourse(author, lessons.slice(0, 6))
    expect(await editCourse(course, lessons.slice(4, 10))).toEqual({
      kbPoints: 1700,
      withdrawn: false,
    })
    // The four removed lessons count again, together with two new ones.
    const freed = [...lessons.slice(0, 4), ...lessons.slice(10)]
    expect((await judge(author, freed)).rewarded).toBe(true)
    const other = await publishCourse(author, freed)
    expect(other.answer.kbPoints).toBe(2200)
    expect(await editCourse(course, lessons.slice(2, 8))).toEqual({
      kbPoints: 1700,
      withdrawn: true,
    })
    expect(await editCourse(course, lessons.slice(4, 10))).toEqual({
      kbPoints: 1700,
      withdrawn: false,
    })
    // Its lessons are free for another course.
    expect((await judge(author, lessons.slice(4, 10))).rewarded).toBe(true)
  })

  it('is taken back exactly once', async () => {
    const author = await createAuthor()
    const lessons = await publishLessons(author, 6)
    const { course } = await publishCourse(author, lessons)
    const take = () => db.transaction().execute((tx) => withdrawCourseReward(tx, course))
    const taken = await Promise.all([take(), take(), take()])
    expect(taken.filter((one) => one !== null)).toEqual([
      { userId: author, amount: 500, kbPoints: 600 },
    ])
    expect((await judge(author, lessons)).rewarded).toBe(true)
  })
})
