/** Personal data of letters to the operator: a person's problem reports. */
import { sql } from 'kysely'
import { forgetReporter } from '#server/community/contact/bugs.ts'
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'

export const personal: PersonalData = {
  exported: {
    bugReports: (of, after) => sql`
      select b.id, b.sender_email as "senderEmail", b.topic, b.text, b.done_at as "doneAt", b.created_at as date
      from bug_reports b where b.user_id = ${of} and b.id > ${after}`,
  },
  labels: { bugReports: 'exportBugReports' },
  erase: ({ db }, userId) => forgetReporter(db, userId),
  stays: { 'bug_reports.done_by': WHY.duty, 'letter_attempts.subject': WHY.shortLived },
  notExported: {
    'bug_reports.done_by': WHY.administrators,
    'letter_attempts.subject': WHY.shortLived,
  },
}
