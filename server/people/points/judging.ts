/** Decides whether a lesson is rewarded. */
import { sql, type RawBuilder } from 'kysely'
import { SAME_ARTICLE, SAME_SERIES, VIDEO_AUTHORS } from '#contract/limits.ts'
import type { RewardCheck, WithheldReason } from '#contract/points.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'
import { findCleared } from '#server/people/points/clearings.ts'
import {
  fingerprintOf,
  findOriginal,
  findVersions,
  type Fingerprint,
  type Original,
  type Version,
} from '#server/people/points/fingerprints.ts'
import { jaccard } from '#server/people/points/resemblance.ts'

/** What decides whether a lesson is rewarded. */
export interface RewardableContent {
  readonly userId: string
  /** A YouTube id of 11 characters. */
  readonly videoId: string
  /** The text of the cleaned article. */
  readonly articleText: string
  /** When it is published or edited. */
  readonly at: Date
}

export interface RewardDay {
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string
  /** Maximum number of rewarded lessons per day. */
  readonly limit: number
  /** Compares only with lessons of the same author. */
  readonly rewardsCopies?: boolean
}

export interface Judgement {
  readonly reason: WithheldReason | null
  /** The lesson that this one repeats. */
  readonly olderId: number | null
  /** The lesson with almost the same article, whatever the reason is. */
  readonly original: Original | null
}

const SERIES_MS = 24 * 60 * 60 * 1000

/** Returns the reward for publishing this. The result is final only under the locks of publishing. */
export async function judgeReward(
  db: DbOrTx,
  content: RewardableContent & RewardDay,
): Promise<RewardCheck> {
  const { reason, olderId } = await judgeLesson(db, content, fingerprintOf(content.articleText))
  return nameOlder(db, reason, olderId)
}

/** Returns whether a lesson keeps its reward after this edit. A lesson without one has nothing to lose. */
export async function judgeEditReward(db: DbOrTx, lesson: EditedContent): Promise<RewardCheck> {
  const held = await db
    .selectFrom('lesson_rewards')
    .select('lesson_id')
    .where('lesson_id', '=', lesson.lessonId)
    .executeTakeFirst()
  if (held === undefined) return { rewarded: false, rewardReason: null }
  const { reason, olderId } = await judgeEdit(db, lesson, fingerprintOf(lesson.articleText))
  return nameOlder(db, reason, olderId)
}

async function nameOlder(
  db: DbOrTx,
  reason: WithheldReason | null,
  olderId: number | null,
): Promise<RewardCheck> {
  const older = olderId === null ? undefined : await findOlder(db, sql`l.id = ${olderId}`)
  return { rewarded: reason === null, rewardReason: reason, ...(older && { older }) }
}

/** Returns the lesson that a published one repeats, if it still exists. */
export function findOlderOf(db: DbOrTx, lessonId: number): Promise<RewardCheck['older']> {
  return findOlder(
    db,
    sql`l.id = (select older_id from lesson_fingerprints where lesson_id = ${lessonId} order by id limit 1)`,
  )
}

async function findOlder(db: DbOrTx, which: RawBuilder<unknown>): Promise<RewardCheck['older']> {
  const { rows } = await sql<{ id: number; title: string }>`
    select l.id, c.title from lessons l join lesson_contents c on c.lesson_id = l.id
    where ${which} and l.deleted_at is null`.execute(db)
  return rows[0]
}

export async function judgeLesson(
  db: DbOrTx,
  content: RewardableContent & RewardDay,
  print: Fingerprint,
): Promise<Judgement> {
  const { rewardsCopies = false } = content
  const by = rewardsCopies ? content.userId : null
  const original = await findOriginal(db, { print, now: content.at, by })
  const { ownVideo, sharedVideo, today } = await findUses(db, content)
  const judged = (reason: WithheldReason, olderId: number | null) => ({ reason, olderId, original })
  if (ownVideo !== null) return judged('sameVideo', ownVideo)
  if (original !== null) return judged('sameArticle', original.lessonId)
  if (sharedVideo !== null && !rewardsCopies) return judged('sameVideo', sharedVideo)
  const variedId = await findVaried(db, content, print)
  if (variedId !== null) return judged('ownSeries', variedId)
  if (today >= content.limit) return judged('dailyLimit', null)
  return { reason: null, olderId: null, original }
}

export type EditedContent = RewardableContent & { readonly lessonId: number }

interface EditJudgement extends Judgement {
  /** True if people decided that the lesson doesn't repeat `original`. */
  readonly isCleared: boolean
  readonly sameVersionId: number | null
  readonly publishedAt: Date
}

/**
 * Finds what takes a lesson's reward back after an edit: an older lesson with the new content, unless people decided
 * that the lesson doesn't repeat that one.
 */
export async function judgeEdit(
  db: DbOrTx,
  lesson: EditedContent,
  print: Fingerprint,
): Promise<EditJudgement> {
  const { lessonId, videoId, at } = lesson
  const versions = await findVersions(db, lessonId)
  const likeness = (version: Version) => jaccard(version.shingles, print.shingles)
  // A corrected article is as old as the first version that it resembles, so that copies of that one are younger.
  const first = versions.find((version) => likeness(version) >= SAME_ARTICLE)
  const before = first?.publishedAt ?? null
  const original = await findOriginal(db, { print, now: at, exceptLessonId: lessonId, before })
  const { ownVideo, sharedVideo } = await findUses(db, lesson, lessonId)
  const hadVideo = versions.some((version) => version.isCurrent && version.videoId === videoId)
  const cleared = await findCleared(db, lessonId)
  const unlessCleared = (id: number | null) => (id === null || cleared.has(id) ? null : id)
  const video = unlessCleared(ownVideo) ?? (hadVideo ? null : unlessCleared(sharedVideo))
  const article = unlessCleared(original?.lessonId ?? null)
  const reason = video !== null ? 'sameVideo' : article !== null ? 'sameArticle' : null
  return {
    reason,
    olderId: video ?? article,
    original,
    isCleared: original !== null && article === null,
    sameVersionId: versions.find((version) => likeness(version) === 1)?.id ?? null,
    publishedAt: before ?? at,
  }
}

interface Uses {
  /** The author's rewarded lesson with the video. */
  readonly ownVideo: number | null
  /** The first lesson with the video, if enough other authors were rewarded for it. */
  readonly sharedVideo: number | null
  /** The author's rewarded lessons of the day. */
  readonly today: number
}

/** `exceptLessonId` is the lesson that an edit changes. */
async function findUses(
  db: DbOrTx,
  { userId, videoId, day }: Pick<RewardableContent, 'userId' | 'videoId'> & { day?: string },
  exceptLessonId: number | null = null,
): Promise<Uses> {
  const { rows } = await sql<Uses>`
    select (
        select min(lesson_id) from lesson_rewards
        where user_id = ${userId} and video_id = ${videoId} and lesson_id is distinct from ${exceptLessonId}::bigint
      ) as "ownVideo", (
        select min(f.lesson_id)
        from lesson_fingerprints f join lesson_rewards r on r.lesson_id = f.lesson_id
        where f.video_id = ${videoId} and f.gone_at is null and f.author_id <> ${userId}
        having count(distinct f.author_id) >= ${VIDEO_AUTHORS}
      ) as "sharedVideo", (
        select count(*) from lesson_rewards where user_id = ${userId} and day = ${day ?? null}::date
      ) as today`.execute(db)
  return rows[0] ?? { ownVideo: null, sharedVideo: null, today: 0 }
}

/** Returns a rewarded lesson of the last 24 hours that this one varies, or null. */
async function findVaried(
  db: DbOrTx,
  { userId, at }: RewardableContent,
  { shingles }: Fingerprint,
): Promise<number | null> {
  const { rows } = await sql<{ id: number; shingles: number[] }>`
    select f.lesson_id as id, f.shingles
    from lesson_fingerprints f join lesson_rewards r on r.lesson_id = f.lesson_id
    where f.author_id = ${userId} and f.published_at > ${new Date(at.getTime() - SERIES_MS)} and f.gone_at is null
    order by f.id`.execute(db)
  return rows.find((row) => jaccard(shingles, row.shingles) > SAME_SERIES)?.id ?? null
}
