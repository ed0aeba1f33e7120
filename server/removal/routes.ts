/** Removals over HTTP. */
import { lessons } from '#contract/lessons.ts'
import type { Db } from '#server/db/connect.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { previewRemoval, removeLesson } from '#server/removal/removal.ts'

export interface RemovalNeeds {
  readonly db: Db
  readonly clock: Clock
  /** Called after each removal with the tags of what it changes: `lesson:7`, `lists`. */
  readonly onChange: (tags: readonly string[]) => void
}

export function removalRoutes(needs: RemovalNeeds): Route[] {
  return [
    route(lessons.removal, ({ viewer }, { id }) => previewRemoval(needs.db, viewer, id)),
    route(lessons.remove, async ({ viewer }, { id, reason }) => {
      const answer = await removeLesson(needs, viewer, { lessonId: id, reason })
      needs.onChange([`lesson:${id}`, 'lists'])
      return answer
    }),
  ]
}
