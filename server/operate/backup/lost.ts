/**
 * Removes rows whose files a backup can't have: an upload that somebody removed while it was made, or a picture
 * whose row existed before its files were written. No item shows either.
 */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import { resourceKey } from '#server/platform/files/names.ts'
import { hasForms, lookAtPicture } from '#server/platform/files/picture-life.ts'
import { dropUpload } from '#server/platform/files/resources.ts'
import type { Storage } from '#server/platform/core/storage.ts'

/** Storing a picture takes less than this. */
const STORING_TIME = sql`interval '15 minutes'`

/** Cleans a restored database that nobody uses yet. `madeAt` is the time of the snapshot. */
export async function dropLost(db: Db, storage: Storage, madeAt: Date): Promise<void> {
  const uploads = await db
    .selectFrom('uploads')
    .select('id')
    .where('lesson_id', 'is', null)
    .where('finished_at', 'is not', null)
    .execute()
  for (const { id } of uploads)
    if ((await storage.sizeOf(resourceKey(id))) === null) await dropUpload(db, id)
  const { rows } = await sql<{ id: number; key: string }>`
    select id, key from pictures where created_at > ${madeAt}::timestamptz - ${STORING_TIME}`.execute(
    db,
  )
  for (const { id, key } of rows)
    if (!(await hasForms(storage, key))) await lookAtPicture(db, storage, id, { now: true })
}
