/** Personal data of profiles: whose e-mail addresses a person saw within the hour. */
import { sql } from 'kysely'
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'

export const personal: PersonalData = {
  erase: async ({ db }, userId) => {
    await sql`delete from shown_emails where viewer_id = ${userId}`.execute(db)
  },
  stays: { 'shown_emails.shown_id': WHY.ofAnother },
  notExported: {
    'shown_emails.shown_id': WHY.ofOthers,
    'shown_emails.viewer_id': WHY.workings,
  },
}
