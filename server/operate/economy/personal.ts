import { forgetUnusual } from '#server/operate/economy/unusual.ts'
import type { PersonalData } from '#server/platform/core/personal.ts'

export const personal: PersonalData = {
  erase: ({ db }, userId) => forgetUnusual(db, userId),
  notExported: {
    'unusual_accounts.user_id':
      'a hint for administrators, replaced every day; the export has the entries, unlocks and ratings it counts',
  },
}
