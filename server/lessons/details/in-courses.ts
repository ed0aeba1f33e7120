/**
 * The courses that a lesson stands in. They are the same for every reader, so a node reads them once for all: the
 * statement that reads a lesson reads them along, unless it is told that they are in memory.
 */
import { sql, type RawBuilder } from 'kysely'
import { LESSON_COURSES } from '#contract/limits.ts'
import type { LessonCourse } from '#contract/lessons.ts'
import { createAnswerCache } from '#server/items/caches/answer-cache.ts'
import type { Change } from '#server/kernel/changes.ts'
import type { Core } from '#server/kernel/core.ts'

/** Lessons whose courses are in memory, at some 300 bytes each; what other nodes write is heard of on the bus. */
const BOUNDS = { most: 5000, freshMs: 5000 }
const DROP_ALL: ReadonlySet<Change['kind']> = new Set([
  'itemsChanged',
  'personErased',
  'changesMissed',
])

export interface CoursesOfLessons {
  /**
   * To be called before the statement, which reads the courses where `isKnown` is false. `found` is what it read, as
   * JSON; null where it did not.
   */
  begin(lessonId: number): {
    readonly isKnown: boolean
    shown(found: string | null): readonly LessonCourse[]
  }
}

/** An empty cache; it follows the bus from now on. */
export function createCoursesOfLessons({
  clock,
  changes,
}: Pick<Core, 'clock' | 'changes'>): CoursesOfLessons {
  const cache = createAnswerCache<readonly LessonCourse[]>(clock, BOUNDS)
  changes.subscribe(({ kind }) => {
    if (DROP_ALL.has(kind)) cache.drop()
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
          // What the fragment below makes.
          const read = JSON.parse(found) as readonly LessonCourse[]
          store(key, read)
          return read
        },
      }
    },
  }
}

const MOST = sql.lit(LESSON_COURSES)

/** The newest living courses that hold a lesson, as JSON; a scalar subselect. It walks `course_lessons_lesson`. */
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
