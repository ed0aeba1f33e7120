import type { CourseLesson } from '#contract/courses.ts'

/** Reading time of all lessons in minutes. */
export const courseMinutes = (lessons: readonly CourseLesson[]): number =>
  lessons.reduce((sum, { articleMinutes }) => sum + articleMinutes, 0)
