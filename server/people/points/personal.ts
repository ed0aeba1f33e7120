import { sql } from 'kysely'
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'

export const personal: PersonalData = {
  exported: {
    points: (of, after) => sql`
      select e.id, e.amount, e.reason, e.item_kind as "itemKind", e.item_id as item, e.item_title as title, e.note,
        e.net_after as balance, e.created_at as date
      from point_entries e where e.user_id = ${of} and e.id > ${after}`,
  },
  labels: { points: 'exportPoints' },
  // The entries are kept, because the ledger only balances with all of them. Titles, notes that contain
  // titles, and reasons of corrections are cleared, because they may identify somebody.
  erase: async ({ db }, userId) => {
    await sql`
      update point_entries set item_title = null,
        note = case when reason in ('lessonGone', 'shareReturned', 'corrected') then null else note end
      where user_id = ${userId} and (item_title is not null or reason = 'corrected')`.execute(db)
  },
  stays: {
    'course_rewards.user_id': WHY.books,
    'lesson_fingerprints.author_id': `copies are recognised for 90 days; ${WHY.nameless}`,
    'lesson_rewards.user_id': WHY.books,
    'point_balances.user_id': WHY.books,
  },
  notExported: {
    'course_rewards.user_id': WHY.workings,
    'lesson_fingerprints.author_id': WHY.workings,
    'lesson_rewards.user_id': WHY.workings,
    'point_balances.user_id': 'the last line of the ledger has the balance',
  },
}
