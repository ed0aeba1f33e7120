/** Personal data of files: uploaded pictures and resources that nothing shows any more. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import { findUnusedPictures, lookAtPicture } from '#server/platform/files/picture-life.ts'
import { hastenClearing } from '#server/platform/files/resources.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import type { PersonalData } from '#server/platform/core/personal.ts'

/**
 * Selects the ids of a person's pictures. The picture of a registration has no owner, because the person didn't
 * exist yet.
 */
export const picturesOf = (userId: string) => sql`
  select o.id from pictures o where o.owner_id = ${userId}
  union select u.picture_id from users u where u.id = ${userId}`

export const personal: PersonalData = {
  exported: {
    pictures: (of, after) => sql`
      select p.id, '/files/pictures/' || p.key || '/640.webp' as picture, p.width, p.height, p.bytes as size, p.created_at as date
      from pictures p where p.id in (${picturesOf(of)}) and p.id > ${after}`,
  },
  labels: { pictures: 'exportPictures' },
  erase: async ({ db, storage }, userId) => {
    await hastenClearing(db, userId)
    await removePictures(db, storage, userId)
  },
}

const BATCH = 100

/**
 * Removes pictures that nothing shows; all others are released together with what shows them. While a backup runs,
 * the sweep removes them afterwards, because they are due.
 */
async function removePictures(db: Db, storage: Storage, userId: string): Promise<void> {
  let found = await findUnusedPictures(db, userId, BATCH)
  while (found.length > 0) {
    for (const id of found) if (!(await lookAtPicture(db, storage, id))) return
    found = await findUnusedPictures(db, userId, BATCH)
  }
}
