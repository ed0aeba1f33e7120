/** How far somebody is in a course: which of its lessons are done, where their videos are, and which was open last. */
import { useMemo } from 'react'
import type { Place } from '#web/progress/marks.ts'
import { useMarks } from '#web/progress/use-marks.ts'

export interface CourseProgress {
  /** Ids of lessons. */
  readonly done: readonly number[]
  /** The lesson that was open last. */
  readonly last: number | undefined
  readonly placeIn: (lesson: number) => Place | undefined
  readonly mark: (lesson: number, done: boolean) => void
  readonly visit: (lesson: number) => void
  /** `rests`: the video stands still. */
  readonly watch: (lesson: number, place: Place, rests: boolean) => void
}

/** Of the person in this browser. Nothing on the server and in the first paint. */
export function useCourseProgress(lessons: readonly { readonly id: number }[]): CourseProgress {
  const marks = useMarks(lessons.map(({ id }) => id))
  return useMemo(() => {
    const known = lessons.flatMap(({ id }) => {
      const mark = marks.of(id)
      return mark === undefined ? [] : [{ id, ...mark }]
    })
    return {
      done: known.filter(({ done }) => done).map(({ id }) => id),
      last: known.toSorted((one, other) => other.time - one.time)[0]?.id,
      placeIn: (lesson) => marks.of(lesson)?.place,
      mark: (lesson, done) => marks.tell(lesson, { done }, true),
      visit: (lesson) => marks.tell(lesson, { opened: true }, true),
      watch: marks.tell,
    }
  }, [lessons, marks])
}
