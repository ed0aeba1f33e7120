import { sql } from 'kysely'
import { deleteDrafts } from '#server/items/shared/drafts.ts'
import { numberColumns } from '#server/items/shared/number-sources.ts'
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'

export const personal: PersonalData = {
  exported: {
    courses: (of, after) => sql`
      select k.id, c.title, c.description, c.free_preview as "freePreview", k.price, ${numberColumns('course', 'k')},
        array(select h.lesson_id from course_lessons h where h.course_id = k.id order by h.position) as lessons,
        k.created_at as date
      from courses k join course_contents c on c.course_id = k.id
      where k.owner_id = ${of} and k.deleted_at is null and k.id > ${after}`,
  },
  labels: { courses: 'courses' },
  erase: ({ db }, userId) => deleteDrafts(db, 'course', userId),
  stays: { 'courses.owner_id': WHY.othersHold },
  notExported: { 'course_drafts.owner_id': WHY.workings },
}
