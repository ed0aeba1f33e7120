/** Rewards for lessons. A lesson without a reward is published too, and its author learns why. */
import { sql } from 'kysely'
import { LESSON_REWARD, SAME_ARTICLE } from '#contract/limits.ts'
import type { RewardCheck, WithheldReason } from '#contract/points.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { findClaim, followLessonLoss } from '#server/people/points/course-rewards.ts'
import { award, lockBalance, withdraw, type EntryCause } from '#server/people/points/ledger.ts'
import { jaccard, prefixLength, shinglesOf } from '#server/people/points/resemblance.ts'

/** What decides whether a lesson is rewarded. */
export interface RewardableContent {
  readonly userId: string
  /** A YouTube id of 11 characters. */
  readonly videoId: string
  /** The text of the cleaned article. */
  readonly articleText: string
}

export interface RewardDay {
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string
  /** Maximum number of rewarded lessons per day. */
  readonly limit: number
}

export interface LessonReward extends RewardableContent {
  readonly lessonId: number
  readonly title: string
  /** When it is published or edited. */
  readonly at: Date
}

/** Returns the reward for publishing this. The result is final only under the lock of the author's balance. */
export async function judgeReward(
  db: DbOrTx,
  content: RewardableContent & RewardDay,
): Promise<RewardCheck> {
  const rewardReason = await findReason(db, content, shinglesOf(content.articleText))
  return { rewarded: rewardReason === null, rewardReason }
}

/** Grants the reward of a new lesson, or records why there is none. Calls for one author run one at a time. */
export async function grantLessonReward(
  tx: Tx,
  lesson: LessonReward & RewardDay,
): Promise<RewardCheck & { kbPoints: number }> {
  const { userId, lessonId, title, videoId, day, at } = lesson
  const item = { kind: 'lesson', id: lessonId, title } as const
  await lockBalance(tx, userId)
  const shingles = shinglesOf(lesson.articleText)
  const rewardReason = await findReason(tx, lesson, shingles)
  if (rewardReason !== null) {
    const entry = { userId, amount: 0, reason: 'rewardWithheld', at, item } as const
    const withheld = { ...entry, note: rewardReason }
    return { rewarded: false, rewardReason, ...(await award(tx, withheld)) }
  }
  await tx
    .insertInto('lesson_rewards')
    .values({
      lesson_id: lessonId,
      user_id: userId,
      amount: LESSON_REWARD,
      day,
      video_id: videoId,
      shingles,
    })
    .execute()
  const balance = await award(tx, { userId, amount: LESSON_REWARD, reason: 'created', at, item })
  return { rewarded: true, rewardReason: null, ...balance }
}

/**
 * Takes back exactly what a lesson was rewarded. A course that claims the lesson may lose its reward too: `amount`
 * is the lesson's own, `kbPoints` includes both. Returns null if there was no reward.
 */
export async function withdrawLessonReward(
  tx: Tx,
  lesson: { lessonId: number; title: string; at: Date },
  cause: Pick<EntryCause, 'note'> & { reason?: EntryCause['reason'] } = {},
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
  const entry = { reason: 'rewardWithdrawn', ...cause, at, userId, amount, item } as const
  const own = await withdraw(tx, entry)
  const ofCourse = courseId === null ? null : await followLessonLoss(tx, { courseId, userId, at })
  return { userId, amount, kbPoints: (ofCourse ?? own).kbPoints }
}

/**
 * After an edit the reward belongs to the new content, so that swapping content can't earn it twice. If another
 * rewarded lesson of the author has that content, the reward is taken back for good. Returns the kbPoints.
 */
export async function followLessonEdit(
  tx: Tx,
  lesson: LessonReward,
): Promise<{ kbPoints: number; withdrawn: boolean }> {
  const { userId, lessonId, videoId } = lesson
  const { kbPoints } = await lockBalance(tx, userId)
  const shingles = shinglesOf(lesson.articleText)
  if (await findSame(tx, lesson, shingles, lessonId)) {
    const taken = await withdrawLessonReward(tx, lesson)
    return { kbPoints: taken?.kbPoints ?? kbPoints, withdrawn: taken !== null }
  }
  await tx
    .updateTable('lesson_rewards')
    .set({ video_id: videoId, shingles })
    .where('lesson_id', '=', lessonId)
    .execute()
  return { kbPoints, withdrawn: false }
}

async function findReason(
  db: DbOrTx,
  content: RewardableContent & RewardDay,
  shingles: readonly number[],
): Promise<WithheldReason | null> {
  const same = await findSame(db, content, shingles)
  if (same !== null) return same
  const { today } = await db
    .selectFrom('lesson_rewards')
    .select((where) => where.fn.countAll<number>().as('today'))
    .where('user_id', '=', content.userId)
    .where('day', '=', content.day)
    .executeTakeFirstOrThrow()
  return today >= content.limit ? 'dailyLimit' : null
}

async function findSame(
  db: DbOrTx,
  { userId, videoId }: Pick<RewardableContent, 'userId' | 'videoId'>,
  shingles: readonly number[],
  exceptLessonId: number | null = null,
): Promise<'sameVideo' | 'sameArticle' | null> {
  const size = shingles.length
  const prefix = shingles.slice(0, prefixLength(size))
  const { rows } = await sql<{ same_video: boolean; shingles: number[] }>`
    select video_id = ${videoId} as same_video, shingles
    from lesson_rewards
    where user_id = ${userId}
      and lesson_id is distinct from ${exceptLessonId}::bigint
      and (
        video_id = ${videoId}
        or cardinality(shingles) between ceil(${SAME_ARTICLE}::numeric * ${size}::integer)
          and floor(${size}::integer / ${SAME_ARTICLE}::numeric)
        and shingles[1:cardinality(shingles) - ceil(${SAME_ARTICLE}::numeric * cardinality(shingles))::integer + 1]
          && ${prefix}::integer[]
      )`.execute(db)
  if (rows.some((row) => row.same_video)) return 'sameVideo'
  const isSame = rows.some((row) => jaccard(shingles, row.shingles) >= SAME_ARTICLE)
  return isSame ? 'sameArticle' : null
}
