/**
 * Rewards for courses. A course earns its reward by lessons that each hold their own and count towards no other
 * rewarded course; these it claims. All of an author's rewards change one after the other, behind the lock of
 * the author's balance: whoever counts claims holds it.
 */
import { sql, type RawBuilder } from 'kysely'
import { COURSE_LESSONS, COURSE_REWARD } from '#contract/limits.ts'
import type { RewardCheck } from '#contract/points.ts'
import type { DbOrTx, Tx } from '#server/db/connect.ts'
import { award, lockBalance, withdraw, type EntryCause } from '#server/points/ledger.ts'

/** The lessons that stand, or would stand, in a course of this author. */
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

/** What a course of these lessons would bring now. Binding only for who holds the author's balance locked. */
export async function judgeCourseReward(
  db: DbOrTx,
  { userId, lessonIds }: CourseContent,
): Promise<RewardCheck> {
  const { rows } = await sql<{ free: number }>`
    select count(*) as free from (${freeRewards(userId, lessonIds)}) free`.execute(db)
  const rewarded = (rows[0]?.free ?? 0) >= COURSE_LESSONS.min
  return { rewarded, rewardReason: rewarded ? null : 'lessonsDontCount' }
}

/** Gives the reward of a new course and claims all lessons that count, or writes down why not. */
export async function grantCourseReward(
  tx: Tx,
  course: CourseReward,
): Promise<RewardCheck & { kbPoints: number }> {
  const { userId, courseId, title, at } = course
  const item = { kind: 'course', id: courseId, title } as const
  await lockBalance(tx, userId)
  const check = await judgeCourseReward(tx, course)
  if (check.rewardReason !== null) {
    const { rewardReason: note } = check
    const entry = { userId, amount: 0, reason: 'rewardWithheld', at, item, note } as const
    return { ...check, ...(await award(tx, entry)) }
  }
  await tx
    .insertInto('course_rewards')
    .values({ course_id: courseId, user_id: userId, amount: COURSE_REWARD })
    .execute()
  await claimLessons(tx, course)
  const entry = { userId, amount: COURSE_REWARD, reason: 'created', at, item } as const
  return { ...check, ...(await award(tx, entry)) }
}

/** Takes the reward of a course back exactly and releases its lessons; without one it changes nothing and is null. */
export async function withdrawCourseReward(
  tx: Tx,
  { courseId, title, at }: Pick<CourseReward, 'courseId' | 'title' | 'at'>,
  cause: Pick<EntryCause, 'note'> & { reason?: EntryCause['reason'] } = {},
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
  const entry = { reason: 'rewardWithdrawn', ...cause, at, userId, amount, item } as const
  return { userId, amount, ...(await withdraw(tx, entry)) }
}

/**
 * After an edit, with the lessons as they are now: those that left are released, those that came and count are
 * claimed. When too few remain, the reward is taken back and does not come again. Answers the author's kbPoints.
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
 * After a lesson that the course counted has lost its own reward, and the claim with it: other lessons of the
 * course that count by now take its place; without enough of them the course's reward goes too. Only for who
 * holds the author's balance locked.
 */
export async function followLessonLoss(
  tx: Tx,
  { courseId, userId, at }: Pick<CourseReward, 'courseId' | 'userId' | 'at'>,
): Promise<{ kbPoints: number } | null> {
  const { rows } = await sql<{ title: string; lessonIds: number[] }>`
    select c.title, array(select l.lesson_id::float8 from course_lessons l where l.course_id = c.course_id) as "lessonIds"
    from course_contents c where c.course_id = ${courseId}`.execute(tx)
  const { title, lessonIds } = rows[0] ?? { title: '', lessonIds: [] }
  return settleClaims(tx, { courseId, userId, title, lessonIds, at })
}

/**
 * Which course would lose its reward with the reward of this lesson, and how much; null: none. Binding only for
 * who holds the author's balance locked.
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

/** Which course counts a lesson; null: none. */
export async function findClaim(tx: Tx, lessonId: number): Promise<number | null> {
  const row = await tx
    .selectFrom('course_reward_lessons')
    .select('course_id')
    .where('lesson_id', '=', lessonId)
    .executeTakeFirst()
  return row?.course_id ?? null
}

/** Claims what the course may claim; takes its reward back when that is too little. Null: nothing was taken. */
async function settleClaims(tx: Tx, course: CourseReward): Promise<{ kbPoints: number } | null> {
  await claimLessons(tx, course)
  const { claimed } = await tx
    .selectFrom('course_reward_lessons')
    .select((where) => where.fn.countAll<number>().as('claimed'))
    .where('course_id', '=', course.courseId)
    .executeTakeFirstOrThrow()
  return claimed >= COURSE_LESSONS.min ? null : withdrawCourseReward(tx, course)
}

/** A course without a reward claims nothing. */
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

/** Of these lessons, those of the author that hold a reward and count towards no course yet. */
function freeRewards(userId: string, lessonIds: readonly number[]): RawBuilder<unknown> {
  return sql`
    select r.lesson_id from lesson_rewards r
    where r.user_id = ${userId} and r.lesson_id = any(${lessonIds}::bigint[])
      and not exists (select from course_reward_lessons c where c.lesson_id = r.lesson_id)`
}
