/** Personal data in the moderation log: a person's actions, and actions about them. */
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'
import { forgetReasons } from '#server/people/moderation/log.ts'

export const personal: PersonalData = {
  erase: ({ db }, userId) => forgetReasons(db, userId),
  stays: { 'moderation_log.actor_id': WHY.duty },
  notExported: {
    'moderation_log.actor_id': WHY.administrators,
    'moderation_log.person_id': 'the work of administrators, which was mailed to whom it concerned',
  },
}
