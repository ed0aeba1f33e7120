/** What of a person the accounts have: the person themselves, exported by profiles/archive.ts, and their sign-ins. */
import { forgetSignIns } from '#server/accounts/erasure.ts'
import { WHY, type PersonalData } from '#server/kernel/personal.ts'

export const personal: PersonalData = {
  erase: ({ db }, userId) => forgetSignIns(db, userId),
  stays: { 'login_failures.subject': WHY.shortLived },
  notExported: {
    'account_tokens.email': 'of a link that was mailed to that address',
    'account_tokens.email_folded': WHY.folded,
    'account_tokens.user_id': 'of a link that was mailed to them, and goes when it no longer works',
    'former_usernames.username_skeleton': WHY.folded,
    'login_failures.subject': WHY.shortLived,
    'users.email_folded': WHY.folded,
    'users.previous_email_folded': WHY.folded,
    'users.username_folded': WHY.folded,
    'users.username_skeleton': WHY.folded,
  },
}
