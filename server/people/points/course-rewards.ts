/**
 * Rewards for courses. A course is rewarded if enough of its lessons hold a reward of their own and no other
 * rewarded course has claimed them. The author's balance is locked while claims and rewards change.
 */
import { sql, type RawBuilder } from 'kysely'
import { COURSE_LESSONS, COURSE_REWARD } from '#contract/limits.ts'
import type { RewardCheck } from '#contract/points.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { award, lockBalance, withdraw } from '#server/people/points/ledger.ts'

/** The lessons of an existing or planned course of this author. */
export interface CourseContent {
  readonly userId: string
  readonly lessonIds: readonly number[]
}

export interface CourseReward extends CourseContent {
  readonly courseId: number
  readonly title: string
  /** When it is published, edited or loses a lesson. */
  readonly at: Date
}

/** Returns the reward for a course of these lessons. It is final only under the lock of the author's balance. */
export async function judgeCourseReward(
  db: DbOrTx,
  { userId, lessonIds }: CourseContent,
): Promise<RewardCheck> {
  const { rows } = await sql<{ free: number }>`
    select count(*) as free from (${freeRewards(userId, lessonIds)}) free`.execute(db)
  const rewarded = (rows[0]?.free ?? 0) >= COURSE_LESSONS.min
  return { rewarded, rewardReason: rewarded ? null : 'lessonsDontCount' }
}

/** Grants the reward of a new course and claims all its lessons that count, or records why there is none. */
export async function grantCourseReward(
  tx: Tx,
  course: CourseReward,
): Promise<RewardCheck & { kbPoints: number }> {
  const { userId, courseId, title, at } = course
  await lockBalance(tx, userId)
  const check = await judgeCourseReward(tx, course)
  if (check.rewardReason === null) return { ...check, ...(await giveReward(tx, course)) }
  const item = { kind: 'course', id: courseId, title } as const
  const { rewardReason: note } = check
  const entry = { userId, amount: 0, reason: 'rewardWithheld', at, item, note } as const
  return { ...check, ...(await award(tx, entry)) }
}

/** Gives a reward back that was taken with this occurrence, if the course still earns it. */
export async function returnCourseReward(
  tx: Tx,
  course: Omit<CourseReward, 'lessonIds' | 'title'>,
  occurrence: string,
): Promise<void> {
  const { courseId } = course
  const { title, lessonIds } = await findContents(tx, courseId)
  const present = { ...course, title, lessonIds }
  if ((await judgeCourseReward(tx, present)).rewarded) await giveReward(tx, present, occurrence)
}

async function giveReward(
  tx: Tx,
  course: CourseReward,
  occurrence = '',
): Promise<{ kbPoints: number }> {
  const { userId, courseId, title, at } = course
  await tx
    .insertInto('course_rewards')
    .values({ course_id: courseId, user_id: userId, amount: COURSE_REWARD })
    .execute()
  await claimLessons(tx, course)
  const item = { kind: 'course', id: courseId, title } as const
  return award(tx, { userId, amount: COURSE_REWARD, reason: 'created', at, item, occurrence })
}

/** Takes back exactly what a course was rewarded and releases its lessons. Returns null if there was no reward. */
export async function withdrawCourseReward(
  tx: Tx,
  { courseId, title, at }: Pick<CourseReward, 'courseId' | 'title' | 'at'>,
  occurrence = '',
): Promise<{ userId: string; amount: number; kbPoints: number } | null> {
  const holder = await tx
    .selectFrom('course_rewards')
    .select('user_id')
    .where('course_id', '=', courseId)
    .executeTakeFirst()
  if (holder === undefined) return null
  await lockBalance(tx, holder.user_id)
  const held = await tx
    .deleteFrom('course_rewards')
    .where('course_id', '=', courseId)
    .returning(['user_id', 'amount'])
    .executeTakeFirst()
  if (held === undefined) return null
  const { user_id: userId, amount } = held
  const item = { kind: 'course', id: courseId, title } as const
  const entry = { reason: 'rewardWithdrawn', occurrence, at, userId, amount, item } as const
  return { userId, amount, ...(await withdraw(tx, entry)) }
}

/**
 * Follows an edit: releases removed lessons and claims added ones that count. If too few remain, takes the reward
 * back for good. Returns the author's kbPoints.
 */
export async function followCourseEdit(
  tx: Tx,
  course: CourseReward,
): Promise<{ kbPoints: number; withdrawn: boolean }> {
  const { userId, courseId, lessonIds } = course
  const { kbPoints } = await lockBalance(tx, userId)
  await sql`
    delete from course_reward_lessons
    where course_id = ${courseId} and lesson_id <> all(${lessonIds}::bigint[])`.execute(tx)
  const taken = await settleClaims(tx, course)
  return { kbPoints: taken?.kbPoints ?? kbPoints, withdrawn: taken !== null }
}

/**
 * Call it after a claimed lesson lost its reward, and thereby the claim. Claims other lessons of the course that
 * count by now, and takes the course's reward back if they are too few. The author's balance must be locked.
 */
export async function followLessonLoss(
  tx: Tx,
  { courseId, userId, at }: Pick<CourseReward, 'courseId' | 'userId' | 'at'>,
  occurrence = '',
): Promise<{ kbPoints: number } | null> {
  const { title, lessonIds } = await findContents(tx, courseId)
  return settleClaims(tx, { courseId, userId, title, lessonIds, at }, occurrence)
}

async function findContents(
  tx: Tx,
  courseId: number,
): Promise<Pick<CourseReward, 'title' | 'lessonIds'>> {
  const { rows } = await sql<{ title: string; lessonIds: number[] }>`
    select c.title, array(select l.lesson_id::float8 from course_lessons l where l.course_id = c.course_id) as "lessonIds"
    from course_contents c where c.course_id = ${courseId}`.execute(tx)
  return rows[0] ?? { title: '', lessonIds: [] }
}

/**
 * Returns the course that would lose its reward together with this lesson's, and the amount, or null. The result
 * is final only under the lock of the author's balance.
 */
export async function findLostReward(
  db: DbOrTx,
  lessonId: number,
): Promise<{ courseId: number; amount: number } | null> {
  const { rows } = await sql<{ courseId: number; amount: number }>`
    select r.course_id as "courseId", r.amount
    from course_reward_lessons claim join course_rewards r using (course_id)
    where claim.lesson_id = ${lessonId} and ${COURSE_LESSONS.min} > (
      select count(*) from course_reward_lessons other
      where other.course_id = r.course_id and other.lesson_id <> claim.lesson_id
    ) + (
      select count(*) from course_lessons held join lesson_rewards free using (lesson_id)
      where held.course_id = r.course_id
        and not exists (select from course_reward_lessons c where c.lesson_id = held.lesson_id)
    )`.execute(db)
  return rows[0] ?? null
}

/** Returns the course that claims a lesson, or null. */
export async function findClaim(tx: Tx, lessonId: number): Promise<number | null> {
  const row = await tx
    .selectFrom('course_reward_lessons')
    .select('course_id')
    .where('lesson_id', '=', lessonId)
    .executeTakeFirst()
  return row?.course_id ?? null
}

/** Claims what the course can claim and takes its reward back if that is too little. Null if it keeps it. */
async function settleClaims(
  tx: Tx,
  course: CourseReward,
  occurrence = '',
): Promise<{ kbPoints: number } | null> {
  await claimLessons(tx, course)
  const { claimed } = await tx
    .selectFrom('course_reward_lessons')
    .select((where) => where.fn.countAll<number>().as('claimed'))
    .where('course_id', '=', course.courseId)
    .executeTakeFirstOrThrow()
  return claimed >= COURSE_LESSONS.min ? null : withdrawCourseReward(tx, course, occurrence)
}

/** Claims nothing for a course without a reward. */
async function claimLessons(
  tx: Tx,
  { courseId, userId, lessonIds }: Omit<CourseReward, 'title' | 'at'>,
): Promise<void> {
  await sql`
    insert into course_reward_lessons (lesson_id, course_id)
    select free.lesson_id, r.course_id
    from (${freeRewards(userId, lessonIds)}) free, course_rewards r
    where r.course_id = ${courseId}`.execute(tx)
}

/** Selects the author's lessons among these that hold a reward and that no course claims. */
function freeRewards(userId: string, lessonIds: readonly number[]): RawBuilder<unknown> {
  return sql`
    select r.lesson_id from lesson_rewards r
    where r.user_id = ${userId} and r.lesson_id = any(${lessonIds}::bigint[])
      and not exists (select from course_reward_lessons c where c.lesson_id = r.lesson_id)`
}
