/** Lessons that are listed again after their fingerprints were deleted. */
import { sql } from 'kysely'
import { SAME_ARTICLE } from '#contract/limits.ts'
import { CUSTOM_PLAN, type Tx } from '#server/platform/db/connect.ts'
import { clearLesson } from '#server/people/points/clearings.ts'
import {
  findOriginal,
  fingerprintOf,
  insertFingerprint,
  lockContent,
  type Fingerprint,
} from '#server/people/points/fingerprints.ts'
import { award } from '#server/people/points/ledger.ts'
import { tellOriginal, type LessonReward } from '#server/people/points/rewards.ts'

interface Relisted extends LessonReward {
  readonly publishedAt: Date
  /** When it was deleted. */
  readonly goneAt: Date
}

/**
 * Compares a lesson with what was published while it was gone: similar lessons of others are its copies from now on.
 * Returns false if the author has been rewarded for the same article meanwhile, so that this reward is withheld.
 */
export async function compareAgain(tx: Tx, lesson: Relisted): Promise<boolean> {
  const { lessonId, userId, title, videoId, articleText, publishedAt, at } = lesson
  const print = fingerprintOf(articleText)
  await lockContent(tx, print, videoId)
  const sought = { print, now: at, exceptLessonId: lessonId, before: publishedAt }
  const originalId = (await findOriginal(tx, sought))?.lessonId ?? null
  const younger = await findYounger(tx, lesson, print)
  const own = younger.find(({ authorId, isRewarded }) => authorId === userId && isRewarded)
  const version = { lessonId, userId, videoId, print, publishedAt, originalId }
  await insertFingerprint(tx, { ...version, olderId: own?.lessonId ?? originalId })
  const copies = younger.filter(({ authorId }) => authorId !== userId)
  for (const copy of await ascribe(tx, lessonId, copies))
    await tellOriginal(tx, { ...copy, userId: copy.authorId, at }, { lessonId, authorId: userId })
  if (own === undefined) return true
  // The author keeps that reward, also after an edit.
  await clearLesson(tx, { lessonId: own.lessonId, originalId: lessonId }, at)
  await withhold(tx, { lessonId, userId, title, at }, 'sameArticle')
  return false
}

/** Withholds the reward if the author was rewarded for the same video meanwhile. Returns true if it was withheld. */
export async function withholdSameVideo(
  tx: Tx,
  { lessonId, userId, title, videoId, articleText, at }: LessonReward,
): Promise<boolean> {
  // All locks of the content at once, in their order: `compareAgain` takes them too.
  await lockContent(tx, fingerprintOf(articleText), videoId)
  const held = await tx
    .selectFrom('lesson_rewards')
    .select('lesson_id')
    .where('user_id', '=', userId)
    .where('video_id', '=', videoId)
    .where('lesson_id', '<>', lessonId)
    .executeTakeFirst()
  if (held !== undefined) await withhold(tx, { lessonId, userId, title, at }, 'sameVideo')
  return held !== undefined
}

async function withhold(
  tx: Tx,
  { lessonId, userId, title, at }: Pick<LessonReward, 'lessonId' | 'userId' | 'title' | 'at'>,
  note: 'sameArticle' | 'sameVideo',
): Promise<void> {
  const item = { kind: 'lesson', id: lessonId, title } as const
  const entry = { userId, amount: 0, reason: 'rewardWithheld', note, item, at } as const
  await award(tx, { ...entry, occurrence: `restored ${at.toISOString()}` })
}

interface Younger {
  readonly lessonId: number
  readonly authorId: string
  readonly title: string
  readonly isRewarded: boolean
}

/** Returns the lessons with almost the same article that were published since the deletion, oldest first. */
async function findYounger(
  tx: Tx,
  { lessonId, goneAt }: Relisted,
  { bands, shingles }: Fingerprint,
): Promise<Younger[]> {
  const { rows } = await sql<Younger>`${CUSTOM_PLAN}
    select f.lesson_id as "lessonId", f.author_id as "authorId", c.title,
      exists (select from lesson_rewards r where r.lesson_id = f.lesson_id) as "isRewarded"
    from lesson_fingerprints f
    join lesson_contents c on c.lesson_id = f.lesson_id
    cross join lateral (
      select count(*) as shared from unnest(f.shingles) gram where gram = any(${shingles}::integer[])
    ) article
    where f.bands && ${bands}::integer[] and f.gone_at is null and f.lesson_id <> ${lessonId} and f.published_at >= ${goneAt}
      and article.shared::float8 / (${shingles.length} + cardinality(f.shingles) - article.shared) >= ${SAME_ARTICLE}
    order by f.published_at, f.id`.execute(tx)
  return rows
}

/** Makes the lesson their original, unless an older one is. Returns those that had none. */
async function ascribe(
  tx: Tx,
  lessonId: number,
  copies: readonly Younger[],
): Promise<readonly Younger[]> {
  const ids = copies.map((copy) => copy.lessonId)
  const { rows } = await sql<{ id: number }>`
    with found as materialized (
      select id, original_id from lesson_fingerprints
      where lesson_id = any(${ids}::bigint[]) and gone_at is null
        and (original_id is null or original_id = any(${ids}::bigint[]))
    )
    update lesson_fingerprints f set original_id = ${lessonId} from found where f.id = found.id
    returning case when found.original_id is null then f.lesson_id end as id`.execute(tx)
  const first = new Set(rows.map(({ id }) => id))
  return copies.filter((copy) => first.has(copy.lessonId))
}
