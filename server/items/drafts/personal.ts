/** Personal data: drafts of lessons and courses, which only their writer can read. */
import { sql } from 'kysely'
import type { PersonalData } from '#server/platform/core/personal.ts'
import { forgetDrafts } from '#server/items/drafts/store.ts'

export const personal: PersonalData = {
  exported: {
    drafts: (of, after) => sql`
      select d.id, d.kind, d.item_id as item, d.title, d.saved_at as date, d.content as draft
      from item_drafts d where d.user_id = ${of} and d.content is not null and d.id > ${after}`,
  },
  labels: { drafts: 'exportDrafts' },
  erase: ({ db }, userId) => forgetDrafts(db, userId),
}
