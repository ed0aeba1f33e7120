import { sql } from 'kysely'
import type { PersonalData } from '#server/platform/core/personal.ts'
import { forgetProgress, isDone } from '#server/items/progress/store.ts'

export const personal: PersonalData = {
  exported: {
    progress: (of, after) => sql`
      select p.lesson_id as id, p.seconds, p.length, p.furthest, p.opened, ${isDone('p')} as done,
        p.done_at as "firstDone", p.seen_at as "lastOpened"
      from lesson_progress p where p.user_id = ${of} and p.lesson_id > ${after}`,
  },
  labels: { progress: 'exportProgress' },
  erase: ({ db }, userId) => forgetProgress(db, userId),
}
