/** Rewards for lessons. A lesson without a reward is published too, and its author learns why. */
import { sql } from 'kysely'
import { LESSON_REWARD } from '#contract/limits.ts'
import type { RewardCheck } from '#contract/points.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { lessonRef } from '#server/platform/events/catalogue.ts'
import { record } from '#server/platform/events/outbox.ts'
import { clearPresentContent } from '#server/people/points/clearings.ts'
import {
  findClaim,
  followLessonLoss,
  returnCourseReward,
} from '#server/people/points/course-rewards.ts'
import { award, lockBalance, withdraw } from '#server/people/points/ledger.ts'
import {
  judgeEdit,
  judgeLesson,
  type RewardableContent,
  type RewardDay,
} from '#server/people/points/judging.ts'
import {
  fingerprintOf,
  insertFingerprint,
  lockContent,
  replaceFingerprint,
  type Original,
} from '#server/people/points/fingerprints.ts'

export interface LessonReward extends RewardableContent {
  readonly lessonId: number
  readonly title: string
}

/**
 * Grants the reward of a new lesson, or records why there is none. Calls for one author run one at a time, and so do
 * calls for articles that may resemble each other.
 */
export async function grantLessonReward(
  tx: Tx,
  lesson: LessonReward & RewardDay,
): Promise<Omit<RewardCheck, 'older'> & { kbPoints: number }> {
  const { userId, lessonId, title, videoId, day, at } = lesson
  const item = { kind: 'lesson', id: lessonId, title } as const
  const print = fingerprintOf(lesson.articleText)
  await lockContent(tx, print, videoId)
  await lockBalance(tx, userId)
  const { reason, olderId, original } = await judgeLesson(tx, lesson, print)
  const version = { lessonId, userId, videoId, print, publishedAt: at }
  await insertFingerprint(tx, { ...version, olderId, originalId: original?.lessonId ?? null })
  if (original !== null) await tellOriginal(tx, lesson, original)
  if (reason !== null) {
    const entry = { userId, amount: 0, reason: 'rewardWithheld', at, item } as const
    const withheld = { ...entry, note: reason }
    return { rewarded: false, rewardReason: reason, ...(await award(tx, withheld)) }
  }
  await tx
    .insertInto('lesson_rewards')
    .values({
      lesson_id: lessonId,
      user_id: userId,
      amount: LESSON_REWARD,
      day,
      video_id: videoId,
    })
    .execute()
  const balance = await award(tx, { userId, amount: LESSON_REWARD, reason: 'created', at, item })
  return { rewarded: true, rewardReason: null, ...balance }
}

/** Notifies the author of the older lesson. */
export async function tellOriginal(
  tx: Tx,
  { userId, lessonId, title, at }: Omit<LessonReward, 'videoId' | 'articleText'>,
  { lessonId: originalId, authorId }: Original,
): Promise<void> {
  if (authorId === userId) return
  const about = { item: lessonRef(lessonId), title, original: lessonRef(originalId) }
  await record(tx, { type: 'lesson.resembled', ...about, ownerId: authorId, userId }, at)
}

/**
 * Takes back exactly what a lesson was rewarded. A course that claims the lesson may lose its reward too: `amount`
 * is the lesson's own, `kbPoints` includes both. Returns null if there was no reward. `occurrence` tells this loss from
 * others, so that a decision can give back what it took.
 */
export async function withdrawLessonReward(
  tx: Tx,
  lesson: { lessonId: number; title: string; at: Date },
  occurrence: string,
): Promise<{ userId: string; amount: number; kbPoints: number } | null> {
  const holder = await tx
    .selectFrom('lesson_rewards')
    .select('user_id')
    .where('lesson_id', '=', lesson.lessonId)
    .executeTakeFirst()
  if (holder === undefined) return null
  const { user_id: userId } = holder
  // The lock comes before any count, so that of two concurrent deletions in a course the second sees the first.
  await lockBalance(tx, userId)
  const courseId = await findClaim(tx, lesson.lessonId)
  const held = await tx
    .deleteFrom('lesson_rewards')
    .where('lesson_id', '=', lesson.lessonId)
    .returning('amount')
    .executeTakeFirst()
  if (held === undefined) return null
  const { amount } = held
  const item = { kind: 'lesson', id: lesson.lessonId, title: lesson.title } as const
  const { at } = lesson
  const entry = { reason: 'rewardWithdrawn', occurrence, at, userId, amount, item } as const
  const own = await withdraw(tx, entry)
  const ofCourse =
    courseId === null ? null : await followLessonLoss(tx, { courseId, userId, at }, occurrence)
  return { userId, amount, kbPoints: (ofCourse ?? own).kbPoints }
}

/** Returns when the reward of a locked lesson was last taken back, or null. */
export async function findLastWithdrawal(
  tx: Tx,
  { lessonId, userId }: { lessonId: number; userId: string },
): Promise<Date | null> {
  const { last } = await tx
    .selectFrom('point_entries')
    .select((where) => where.fn.max('created_at').as('last'))
    .where('user_id', '=', userId)
    .where('reason', '=', 'rewardWithdrawn')
    .where('item_kind', '=', 'lesson')
    .where('item_id', '=', lessonId)
    .executeTakeFirstOrThrow()
  return last
}

/** Gives back what was taken with this occurrence: the rewards of a lesson and of a course that counts it. */
export async function returnRewards(
  tx: Tx,
  { userId, at }: { userId: string; at: Date },
  occurrence: string,
): Promise<void> {
  await lockBalance(tx, userId)
  const taken = await tx
    .selectFrom('point_entries')
    .select(['item_kind as kind', 'item_id as id', 'item_title as title', 'amount'])
    .where('user_id', '=', userId)
    .where('reason', '=', 'rewardWithdrawn')
    .where('occurrence', '=', occurrence)
    // The course counts the lesson only with its reward.
    .orderBy('item_kind', 'desc')
    .execute()
  for (const { kind, id, title, amount } of taken) {
    if (kind === 'course')
      await returnCourseReward(tx, { courseId: Number(id), userId, at }, occurrence)
    else
      await payReward(
        tx,
        { lessonId: Number(id), userId, title: title ?? '', amount: -amount, at },
        occurrence,
      )
  }
}

interface Paid {
  readonly lessonId: number
  readonly userId: string
  readonly title: string
  readonly at: Date
}

/** Gives a locked person the reward of their lesson, if its contents are still there. */
async function payReward(
  tx: Tx,
  { lessonId, userId, title, amount, at }: Paid & { readonly amount: number },
  occurrence: string,
): Promise<void> {
  const { rows } = await sql`
    insert into lesson_rewards (lesson_id, user_id, amount, day, video_id)
    select l.id, l.owner_id, ${amount}::integer, (l.created_at at time zone 'UTC')::date, c.video_id
    from lessons l join lesson_contents c on c.lesson_id = l.id where l.id = ${lessonId}
    returning lesson_id`.execute(tx)
  if (rows.length === 0) return
  const item = { kind: 'lesson', id: lessonId, title } as const
  await award(tx, { userId, amount, reason: 'created', at, item, occurrence })
}

/**
 * Gives the reward that was withheld from a locked lesson or taken back after an edit, unless the lesson has it by now.
 * What the lesson was found to repeat won't take the reward again.
 */
export async function payMissingReward(tx: Tx, lesson: Paid): Promise<void> {
  const { lessonId, userId, at } = lesson
  await lockBalance(tx, userId)
  await clearPresentContent(tx, lessonId, at)
  const held = await tx
    .selectFrom('lesson_rewards')
    .select('lesson_id')
    .where('lesson_id', '=', lessonId)
    .executeTakeFirst()
  if (held === undefined)
    await payReward(tx, { ...lesson, amount: LESSON_REWARD }, `appeal ${at.toISOString()}`)
}

/** Rewards that older versions took back after an edit have an empty occurrence. */
const editOccurrence = (at: Date) => `edit ${at.toISOString()}`

/**
 * After an edit the reward belongs to the new content, so that swapping content can't earn it twice. If an older
 * lesson has that content, the reward is taken back for good. Returns the kbPoints.
 */
export async function followLessonEdit(
  tx: Tx,
  lesson: LessonReward,
): Promise<{ kbPoints: number; withdrawn: boolean }> {
  const { userId, lessonId, videoId, at } = lesson
  const print = fingerprintOf(lesson.articleText)
  await lockContent(tx, print, videoId)
  const { kbPoints } = await lockBalance(tx, userId)
  const judged = await judgeEdit(tx, lesson, print)
  const { reason, olderId, original, isCleared, sameVersionId, publishedAt } = judged
  const originalId = original?.lessonId ?? null
  const version = { lessonId, userId, videoId, print, olderId, originalId, publishedAt, at }
  await replaceFingerprint(tx, version, sameVersionId)
  if (original !== null && !isCleared) await tellOriginal(tx, lesson, original)
  if (reason !== null) {
    const taken = await withdrawLessonReward(tx, lesson, editOccurrence(at))
    return { kbPoints: taken?.kbPoints ?? kbPoints, withdrawn: taken !== null }
  }
  await tx
    .updateTable('lesson_rewards')
    .set({ video_id: videoId })
    .where('lesson_id', '=', lessonId)
    .execute()
  return { kbPoints, withdrawn: false }
}
