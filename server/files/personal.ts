/** What of a person the files have: pictures and resources that they uploaded and nothing shows any more. */
import type { Db } from '#server/db/connect.ts'
import { findUnusedPictures, lookAtPicture } from '#server/files/picture-life.ts'
import { hastenClearing } from '#server/files/resources.ts'
import type { Storage } from '#server/files/storage.ts'
import type { PersonalData } from '#server/kernel/personal.ts'

export const personal: PersonalData = {
  erase: async ({ db, storage }, userId) => {
    await hastenClearing(db, userId)
    await removePictures(db, storage, userId)
  },
  notExported: { 'pictures.owner_id': 'the export has the address of the picture that is shown' },
}

const BATCH = 100

/** What they had stored and nothing shows: all that was shown is released with what showed it. */
async function removePictures(db: Db, storage: Storage, userId: string): Promise<void> {
  let found = await findUnusedPictures(db, userId, BATCH)
  while (found.length > 0) {
    for (const id of found) await lookAtPicture(db, storage, id)
    found = await findUnusedPictures(db, userId, BATCH)
  }
}
