/** Personal data in self-checks: attempts. A person's own questions are in the export of their lessons. */
import { sql } from 'kysely'
import type { PersonalData } from '#server/platform/core/personal.ts'
import { forgetResults } from '#server/items/checks/store.ts'

export const personal: PersonalData = {
  exported: {
    selfChecks: (of, after) => sql`
      select r.lesson_id as id, c.title, r.attempts, r.best_right as "bestRight", r.best_of as "bestOf",
        r.best_revision as "bestRevision", r.best_answers as "bestAnswers", r.best_at as "bestDate", r.last_right as "lastRight", r.last_of as "lastOf",
        r.last_revision as "lastRevision", r.last_answers as "lastAnswers", r.last_at as "lastDate", r.passed_at as "passedDate"
      from check_results r left join lesson_contents c on c.lesson_id = r.lesson_id
      where r.user_id = ${of} and r.lesson_id > ${after}`,
  },
  labels: { selfChecks: 'exportSelfChecks' },
  erase: ({ db }, userId) => forgetResults(db, userId),
}
