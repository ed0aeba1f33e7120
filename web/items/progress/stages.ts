import type { Mark } from '#web/items/progress/marks.ts'

export type Stage = 'unread' | 'begun' | 'done'

export const lessonStage = (mark: Mark | undefined): Stage =>
  mark === undefined ? 'unread' : mark.done ? 'done' : 'begun'

export interface CourseStage {
  readonly stage: Stage
  /** The number of finished lessons. */
  readonly done: number
  /** The next lesson: the last opened one unless it is done, otherwise the first unfinished one. */
  readonly next: number | undefined
}

/** `lessons` are in the course's order. */
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
