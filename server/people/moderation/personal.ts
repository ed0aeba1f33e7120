/** Personal data of moderation: a person's actions, actions about them, and their appeals. */
import { sql } from 'kysely'
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'
import { forgetAppeals } from '#server/people/moderation/appeals/store.ts'
import { forgetReasons } from '#server/people/moderation/log.ts'

export const personal: PersonalData = {
  exported: {
    appeals: (of, after) => sql`
      select a.id, coalesce(m.action, 'rewardWithheld') as action, m.subject, a.lesson_id as lesson, a.text, a.granted,
        a.answer, a.decided_at as "decidedAt", a.created_at as date
      from appeals a left join moderation_log m on m.id = a.act_id where a.user_id = ${of} and a.id > ${after}`,
  },
  labels: { appeals: 'deskAppeals' },
  erase: async ({ db }, userId) => {
    await forgetReasons(db, userId)
    await forgetAppeals(db, userId)
  },
  stays: {
    'moderation_log.actor_id': WHY.duty,
    'appeals.decided_by': WHY.duty,
    'restorable_items.owner_id':
      'a job deletes the row within a minute, together with the contents',
  },
  notExported: {
    'appeals.decided_by': WHY.administrators,
    'restorable_items.owner_id': WHY.workings,
    'moderation_log.actor_id': WHY.administrators,
    'moderation_log.person_id': 'the work of administrators, which was mailed to whom it concerned',
  },
}
