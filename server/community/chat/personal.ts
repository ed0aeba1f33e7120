/** Personal data in the chat: sent messages, conversations and blocks. */
import { sql } from 'kysely'
import { forgetBlocks } from '#server/community/chat/blocks.ts'
import { forgetConversations } from '#server/community/chat/store.ts'
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'

export const personal: PersonalData = {
  exported: {
    messages: (of, after) => sql`
      select m.id, case when r.erased_at is null then r.id end as receiver, m.text, m.created_at as date
      from messages m join users r on r.id = m.receiver_id where m.sender_id = ${of} and m.id > ${after}`,
    blocked: (of, after) => sql`
      select b.id, b.person, b.date from (
        select row_number() over (order by k.created_at, k.blocked_id) as id, k.created_at as date,
          case when p.erased_at is null then p.username end as person
        from person_blocks k join users p on p.id = k.blocked_id where k.user_id = ${of}
      ) b where b.id > ${after}`,
  },
  labels: { messages: 'exportMessages', blocked: 'exportBlocked' },
  erase: async ({ db }, userId) => {
    await forgetConversations(db, userId)
    await forgetBlocks(db, userId)
  },
  stays: {
    'conversations.other_id': WHY.ofAnother,
    'messages.receiver_id': WHY.othersHold,
    'messages.sender_id': WHY.othersHold,
    'person_blocks.blocked_id': WHY.ofAnother,
  },
  notExported: {
    'conversations.other_id': WHY.workings,
    'conversations.user_id': WHY.workings,
  },
}
