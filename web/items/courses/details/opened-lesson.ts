import type { Course } from '#contract/courses.ts'
import type { Lesson, OpenLesson } from '#contract/lessons.ts'
import { isOpen } from '#web/items/lessons/open-lesson.ts'

interface CourseAndLesson {
  readonly course: Course
  readonly lesson: Lesson | null
}

/**
 * Returns the lesson that is open on the course's page, or null when the page is an offer. Owners of the course
 * can read its lessons, and everybody can read its free preview. A lesson that was unlocked alone opens on its own
 * page, to which the offer links.
 */
export function openedLesson({ course, lesson }: CourseAndLesson): OpenLesson | null {
  const opens =
    lesson !== null && isOpen(lesson) && (course.can.see || course.freePreview === lesson.id)
  return opens ? lesson : null
}
