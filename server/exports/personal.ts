/** What of a person the exports have: the copy of their data that a job made, which ends by itself after days. */
import { sql } from 'kysely'
import { exportKey } from '#server/files/names.ts'
import { WHY, type PersonalData } from '#server/kernel/personal.ts'

export const personal: PersonalData = {
  erase: async ({ db, storage }, userId) => {
    // The row first: a job that writes the file at this moment looks for it afterwards, and removes what it wrote.
    await sql`delete from data_exports where user_id = ${userId}`.execute(db)
    await storage.remove(exportKey(userId))
  },
  notExported: {
    'data_exports.id': WHY.workings,
    'data_exports.user_id': 'the copy itself; it ends after days',
  },
}
