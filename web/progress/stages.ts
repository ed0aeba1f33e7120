/** How far a person is in a lesson or a course, from the marks of its lessons. */
import type { Mark } from '#web/progress/marks.ts'

export type Stage = 'unread' | 'begun' | 'done'

/** The stage of a lesson with this mark. */
export const lessonStage = (mark: Mark | undefined): Stage =>
  mark === undefined ? 'unread' : mark.done ? 'done' : 'begun'

export interface CourseStage {
  readonly stage: Stage
  /** How many lessons are done. */
  readonly done: number
  /** The lesson to continue with: the one opened last unless it is done, else the first that is not done. */
  readonly next: number | undefined
}

/** The stage of a course with these lessons, in their order. */
export function courseStage(
  lessons: readonly number[],
  markOf: (lesson: number) => Mark | undefined,
): CourseStage {
  const marked = lessons.flatMap((id) => {
    const mark = markOf(id)
    return mark === undefined ? [] : [{ id, ...mark }]
  })
  const done = marked.filter((mark) => mark.done).length
  const last = marked.toSorted((one, other) => other.time - one.time)[0]
  const left = lessons.find((id) => markOf(id)?.done !== true)
  return {
    stage: marked.length === 0 ? 'unread' : left === undefined ? 'done' : 'begun',
    done,
    next: last?.done === false ? last.id : (left ?? lessons[0]),
  }
}
