/** Personal data in the outbox: mails to a person and mails that they sent to others. */
import type { PersonalData } from '#server/platform/core/personal.ts'
import { forgetMailsOf } from '#server/platform/mail/forgetting.ts'

const IN_MAILBOX = 'mails are in their own mailbox; ours are emptied when they were sent'

export const personal: PersonalData = {
  erase: ({ db }, userId) => forgetMailsOf(db, userId),
  notExported: {
    'mails.address': IN_MAILBOX,
    'mails.reply_to': IN_MAILBOX,
    'mails.sender_id': IN_MAILBOX,
    'mails.user_id': IN_MAILBOX,
  },
}
