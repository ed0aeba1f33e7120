/** Reads the articles of lessons that were published before articles were compared with everybody's. */
import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { jobKind, NoPayload } from '#server/platform/jobs/job.ts'
import { articleText, cleanArticle } from '#server/items/lessons/article.ts'
import {
  fingerprintOf,
  insertFingerprint,
  takeFingerprintsDue,
} from '#server/people/points/fingerprints.ts'

/** Runs every minute. */
export const FINGERPRINT_LESSONS = jobKind('fingerprintLessons', NoPayload)

/** Lessons per transaction. */
const BATCH = 200
/** Batches per run; the next run continues. */
const BATCHES = 100

interface Unread {
  readonly lessonId: number
  readonly userId: string
  readonly videoId: string
  readonly article: string
  readonly publishedAt: Date
}

/** Safe in several processes at once. */
export async function fingerprintLessons(db: Db): Promise<void> {
  for (let done = 0; done < BATCHES; done += 1)
    if ((await db.transaction().execute(fingerprintBatch)) < BATCH) break
}

/** Returns the number of lessons. */
async function fingerprintBatch(tx: Tx): Promise<number> {
  const due = await takeFingerprintsDue(tx, BATCH)
  // Edits store a version of their own, so the next statement must see those that have committed.
  await sql`select from lessons where id = any(${due}::bigint[]) order by id for share`.execute(tx)
  const { rows } = await sql<Unread>`
    select l.id as "lessonId", l.owner_id as "userId", c.video_id as "videoId", c.article, l.created_at as "publishedAt"
    from lessons l join lesson_contents c on c.lesson_id = l.id
    where l.id = any(${due}::bigint[]) and (l.deleted_at is null or l.kept_for_buyers)
      and not exists (select from lesson_fingerprints f where f.lesson_id = l.id)
    order by l.id`.execute(tx)
  for (const { article, ...lesson } of rows) {
    const print = fingerprintOf(articleText(cleanArticle(article)))
    await insertFingerprint(tx, { ...lesson, print, olderId: null, originalId: null })
  }
  return due.length
}
