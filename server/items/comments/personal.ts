import { sql } from 'kysely'
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'

export const personal: PersonalData = {
  exported: {
    comments: (of, after) => sql`
      select m.id, m.lesson_id as lesson, m.text, m.prediction as opinion, m.confidence, m.why, m.language,
        m.model as "opinionBy", m.judged_at as "judgedAt", m.created_at as date,
        m.reply_to as "replyTo", m.edited_at as edited
      from comments m
      -- includes comments that were deleted with their lesson
      where m.user_id = ${of} and (m.deleted_at is null or m.deleted_by is null) and m.id > ${after}`,
  },
  labels: { comments: 'comments' },
  stays: {
    'comments.deleted_by': WHY.duty,
    'comments.reply_to': WHY.othersHold,
    'comments.user_id': WHY.othersHold,
  },
}
