/** Personal data: all notes, which only their writer can read. */
import { sql } from 'kysely'
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'
import { forgetNotes } from '#server/items/notes/store.ts'

export const personal: PersonalData = {
  exported: {
    notes: (of, after) => sql`
      select n.id, n.lesson_id as lesson, c.title, n.text, n.second, n.created_at as date, n.edited_at as edited
      from notes n left join lesson_contents c on c.lesson_id = n.lesson_id
      where n.user_id = ${of} and n.id > ${after}`,
  },
  labels: { notes: 'exportNotes' },
  notExported: { 'notes.draft_id': WHY.workings },
  erase: ({ db }, userId) => forgetNotes(db, userId),
}
