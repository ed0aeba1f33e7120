/** Personal data of exports: the generated copy, which expires after some days. */
import { sql } from 'kysely'
import { exportKey } from '#server/platform/files/names.ts'
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'

export const personal: PersonalData = {
  erase: async ({ db, storage }, userId) => {
    // Deletes the row first: a job that is writing the file checks for it afterwards, and then deletes the file.
    await sql`delete from data_exports where user_id = ${userId}`.execute(db)
    await storage.remove(exportKey(userId))
  },
  notExported: {
    'data_exports.id': WHY.workings,
    'data_exports.user_id': 'the copy itself; it ends after days',
  },
}
