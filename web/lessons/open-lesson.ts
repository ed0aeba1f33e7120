import type { Lesson, OpenLesson } from '#contract/lessons.ts'

/** Whether what is inside came with it. */
export const isOpen = (lesson: Lesson): lesson is OpenLesson => 'article' in lesson

const NO_LESSON = Number.MAX_SAFE_INTEGER

/** The id in an address. What is no id becomes one that no lesson has, so that the answer is "not found". */
export function lessonId(param: string | undefined): number {
  return /^[1-9]\d{0,15}$/.test(param ?? '') ? Math.min(Number(param), NO_LESSON) : NO_LESSON
}
