/** What of a person webhooks have: events that name them, and the endpoints that an administrator made. */
import { WHY, type PersonalData } from '#server/kernel/personal.ts'
import { deleteEventsAbout } from '#server/webhooks/store.ts'

export const personal: PersonalData = {
  erase: ({ db }, userId) => deleteEventsAbout(db, userId),
  stays: { 'webhook_endpoints.created_by': WHY.duty },
  notExported: {
    'webhook_endpoints.created_by': WHY.administrators,
  },
}
