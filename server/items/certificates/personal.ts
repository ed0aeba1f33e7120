/** Personal data in certificates: a person's own ones, and their name as the author in those of others. */
import { sql } from 'kysely'
import { forgetCertificates } from '#server/items/certificates/store.ts'
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'

export const personal: PersonalData = {
  exported: {
    certificates: (of, after) => sql`
      select t.id, t.code, t.name, t.course_id as course, t.course_title as title,
        t.course_description as description, to_json(t.lessons) as lessons, t.author_name as author, t.listed,
        t.issued_at as date, t.withdrawn_at as "withdrawnAt", t.revoked_at as "revokedAt"
      from certificates t where t.user_id = ${of} and t.id > ${after}`,
  },
  labels: { certificates: 'exportCertificates' },
  erase: ({ db }, userId) => forgetCertificates(db, userId),
  notExported: { 'certificates.author_id': WHY.ofOthers },
}
