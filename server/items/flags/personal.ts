/** Personal data: the reports that a person made. */
import { sql } from 'kysely'
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'

export const personal: PersonalData = {
  exported: {
    reports: (of, after) => sql`
      select f.id, f.kind, case when p.erased_at is null then f.subject_id end as subject, f.text,
        f.original_id as original, f.outcome, f.closed_at as "closedAt", f.created_at as date
      from flags f left join users p on p.id = case when f.kind = 'profile' then f.subject_id::uuid end
      where f.reporter_id = ${of} and f.id > ${after}`,
  },
  labels: { reports: 'exportReports' },
  stays: {
    'flags.closed_by': WHY.duty,
    'flags.reporter_id': `what was reported is looked at all the same; ${WHY.nameless}`,
    'flags.subject_id': WHY.ofAnother,
  },
  notExported: { 'flags.closed_by': WHY.administrators },
}
