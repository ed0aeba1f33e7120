import type { Course } from '#contract/courses.ts'
import type { Lesson, OpenLesson } from '#contract/lessons.ts'
import { isOpen } from '#web/lessons/open-lesson.ts'

interface CourseAndLesson {
  readonly course: Course
  readonly lesson: Lesson | null
}

/**
 * The lesson that is open on the course's page; null where the course is an offer. Whoever has the course reads its
 * lessons; a free preview is open to everybody. A lesson that was bought alone opens on its own page: the course's page
 * shows its buyer the offer, with that lesson linked.
 */
export function openedLesson({ course, lesson }: CourseAndLesson): OpenLesson | null {
  const opens =
    lesson !== null && isOpen(lesson) && (course.can.see || course.freePreview === lesson.id)
  return opens ? lesson : null
}
