/**
 * The courses that contain a lesson. They are the same for every reader, so each node caches them, and the
 * statement that reads a lesson reads them only if they are not cached.
 */
import { sql, type RawBuilder } from 'kysely'
import { LESSON_COURSES } from '#contract/limits.ts'
import type { LessonCourse } from '#contract/lessons.ts'
import { createAnswerCache } from '#server/items/shared/caches/answer-cache.ts'
import { isStale } from '#server/platform/events/catalogue.ts'
import type { Core } from '#server/platform/core/core.ts'

/** The courses of one lesson take about 300 bytes. Writes of other nodes arrive as changes. */
const BOUNDS = { most: 5000, freshMs: 5000 }

export interface CoursesOfLessons {
  /**
   * Call it before the statement, which reads the courses if `isKnown` is false.
   * @param found the courses as JSON; null if they were cached
   */
  begin(lessonId: number): {
    readonly isKnown: boolean
    shown(found: string | null): readonly LessonCourse[]
  }
}

export function createCoursesOfLessons({
  clock,
  events,
}: Pick<Core, 'clock' | 'events'>): CoursesOfLessons {
  const cache = createAnswerCache<readonly LessonCourse[]>(clock, BOUNDS)
  events.subscribe((event) => {
    if (isStale(event, 'items')) cache.drop()
  })
  return {
    begin: (lessonId) => {
      const store = cache.begin()
      const key = String(lessonId)
      const cached = cache.peek(key)
      return {
        isKnown: cached !== undefined,
        shown: (found) => {
          if (found === null) return cached ?? []
          // The fragment below produces this type.
          const read = JSON.parse(found) as readonly LessonCourse[]
          store(key, read)
          return read
        },
      }
    },
  }
}

const MOST = sql.lit(LESSON_COURSES)

/** A scalar subselect of the newest living courses with a lesson, as JSON. Reads `course_lessons_lesson`. */
export function coursesOf(lessonId: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(
    select coalesce(json_agg(json_build_object(
      'id', holding.id, 'title', contents.title, 'price', holding.price, 'lessons', holding.lesson_count,
      'free', contents.free_preview is not distinct from ${lessonId},
      'singly', (select sum(part.price) from course_lessons inside join lessons part on part.id = inside.lesson_id
        where inside.course_id = holding.id)
    ) order by holding.id desc), '[]')::text
    from (
      select course.id, course.price, course.lesson_count from course_lessons held
      join courses course on course.id = held.course_id and course.deleted_at is null
      where held.lesson_id = ${lessonId} order by held.course_id desc limit ${MOST}
    ) holding join course_contents contents on contents.course_id = holding.id
  )`
}
