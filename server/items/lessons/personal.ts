import { sql } from 'kysely'
import { deleteDrafts } from '#server/items/shared/drafts.ts'
import { numberColumns } from '#server/items/shared/number-sources.ts'
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'
import { lessonColumns } from '#server/items/lessons/cards.ts'
import { EMBED } from '#server/items/lessons/details/details.ts'
import { forgetOpenings } from '#server/items/lessons/openings.ts'
import { forgetViews } from '#server/items/lessons/views.ts'

export const personal: PersonalData = {
  exported: {
    lessons: (of, after) => sql`
      select l.id, c.title, c.description, c.tags, ${lessonColumns}, ${EMBED}::text || c.video_id || case when c.video_start > 0 then '?start=' || c.video_start else '' end as video, c.article, c.resources,
        (select k.questions from lesson_checks k where k.lesson_id = l.id) as questions, l.price, ${numberColumns('lesson', 'l')}, l.created_at as date
      from lessons l join lesson_contents c on c.lesson_id = l.id
      where l.owner_id = ${of} and l.deleted_at is null and l.id > ${after}`,
    openedLessons: (of, after) => sql`
      select seen.lesson_id as id, seen.opened_at as date, seen.fetched as "fileDownloaded"
      from lesson_openings seen where seen.user_id = ${of} and seen.lesson_id > ${after}`,
  },
  labels: { lessons: 'lessons', openedLessons: 'exportOpenedLessons' },
  erase: async ({ db }, userId) => {
    await deleteDrafts(db, 'lesson', userId)
    await forgetViews(db, userId)
    await forgetOpenings(db, userId)
  },
  stays: {
    'lesson_views.viewer': WHY.shortLived,
    'lessons.owner_id': WHY.othersHold,
  },
  notExported: {
    'free_readers.user_id': WHY.workings,
    'lesson_drafts.owner_id': WHY.workings,
    'lesson_views.viewer': WHY.shortLived,
    'owner_view_days.owner_id': WHY.workings,
  },
}
