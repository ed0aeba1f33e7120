import type { Lesson, OpenLesson } from '#contract/lessons.ts'

/** True when the response includes the lesson's content. */
export const isOpen = (lesson: Lesson): lesson is OpenLesson => 'article' in lesson

const NO_LESSON = Number.MAX_SAFE_INTEGER

/** Reads the id in an address. An invalid id becomes one that no lesson has, so that the page is "not found". */
export function lessonId(param: string | undefined): number {
  return /^[1-9]\d{0,15}$/.test(param ?? '') ? Math.min(Number(param), NO_LESSON) : NO_LESSON
}
