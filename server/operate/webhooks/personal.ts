/** Personal data in webhooks: events about a person, and endpoints that an administrator created. */
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'
import { deleteEventsAbout } from '#server/operate/webhooks/store.ts'

export const personal: PersonalData = {
  erase: ({ db }, userId) => deleteEventsAbout(db, userId),
  stays: { 'webhook_endpoints.created_by': WHY.duty },
  notExported: {
    'webhook_endpoints.created_by': WHY.administrators,
  },
}
