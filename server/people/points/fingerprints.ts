/** Stores the articles of all lessons as they are compared, and finds those that resemble another. */
import { sql } from 'kysely'
import { COMPARED_DAYS, SAME_ARTICLE } from '#contract/limits.ts'
import { CUSTOM_PLAN, type Db, type DbOrTx, type Tx } from '#server/platform/db/connect.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'
import { bandsOf, shinglesOf } from '#server/people/points/resemblance.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Articles that are compared exactly: those with the most bands in common. */
const MOST_COMPARED = 100
/** Rows per run of the job that deletes old versions. */
const BATCH = 1000

export interface Fingerprint {
  readonly shingles: readonly number[]
  readonly bands: readonly number[]
}

export interface Fingerprinted {
  readonly lessonId: number
  readonly userId: string
  readonly videoId: string
  readonly print: Fingerprint
  readonly olderId: number | null
  readonly originalId: number | null
  readonly publishedAt: Date
}

/** A lesson with almost the same article. */
export interface Original {
  readonly lessonId: number
  readonly authorId: string
}

export function fingerprintOf(articleText: string): Fingerprint {
  const shingles = shinglesOf(articleText)
  return { shingles, bands: bandsOf(shingles) }
}

/** Makes others who publish the same video, or an article that may resemble this one, wait for the transaction. */
export async function lockContent(tx: Tx, { bands }: Fingerprint, videoId: string): Promise<void> {
  await lock(tx, lockName.video(videoId), ...bands.map(lockName.article))
}

interface Sought {
  readonly print: Fingerprint
  readonly now: Date
  readonly exceptLessonId?: number
  /** Ignores what was published since then. */
  readonly before?: Date | null
  /** Finds only lessons of this author. */
  readonly by?: string | null
}

/** Returns the oldest lesson with almost the same article, preferring present ones; null if there is none. */
export async function findOriginal(
  db: DbOrTx,
  { print, now, exceptLessonId, before, by }: Sought,
): Promise<Original | null> {
  const bands = sql`${print.bands}::integer[]`
  const shared = sql.join(
    print.bands.map((band, place) => sql`(bands[${sql.lit(place + 1)}] = ${band})::integer`),
    sql` + `,
  )
  // Reads the articles one after the other, and stops at the first that is almost the same.
  const { rows } = await sql<Original>`${CUSTOM_PLAN}
    select lesson_id as "lessonId", author_id as "authorId" from (
      select * from (
        select lesson_id, author_id, shingles, published_at, gone_at is not null as is_gone
        from lesson_fingerprints
        where bands && ${bands} and (gone_at is null or gone_at > ${comparedSince(now)})
          and lesson_id is distinct from ${exceptLessonId ?? null}::bigint
          and published_at < coalesce(${before ?? null}::timestamptz, 'infinity')
          and author_id = coalesce(${by ?? null}::uuid, author_id)
        order by ${shared} desc, id limit ${sql.lit(MOST_COMPARED)}
      ) likely
      order by is_gone, published_at limit ${sql.lit(MOST_COMPARED)}
    ) older, lateral (
      select count(*) as shared from unnest(shingles) gram where gram = any(${print.shingles}::integer[])
    ) article
    where shared::float8 / (${print.shingles.length} + cardinality(shingles) - shared) >= ${SAME_ARTICLE}
    order by is_gone, published_at limit 1`.execute(db)
  return rows[0] ?? null
}

export async function insertFingerprint(tx: Tx, lesson: Fingerprinted): Promise<void> {
  await tx
    .insertInto('lesson_fingerprints')
    .values({
      lesson_id: lesson.lessonId,
      author_id: lesson.userId,
      video_id: lesson.videoId,
      shingles: [...lesson.print.shingles],
      bands: [...lesson.print.bands],
      older_id: lesson.olderId,
      original_id: lesson.originalId,
      published_at: lesson.publishedAt,
    })
    .execute()
}

/** The versions of a lesson's article that are still compared. */
export interface Version {
  readonly id: number
  readonly videoId: string
  readonly shingles: number[]
  readonly publishedAt: Date
  readonly isCurrent: boolean
}

export async function findVersions(db: DbOrTx, lessonId: number): Promise<Version[]> {
  const { rows } = await sql<Version>`
    select id, video_id as "videoId", shingles, published_at as "publishedAt", gone_at is null as "isCurrent"
    from lesson_fingerprints where lesson_id = ${lessonId} order by published_at, id`.execute(db)
  return rows
}

/** Makes another version the current one after an edit: the one with this id, or a new one. */
export async function replaceFingerprint(
  tx: Tx,
  lesson: Fingerprinted & { readonly at: Date },
  versionId: number | null,
): Promise<void> {
  await retireFingerprint(tx, lesson.lessonId, lesson.at)
  if (versionId === null) return insertFingerprint(tx, lesson)
  await tx
    .updateTable('lesson_fingerprints')
    .set({
      gone_at: null,
      video_id: lesson.videoId,
      older_id: lesson.olderId,
      original_id: lesson.originalId,
    })
    .where('id', '=', versionId)
    .execute()
}

/** Call it when a lesson is deleted. Its article is compared for another 90 days. */
export async function retireFingerprint(tx: Tx, lessonId: number, at: Date): Promise<void> {
  await tx
    .updateTable('lesson_fingerprints')
    .set({ gone_at: at })
    .where('lesson_id', '=', lessonId)
    .where('gone_at', 'is', null)
    .execute()
}

/** Undoes `retireFingerprint`. Returns false if the fingerprint is too old to be stored. */
export async function reviveFingerprint(tx: Tx, lessonId: number, goneAt: Date): Promise<boolean> {
  const { rows } = await sql`
    update lesson_fingerprints set gone_at = null where lesson_id = ${lessonId} and gone_at = ${goneAt}
    returning id`.execute(tx)
  return rows.length > 0
}

/** Takes lessons that were published before there were fingerprints. */
export async function takeFingerprintsDue(tx: Tx, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    delete from lesson_fingerprints_due where lesson_id in (
      select lesson_id from lesson_fingerprints_due order by lesson_id desc limit ${most} for update skip locked
    ) returning lesson_id as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Deletes versions that ended too long ago to be compared. */
export async function deleteOldFingerprints(db: Db, now: Date): Promise<void> {
  const before = comparedSince(now)
  await sql`
    delete from lesson_fingerprints where id in (
      select id from lesson_fingerprints where gone_at < ${before} order by gone_at limit ${sql.lit(BATCH)}
    ) and gone_at < ${before}`.execute(db)
}

const comparedSince = (now: Date) => new Date(now.getTime() - COMPARED_DAYS * DAY_MS)
