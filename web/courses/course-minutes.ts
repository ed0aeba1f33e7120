import type { CourseLesson } from '#contract/courses.ts'

/** Reading time in all. */
export const courseMinutes = (lessons: readonly CourseLesson[]): number =>
  lessons.reduce((sum, { articleMinutes }) => sum + articleMinutes, 0)
