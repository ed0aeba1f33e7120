/** Removals over HTTP. */
import { courses } from '#contract/courses.ts'
import { lessons } from '#contract/lessons.ts'
import type { Db } from '#server/db/connect.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { previewCourseRemoval, removeCourse } from '#server/removal/course-removal.ts'
import { previewRemoval, removeLesson } from '#server/removal/removal.ts'

export interface RemovalNeeds {
  readonly db: Db
  readonly clock: Clock
  /** Called after each removal with the tags of what it changes: `lesson:7`, `course:7`, `lists`. */
  readonly onChange: (tags: readonly string[]) => void
}

export function removalRoutes(needs: RemovalNeeds): Route[] {
  return [
    route(lessons.removal, ({ viewer }, { id }) => previewRemoval(needs.db, viewer, id)),
    route(lessons.remove, async ({ viewer }, { id, reason }) => {
      const { kbPoints, courses: left } = await removeLesson(needs, viewer, { id, reason })
      needs.onChange([`lesson:${id}`, ...left.map((course) => `course:${course}`), 'lists'])
      return { kbPoints }
    }),
    route(courses.removal, ({ viewer }, { id }) => previewCourseRemoval(needs.db, viewer, id)),
    route(courses.remove, async ({ viewer }, { id, reason }) => {
      const { kbPoints, freePreview } = await removeCourse(needs, viewer, { id, reason })
      // The lesson that was open to everybody is not any more.
      const preview = freePreview === null ? [] : [`lesson:${freePreview}`]
      needs.onChange([`course:${id}`, ...preview, 'lists'])
      return { kbPoints }
    }),
  ]
}
